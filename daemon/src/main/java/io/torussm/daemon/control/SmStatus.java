package io.torussm.daemon.control;

import io.torussm.daemon.journal.SweepHistory.Sweep;
import io.torussm.daemon.replica.Replication;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.mad.Guid;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmHost;
import io.torussm.mastership.SmState;
import io.torussm.quarantine.Quarantine;
import io.torussm.report.ReportStats;
import io.torussm.sa.AttributeStatistics;
import io.torussm.sa.SubnetAdministrator;
import io.torussm.sweep.idle.ReadyReport;
import io.torussm.transport.LocalPort;
import io.torussm.transport.MadClient;
import io.torussm.trap.TrapCounts;
import io.torussm.trap.TrapCounts.Disposition;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * {@code status} for operators, derived from {@link SmStatistics} and the state of the fabric. The components
 * are the JSON document, and the lines for display are derived from them only.
 *
 * @param routing quality of the active routes
 * @param subnet the active subnet; null while none is published
 * @param found the discovered fabric and its absent parts; null before the first discovery
 * @param sls verdicts for hosts that choose other SLs than the routes expect; null while unknown
 * @param sweeps the last sweeps and the counters of routing
 * @param sm this SM among the subnet managers
 * @param port the port of the SM
 * @param version version of the program
 * @param started start time of the SM
 * @param smps counters of SMPs
 * @param sa counters of requests to the SA
 * @param reports counters of Reports to subscribers
 * @param traps received traps by number
 * @param unhealthyPorts ports that report link errors repeatedly
 * @param leftOut switches and links outside the subnet because they cannot be programmed
 * @param replication progress of replication; null if it is off
 * @param stateFailures failed writes of state files
 * @param defects unexpected exceptions
 */
public record SmStatus(
        SubnetStatus.Routing routing,
        SubnetStatus.@Nullable Ruling subnet,
        SubnetStatus.@Nullable Found found,
        @Nullable SlVerdicts sls,
        Sweeps sweeps,
        Sm sm,
        Port port,
        String version,
        Instant started,
        MadClient.Stats smps,
        Sa sa,
        ReportStats reports,
        Traps traps,
        List<UnhealthyPort> unhealthyPorts,
        List<LeftOut> leftOut,
        Replication.@Nullable Progress replication,
        long stateFailures,
        long defects) {
    private static final long MIB = 1 << 20;

    /** Maximum number of parts that one line names. */
    private static final int MAX_NAMED = 5;

    /**
     * This SM among subnet managers.
     *
     * @param state SMInfo.SMState
     * @param priority priority, 0 to 15
     * @param master another SM that is master; null if this SM is master, or no master is known
     * @param awaited the SM whose handover this SM waits for; null if it waits for none
     * @param subnetManagers number of known subnet managers, including this one
     */
    public record Sm(
            String state,
            int priority,
            @Nullable Other master,
            @Nullable Other awaited,
            int subnetManagers) {

        private static Sm of(Mastership current, int subnetManagers) {
            RemoteSm master = current.master();
            RemoteSm watched = current.watch().sm();
            return new Sm(
                    current.shownState().toString(),
                    current.priority(),
                    Other.of(master),
                    master == null ? Other.of(watched) : null,
                    subnetManagers);
        }

        private String text() {
            return state + ", priority " + priority
                    + (awaited == null ? "" : ", waits for the handover of " + awaited.text());
        }

        /** Returns one line if this SM is master, else a second line with the master. */
        private List<String> lines() {
            String count = subnetManagers > 1 ? "; subnet managers: " + subnetManagers : "";
            boolean isMaster = master == null && state.equals(SmState.MASTER.toString());
            String own = "SM: " + text() + count;
            return isMaster ? List.of(own) : List.of(own, "master: " + masterText());
        }

        /** Returns the text of a standby with its master; empty if this SM is not standby, or the master is unknown. */
        private String standbyText() {
            return master == null || !state.equals(SmState.STANDBY.toString())
                    ? ""
                    : "standby; " + master.shortText() + " is master";
        }

        private String masterText() {
            return master != null ? master.text() : "not known";
        }
    }

    /**
     * Another SM.
     *
     * @param portGuid GUID of its port, as text
     * @param description NodeDescription of its host; empty if unknown
     * @param lid LID of its port; 0 if unknown
     * @param priority priority, 0 to 15
     * @param state SMInfo.SMState
     */
    public record Other(String portGuid, String description, int lid, int priority, String state) {
        private static @Nullable Other of(@Nullable RemoteSm sm) {
            return sm == null
                    ? null
                    : new Other(
                            Guid.format(sm.guid()),
                            sm.host().description(),
                            sm.host().lid(),
                            sm.priority(),
                            sm.state().toString());
        }

        private String shortText() {
            String name = description.isEmpty() ? "port GUID " + portGuid : "\"" + description + "\"";
            return name + " (" + (lid == 0 ? "" : "LID " + lid + ", ") + "priority " + priority + ")";
        }

        private String text() {
            return "port GUID " + portGuid + new SmHost(description, lid) + ", priority " + priority + ", " + state;
        }
    }

    /** The port of the SM. */
    public record Port(String caName, int portNum, String portGuid) {
        private static Port of(LocalPort port) {
            return new Port(port.caName(), port.portNum(), Guid.format(port.portGuid()));
        }
    }

    /**
     * Sweeps.
     *
     * @param isSuspended true if an operator has suspended sweeps
     * @param last the last completed sweep; null before the first
     * @param lastChange the last sweep that found a change; null if no sweep did
     * @param routings number of route computations
     * @param slChanges paths whose SL changed
     * @param mKeyComplaints number of traps 256, of ports that received a wrong M_Key
     * @param readyPlans precomputed plans for single failures
     */
    public record Sweeps(
            boolean isSuspended,
            @Nullable Sweep last,
            @Nullable Sweep lastChange,
            long routings,
            long slChanges,
            long mKeyComplaints,
            ReadyReport readyPlans) {
        private String lastText() {
            return (last == null ? "none yet" : last.outcome() + " at " + last.ended() + ", " + last.summary())
                    + (isSuspended ? "; sweeping is off, until the command sweep on" : "");
        }

        private String routingText() {
            return "routing runs: " + routings + countText("SL changes:", slChanges)
                    + (readyPlans.plans() > 0 ? "; plans ready: " + readyText() : "");
        }

        private String lastChangeText() {
            return lastChange == null
                    ? "none since the start"
                    : lastChange.ended() + ", " + lastChange.changes().get(0)
                            + moreChanges(lastChange.changes().size() - 1);
        }

        private String readyText() {
            return String.format(
                    Locale.ROOT,
                    "for %d of %d single failures, %.1f of %d MiB, taken %d",
                    readyPlans.plans(),
                    readyPlans.failures(),
                    (double) readyPlans.bytes() / MIB,
                    readyPlans.limit() / MIB,
                    readyPlans.taken());
        }

        private static String moreChanges(int count) {
            return count == 0 ? "" : "; " + count + " more, see changes";
        }
    }

    /**
     * A switch, or a link between switches, that cannot be programmed.
     *
     * @param name name of the switch, or of a port of the link
     * @param reason reason why it cannot be programmed
     * @param isTolerated true if it stays in the subnet because the SM is reached through it
     */
    public record LeftOut(String name, String reason, boolean isTolerated) {
        private static LeftOut of(Quarantine.Entry entry) {
            return new LeftOut(entry.name(), entry.reason(), entry.isTolerated());
        }

        private static String line(List<LeftOut> all) {
            String named = all.stream().limit(MAX_NAMED).map(LeftOut::text).collect(Collectors.joining("; "));
            return named + (all.size() > MAX_NAMED ? "; and " + (all.size() - MAX_NAMED) + " more" : "");
        }

        private String text() {
            return name + " (" + reason + (isTolerated ? "; tolerated, since the SM is reached through it" : "") + ")";
        }
    }

    /** The counters of requests to the SA: the totals, and the numbers by attribute. */
    public record Sa(SubnetAdministrator.Stats stats, List<AttributeStatistics> attributes) {}

    /**
     * The received traps.
     *
     * @param received counters by trap number; numbers without traps are left out
     * @param malformed number of malformed traps
     */
    public record Traps(List<Trap> received, long malformed) {
        private static Traps of(TrapCounts counts) {
            Map<String, List<TrapCounts.Count>> byTrap = counts.counts().stream()
                    .collect(Collectors.groupingBy(TrapCounts.Count::trap, LinkedHashMap::new, Collectors.toList()));
            return new Traps(
                    byTrap.entrySet().stream()
                            .map(entry -> Trap.of(entry.getKey(), entry.getValue()))
                            .filter(trap -> trap.all() > 0)
                            .toList(),
                    counts.malformed());
        }

        private String text() {
            return received.stream().map(trap -> trap.text() + ", ").collect(Collectors.joining()) + "malformed "
                    + malformed;
        }
    }

    /**
     * Traps of one number.
     *
     * @param trap trap number, {@code other} or {@code vendor}
     */
    public record Trap(String trap, long actedOn, long damped, long ignored) {
        private static Trap of(String trap, List<TrapCounts.Count> counts) {
            Map<Disposition, Long> by =
                    counts.stream().collect(Collectors.toMap(TrapCounts.Count::disposition, TrapCounts.Count::count));
            return new Trap(
                    trap,
                    by.getOrDefault(Disposition.ACTED_ON, 0L),
                    by.getOrDefault(Disposition.DAMPED, 0L),
                    by.getOrDefault(Disposition.IGNORED, 0L));
        }

        private long all() {
            return actedOn + damped + ignored;
        }

        private String text() {
            return trap + ": " + all()
                    + (damped + ignored == 0 ? "" : " (" + damped + " damped, " + ignored + " ignored)");
        }
    }

    /** Returns the status of an SM; null before the SM has begun. */
    public static @Nullable SmStatus of(SmObserver observer) {
        SmStatistics current = observer.statistics();
        return current == null ? null : of(current, observer.state(), observer.slVerdicts(0), observer.version());
    }

    private static SmStatus of(SmStatistics current, FabricState state, @Nullable SlVerdicts sls, String version) {
        SmStatistics.Sweeps sweeps = current.sweeps();
        SubnetStatus subnet = SubnetStatus.of(state, sweeps.upSince());
        return new SmStatus(
                subnet.routing(),
                subnet.ruling(),
                subnet.found(),
                sls,
                new Sweeps(
                        sweeps.isSuspended(),
                        sweeps.last(),
                        sweeps.lastChange(),
                        sweeps.routings(),
                        sweeps.slChanges(),
                        sweeps.mKeyComplaints(),
                        sweeps.readyPlans()),
                Sm.of(current.mastership(), current.subnetManagers()),
                Port.of(current.port()),
                version,
                current.started(),
                current.smps().stats(),
                new Sa(current.sa().stats(), current.sa().traffic()),
                current.reports(),
                Traps.of(sweeps.traps()),
                sweeps.unhealthyPorts().stream()
                        .map(port -> UnhealthyPort.of(port, state.view()))
                        .toList(),
                sweeps.leftOut().stream().map(LeftOut::of).toList(),
                current.replication(),
                current.stateFailures(),
                current.defects());
    }

    /** Returns the state of the SM and of the subnet in one line. */
    public static String headline(SmObserver observer) {
        ShadowReport shadow = observer.shadow();
        if (shadow != null) {
            return shadow.headline();
        }
        SmStatistics current = observer.statistics();
        PublishedView view = observer.view();
        SubnetStatus.Routing routing = SubnetStatus.Routing.of(observer.state());
        if (current == null) {
            return "starting";
        }
        Sm sm = Sm.of(current.mastership(), current.subnetManagers());
        return !sm.standbyText().isEmpty()
                ? sm.standbyText()
                : sm.text()
                        + (view == null ? ", no subnet published" : ", subnet up since sweep " + view.sweep())
                        + (routing.reason().isEmpty() ? "" : ", routing " + routing.text());
    }

    /**
     * Returns the lines {@code name: value}, the most important first, then counters. There are at most 24 lines, so
     * that they fit on a terminal. Counters of 0 and empty lists are left out.
     */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(new SubnetStatus(routing, subnet, found).lines());
        if (!sm.standbyText().isEmpty()) {
            lines.set(0, "state: " + sm.standbyText());
        }
        if (!leftOut.isEmpty()) {
            lines.add("left out: " + LeftOut.line(leftOut));
        }
        if (!unhealthyPorts.isEmpty()) {
            lines.add("unhealthy ports: " + UnhealthyPort.line(unhealthyPorts));
        }
        lines.add("last sweep: " + sweeps.lastText());
        lines.add("last change: " + sweeps.lastChangeText());
        lines.addAll(sm.lines());
        lines.add("port: " + port.caName() + " " + port.portNum() + " GUID " + port.portGuid());
        if (replication != null) {
            lines.add(replicationLine(replication));
        }
        lines.add("running since: " + started + ", " + version);
        if (sls != null) {
            lines.addAll(sls.lines());
        } else if (subnet != null) {
            lines.add("hosts that ignore path records: still being checked");
        }
        lines.addAll(counterLines());
        return lines;
    }

    private List<String> counterLines() {
        List<String> lines = new ArrayList<>();
        if (sweeps.routings() > 0) {
            lines.add(sweeps.routingText());
        }
        lines.add("SMPs: sent " + smps.smps() + ", answered " + smps.replies() + countText("retried", smps.retries())
                + countText("timed out", smps.timeouts()) + countText("late", smps.late())
                + countText("malformed", smps.malformed())
                + countText("overflow", smps.overflow()) + countText("refused", smps.refused()) + ", window "
                + smps.window());
        SubnetAdministrator.Stats all = sa.stats();
        if (all.requests() > 0) {
            lines.add("SA: requests " + all.requests() + ", answers " + all.answers() + countText("busy", all.busy())
                    + countText("dropped", all.dropped()) + countText("waiting", all.waiting())
                    + countText("at most", all.mostWaiting()) + "; by attribute: sa");
        }
        if (reports.sent() > 0) {
            lines.add("Reports: " + reports.line());
        }
        if (!traps.received().isEmpty() || traps.malformed() > 0) {
            lines.add("traps: " + traps.text());
        }
        String failures = countText("wrong M_Keys (trap 256)", sweeps.mKeyComplaints())
                + countText("state files not written", stateFailures)
                + countText("defects", defects);
        if (!failures.isEmpty()) {
            lines.add("failures: " + failures.substring(", ".length()));
        }
        return lines;
    }

    private static String countText(String name, long count) {
        return count == 0 ? "" : ", " + name + " " + count;
    }

    private static String replicationLine(Replication.Progress progress) {
        List<String> peers = progress.peers();
        return "replication: "
                + (peers.isEmpty() ? "on, no peer is there" : "connected to " + String.join(", ", peers))
                + (progress.waitNs() == 0
                        ? ""
                        : "; this SM writes nothing before it has heard them, for "
                                + TimeUnit.NANOSECONDS.toSeconds(progress.waitNs()) + " s at most")
                + "; last state sent: " + text(progress.sent())
                + "; last state taken: " + text(progress.taken());
    }

    private static String text(Replication.@Nullable Transfer last) {
        return last == null ? "none" : last.what() + ", " + TimeUnit.NANOSECONDS.toSeconds(last.ageNs()) + " s ago";
    }
}
