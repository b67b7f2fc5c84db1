package io.torussm.daemon.console.sm;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.control.SubnetStatus;
import io.torussm.daemon.dump.Dumps;
import io.torussm.daemon.journal.SweepHistory;
import io.torussm.daemon.journal.SweepHistory.Routing;
import io.torussm.daemon.journal.SweepHistory.Sweep;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.DeadlockChecker.Proof;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The commands about sweeps and routes. */
public final class RoutingCommands {
    /** The option to wait for the result of a request. */
    static final String WAIT = "--wait";

    private static final String WAIT_HELP = WAIT
            + " waits until it has ended, shows how, and counts as refused if no subnet is up then; Ctrl-C leaves it.";

    private final SmControl control;
    private final AtomicBoolean isChecking = new AtomicBoolean();

    private record Engine(
            SubnetStatus.Routing routing,
            @Nullable String inForce,
            @Nullable Long sinceSweep,
            @Nullable Integer dataVlsNeeded,
            @Nullable Routing lastRouting,
            List<String> remarks,
            @Nullable SlVerdicts sls)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("routing: " + routing.text());
            lines.add(inForce == null ? "no routes are active" : inForce + " is active since sweep " + sinceSweep);
            if (dataVlsNeeded != null) {
                lines.add("data VLs it needs between switches: " + dataVlsNeeded);
            }
            if (sls != null) {
                lines.addAll(sls.lines());
            }
            if (lastRouting == null) {
                return lines;
            }
            lines.add("asked last at " + lastRouting.time() + ": "
                    + (lastRouting.engine().isEmpty()
                            ? "refused, the switches keep their tables"
                            : lastRouting.engine()));
            lastRouting.verdict().forEach(line -> lines.add("verdict: " + line));
            SweepHistory.Proof proof = lastRouting.certificate();
            if (proof != null) {
                lines.add("certificate: " + proof.channels() + " channels, " + proof.dependencies() + " dependencies, "
                        + proof.destinations() + " destination LIDs, multicast "
                        + (proof.isMulticastIncluded() ? "included" : "not included")
                        + (proof.coversSwitchPorts() ? "" : "; hosts and groups: free, with switch ports 0: not"));
                remarks.forEach(remark -> lines.add("certificate: " + remark));
            }
            lastRouting.refusals().forEach(refused -> {
                lines.add(refused.engine() + " refused:");
                refused.reasons().forEach(reason -> lines.add("  " + reason));
            });
            if (lastRouting.refusals().isEmpty()) {
                lastRouting.findings().stream()
                        .filter(finding -> lastRouting.verdict().stream().noneMatch(finding::endsWith))
                        .forEach(lines::add);
            }
            return lines;
        }
    }

    /** The result of a sweep for which the client waited. */
    private record Swept(Sweep sweep) implements Facts {
        private static final Set<String> GOOD = Set.of(SweepHistory.UP, SweepHistory.QUIET);

        @Override
        public List<String> lines() {
            return RoutingCommands.lines(sweep).toList();
        }
    }

    private record Checked(
            String engine,
            boolean isFree,
            List<String> verdict,
            SweepHistory.@Nullable Proof certificate,
            List<String> remarks,
            SubnetStatus.Routing routing,
            int lostCables)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            if (routing.state() != RoutingState.ROUTED) {
                lines.add("routing is " + routing.text());
            }
            if (lostCables > 0) {
                lines.add("these routes cross " + lostCables + (lostCables == 1 ? " cable" : " cables")
                        + " that are not there any more; nothing comes through");
            }
            lines.add("active routes of " + engine + ": " + (isFree ? "proved again" : "NOT PROVED"));
            lines.addAll(verdict);
            remarks.forEach(remark -> lines.add("the proof " + remark));
            return lines;
        }
    }

    public static Stream<String> lines(Sweep sweep) {
        return Stream.of(
                        Stream.of(sweep.ended() + "  " + sweep.outcome() + ": " + sweep.summary()),
                        sweep.changes().stream().map(change -> "  " + change),
                        Stream.of("  SL changes: " + sweep.slChanges()).filter(line -> sweep.slChanges() > 0))
                .flatMap(each -> each);
    }

    public RoutingCommands(SmControl control) {
        this.control = control;
    }

    public List<Command> commands() {
        return List.of(
                Command.change(
                        "sweep [heavy|light|on|off] [--wait]",
                        "sweep the whole fabric, or poll for changes only; heavy by default",
                        this::sweep,
                        WAIT_HELP,
                        "off holds back all sweeps, also those that changes of the fabric call for, until sweep on",
                        "or until another SM rules."),
                Command.change(
                        "reroute [--wait]",
                        "read configuration files again and compute routes",
                        this::reroute,
                        WAIT_HELP),
                Command.query(
                        "routing [preview]",
                        "engine, verdict and certificate of the routes, or why there are none",
                        this::routing,
                        "preview routes the subnet with the files of the engines as they are now, on paper: whether that",
                        "is proved, and which SLs and forwarding entries would change."),
                Command.change(
                        "sl-map FILE [LEVEL]",
                        "write the SLs of all pairs of hosts to a file, for programs that do not ask the SA",
                        this::slMap,
                        "FILE is a name in dump_files_dir, of a new file or of an older SL map. LEVEL is the SL wanted, 0 to 15;",
                        "0 if it is not given. The format is in host-sls.md."),
                new CertificateCommand(control, this::runAlone).command(),
                Command.query(
                        "check",
                        "prove again that the active routes are free of credit loops",
                        Command.withoutArguments(() -> {
                            FabricState state = control.state();
                            return Answer.ofActiveSubnet(state, view -> runAlone(() -> check(view, state)));
                        })));
    }

    private Answer sweep(List<String> words) {
        List<String> arguments =
                words.stream().filter(word -> !word.equals(WAIT)).toList();
        boolean isAwaited = arguments.size() < words.size();
        String kind = arguments.isEmpty() ? "heavy" : arguments.get(0);
        if (arguments.size() > 1 || !List.of("heavy", "light", "on", "off").contains(kind)) {
            throw new UsageException();
        }
        if (kind.equals("on") || kind.equals("off")) {
            if (isAwaited) {
                throw new UsageException("there is nothing to wait for");
            }
            control.suspendSweeps(kind.equals("off"));
            return Answer.done(kind.equals("on") ? "sweeping again" : "no sweeps from now on, until sweep on");
        }
        SmStatistics current = control.statistics();
        if (current != null && current.sweeps().isSuspended()) {
            return Answer.refusal("sweeping is off; sweep on");
        }
        return isAwaited
                ? awaitSweep(ended -> control.requestSweep(kind.equals("heavy"), ended))
                : request(kind + " sweep requested", () -> control.requestSweep(kind.equals("heavy")));
    }

    private Answer reroute(List<String> arguments) {
        if (arguments.equals(List.of(WAIT))) {
            return awaitSweep(control::requestReroute);
        }
        return Command.withoutArguments(() -> request("reroute requested", control::requestReroute))
                .run(arguments);
    }

    private static Answer request(String purpose, Runnable request) {
        request.run();
        return Answer.done(purpose);
    }

    private Answer awaitSweep(Consumer<Consumer<Sweep>> request) {
        if (control.statistics() == null) {
            return Answer.refusal("the SM has not begun yet");
        }
        CompletableFuture<Answer> later = new CompletableFuture<>();
        request.accept(sweep -> later.complete(new Answer(new Swept(sweep), Swept.GOOD.contains(sweep.outcome()))));
        return Answer.deferred(later);
    }

    private Answer routing(List<String> arguments) {
        if (arguments.equals(List.of("preview"))) {
            return Answer.from(control.view(), this::preview);
        }
        return Command.withoutArguments(this::routing).run(arguments);
    }

    private Answer preview(PublishedView view) {
        return runAlone(() -> RoutingPreview.of(view, control.routingPreview(), control.routingOptions()));
    }

    private Answer routing() {
        FabricState state = control.state();
        PublishedView view = state.view();
        return Answer.of(new Engine(
                SubnetStatus.Routing.of(state),
                view == null ? null : view.plan().engine(),
                view == null ? null : view.sweep(),
                view == null ? null : view.plan().dataVlsNeeded(),
                control.history().routing(),
                control.certificateRemarks(),
                control.slVerdicts(0)));
    }

    private Answer slMap(List<String> arguments) {
        if (arguments.isEmpty() || arguments.size() > 2) {
            throw new UsageException();
        }
        if (arguments.size() == 2 && !arguments.get(1).matches("[0-9]|1[0-5]")) {
            throw new UsageException("LEVEL is a number from 0 to 15");
        }
        Path dir = control.dumpDir();
        String name = RecordCommands.fileName(arguments.get(0));
        int level = arguments.size() == 1 ? 0 : Integer.parseInt(arguments.get(1));
        return dir == null
                ? Answer.refusal(RecordCommands.NO_DIR)
                : Answer.from(control.view(), view -> runAlone(() -> slMap(view, level, dir.resolve(name))));
    }

    private static Answer slMap(PublishedView view, int level, Path file) {
        try {
            Dumps.writeSlMap(view.plan(), level, view.sweep(), file);
            return Answer.done("the SLs of all pairs of hosts, as of sweep " + view.sweep() + ", are in " + file);
        } catch (IOException e) {
            return Answer.refusal("cannot write " + file + " (" + e + ")");
        }
    }

    /** Runs one evaluation at a time, because an evaluation of a large fabric uses all processors for some time. */
    private Answer runAlone(Supplier<Answer> work) {
        if (isChecking.getAndSet(true)) {
            return Answer.refusal("a check is under way already");
        }
        try {
            return work.get();
        } finally {
            isChecking.set(false);
        }
    }

    private Answer check(PublishedView view, FabricState state) {
        Proof proof = new DeadlockChecker(Runtime.getRuntime().availableProcessors())
                .prove(view.plan(), control.routingOptions(), TreeGrowth::candidates);
        boolean isMulticastIncluded = Objects.equals(proof.multicast(), view.multicast());
        List<String> verdict = new ArrayList<>(proof.verdict().text().lines().toList());
        if (view.multicast() != null && !isMulticastIncluded) {
            verdict.add("the active multicast tree is not the one that was proved with these routes; reroute");
        }
        boolean isFree = proof.verdict() instanceof Certificate && (view.multicast() == null || isMulticastIncluded);
        int lost = state.absentLinks();
        return new Answer(
                new Checked(
                        view.plan().engine(),
                        isFree,
                        verdict,
                        proof.verdict() instanceof Certificate certificate
                                ? SweepHistory.Proof.of(certificate, proof.multicast() != null)
                                : null,
                        control.certificateRemarks(),
                        SubnetStatus.Routing.of(state),
                        lost),
                isFree && lost == 0);
    }
}
