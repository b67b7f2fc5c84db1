package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.TextTable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.control.SmStatus;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmHost;
import io.torussm.mastership.SmState;
import io.torussm.view.PlacedSubnet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** The commands about this SM and other SMs. */
public final class SmCommands {
    private static final List<String> LEVELS = List.of("error", "warn", "info", "debug", "trace");
    private static final int MAX_PRIORITY = 15;
    private static final int MAX_NAME = 64;
    private static final String NOT_BEGUN = "the SM has not begun yet";

    private static final long KEY_CHANGE_TIMEOUT_S = 30;

    private final SmControl control;

    /** The state and counters of the SM; null while the SM starts. */
    record Status(@Nullable SmStatus status) implements Facts {
        @Override
        public List<String> lines() {
            return status == null ? List.of("state: starting") : status.lines();
        }
    }

    /** The summary of a shadow, which only reads the fabric. The command {@code shadow} shows the whole report. */
    private record Looks(String shadow, Instant at, long readings, long mads) implements Facts {
        @Override
        public List<String> lines() {
            return List.of(
                    "state: " + shadow,
                    "read last: " + at,
                    "readings: " + readings,
                    "MADs sent: " + mads + ", all Gets");
        }
    }

    private record Priority(int priority) implements Facts {
        @Override
        public List<String> lines() {
            return List.of("priority " + priority);
        }
    }

    private record LogLevel(String logLevel) implements Facts {
        @Override
        public List<String> lines() {
            return List.of("log level " + logLevel);
        }
    }

    private record Version(String version) implements Facts {
        @Override
        public List<String> lines() {
            return List.of(version);
        }
    }

    private record Sm(String portGuid, int priority, String state, boolean isSelf, String description, int lid) {
        private static Sm of(RemoteSm sm) {
            SmHost host = sm.host();
            return new Sm(
                    Guid.format(sm.guid()),
                    sm.priority(),
                    sm.state().toString(),
                    false,
                    host.description(),
                    host.lid());
        }
    }

    private record Sms(@Nullable String master, List<Sm> sms) implements Facts {
        @Override
        public List<String> lines() {
            TextTable table = new TextTable("port GUID", "LID", "priority", "state", "", "host");
            sms.forEach(sm -> table.row(
                    sm.portGuid(),
                    sm.lid() == 0 ? "" : sm.lid(),
                    sm.priority(),
                    sm.state(),
                    (sm.isSelf() ? "this SM " : "") + (sm.portGuid().equals(master) ? "master" : ""),
                    Printable.text(sm.description(), MAX_NAME)));
            return table.lines();
        }
    }

    public SmCommands(SmControl control) {
        this.control = control;
    }

    public List<Command> commands() {
        return List.of(
                Command.query("status", "state of the SM and counters", Command.withoutArguments(this::status)),
                Command.setting(
                        "priority [PRIORITY]",
                        "the priority among SMs, or another one, 0 to 15",
                        this::priority,
                        "Another priority holds until the configuration is read again (SIGHUP) or the SM ends."),
                Command.query(
                        "sms",
                        "subnet managers that are known, their states and priorities",
                        Command.withoutArguments(this::sms)),
                Command.change(
                        "handover",
                        "let the best standby SM become master: the priority falls as far as that takes",
                        Command.withoutArguments(this::handover),
                        "priority takes the subnet back; see mastership."),
                Command.setting(
                        "loglevel [error|warn|info|debug|trace]", "the log level, or a new one", this::logLevel),
                Command.setting(
                        "keys [new|remove]",
                        "sources of M_Key and SM_Key; or generate secret new keys for all ports and SMs",
                        this::keys,
                        "new replaces the generated keys port by port; no device is lost if it is interrupted.",
                        "remove leaves ports without M_Key. The m_key and sm_key of the configuration stay effective.",
                        "The keys are in the file keys of state_dir, for its owner only, and with replication at the standby SMs."),
                Command.query(
                        "version",
                        "version of the program",
                        Command.withoutArguments(() -> Answer.of(new Version(control.version())))));
    }

    /** Returns the status; for a shadow, the state of its readings. */
    private Answer status() {
        ShadowReport seen = control.shadow();
        return seen == null
                ? Answer.of(new Status(SmStatus.of(control)))
                : Answer.of(new Looks(seen.headline(), seen.at(), seen.readings(), seen.mads()));
    }

    private @Nullable Mastership mastership() {
        SmStatistics current = control.statistics();
        return current == null ? null : current.mastership();
    }

    private Answer priority(List<String> arguments) {
        Mastership current = mastership();
        if (arguments.size() > 1 || (!arguments.isEmpty() && !arguments.get(0).matches("[0-9]|1[0-5]"))) {
            throw new UsageException("a priority is a number from 0 to " + MAX_PRIORITY);
        }
        if (current == null) {
            return Answer.refusal(NOT_BEGUN);
        }
        if (arguments.isEmpty()) {
            return Answer.of(new Priority(current.priority()));
        }
        int priority = Integer.parseInt(arguments.get(0));
        control.setPriority(priority);
        return Answer.done("priority " + current.priority() + " becomes " + priority
                + "; set sm_priority to keep it beyond this run");
    }

    private Answer sms() {
        Mastership current = mastership();
        if (current == null) {
            return Answer.refusal(NOT_BEGUN);
        }
        List<Sm> all = new ArrayList<>();
        all.add(self(current));
        List<RemoteSm> others = new ArrayList<>(current.others());
        RemoteSm master = current.master();
        if (master != null && others.stream().noneMatch(other -> other.guid() == master.guid())) {
            others.add(master);
        }
        others.stream()
                .sorted(Comparator.comparingInt(RemoteSm::priority).reversed())
                .forEach(sm -> all.add(Sm.of(sm)));
        boolean isSelf = current.shownState() == SmState.MASTER;
        String masterGuid = isSelf ? Guid.format(current.guid()) : master == null ? null : Guid.format(master.guid());
        return Answer.of(new Sms(masterGuid, all));
    }

    private Sm self(Mastership current) {
        PlacedSubnet found = control.state().found();
        Fabric fabric = found == null ? null : found.subnet().fabric();
        return new Sm(
                Guid.format(current.guid()),
                current.priority(),
                current.shownState().toString(),
                true,
                fabric == null ? "" : fabric.nodeName(fabric.nodeOf(fabric.localPort())),
                found == null ? 0 : found.subnet().smLid());
    }

    /**
     * Hands the subnet over. This SM lowers its priority, because a new master of lower rank would have to hand the
     * subnet back.
     */
    private Answer handover() {
        Mastership current = mastership();
        if (current == null || current.shownState() != SmState.MASTER) {
            return Answer.refusal("this SM is not master; see sms");
        }
        Optional<RemoteSm> successor = current.others().stream()
                .filter(other -> other.state() == SmState.STANDBY)
                .reduce((a, b) -> b.outranks(a.priority(), a.guid()) ? b : a);
        if (successor.isEmpty()) {
            return Answer.refusal("no other SM stands by; see sms");
        }
        Optional<Integer> priority = IntStream.iterate(current.priority(), p -> p >= 0, p -> p - 1)
                .filter(p -> successor.get().outranks(p, current.guid()))
                .boxed()
                .findFirst();
        if (priority.isEmpty()) {
            return Answer.refusal("the SM that stands by, " + printable(successor.get())
                    + ", would have to give back: raise its priority above 0");
        }
        control.setPriority(priority.get());
        return Answer.done("priority " + current.priority() + " becomes " + priority.get() + ", and the SM with "
                + printable(successor.get()) + " takes over; priority " + current.priority()
                + " takes the subnet back");
    }

    private static String printable(RemoteSm sm) {
        return Printable.text(sm.toString(), Integer.MAX_VALUE);
    }

    private Answer keys(List<String> arguments) {
        if (arguments.isEmpty()) {
            return Answer.of(KeyFacts.of(control.keys(), control.view()));
        }
        boolean isWanted = arguments.get(0).equals("new");
        if (arguments.size() > 1 || (!isWanted && !arguments.get(0).equals("remove"))) {
            throw new UsageException();
        }
        if (control.statistics() == null) {
            return Answer.refusal(NOT_BEGUN);
        }
        return Answer.ofChange(
                control.changeKeys(isWanted),
                KEY_CHANGE_TIMEOUT_S,
                "the SM is busy, or its disk is slow; ask keys later whether it was done",
                objection -> objection.isEmpty()
                        ? Answer.done((isWanted ? "new keys are active" : "no generated keys are active")
                                + ", and the ports are given theirs with the next heavy sweep, which is requested")
                        : Answer.refusal(objection));
    }

    private Answer logLevel(List<String> arguments) {
        if (arguments.isEmpty()) {
            return Answer.of(new LogLevel(control.logLevel()));
        }
        if (arguments.size() > 1 || !LEVELS.contains(arguments.get(0))) {
            throw new UsageException("levels are " + String.join(", ", LEVELS));
        }
        control.setLogLevel(arguments.get(0));
        return Answer.done("log level " + arguments.get(0) + " until the end of this run");
    }
}
