package io.torussm.daemon.health;

import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.health.Check.Verdict;
import io.torussm.daemon.replica.Replication;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.Mastership;
import io.torussm.mastership.RemoteSm;
import io.torussm.mastership.SmState;
import io.torussm.partition.PartitionPlan;
import io.torussm.subnet.Drains.Drain;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The checks of mastership, of the service for hosts, and of excluded devices. */
final class ServiceChecks {
    private static final int DEFAULT_SL = 0;

    private final SmObserver observer;

    ServiceChecks(SmObserver observer) {
        this.observer = observer;
    }

    List<Check> all() {
        List<Check> checks = new ArrayList<>();
        PublishedView view = observer.view();
        SmStatistics current = observer.statistics();
        checks.add(drained(observer.drains()));
        checks.add(drift(observer.drift()));
        if (view != null) {
            checks.add(sls(observer.slVerdicts(0)));
            checks.add(partitions(view));
        }
        if (current != null) {
            checks.add(subnetManagers(current.mastership(), view));
            Replication.Progress copies = current.replication();
            if (copies != null) {
                checks.add(replication(copies, standbys(current.mastership())));
            }
        }
        return checks;
    }

    private static Check drained(List<Drain> drains) {
        return Check.of(
                "drained",
                Verdict.WARNING,
                "no device or cable is drained or isolated",
                drains.stream()
                        .map(drain -> drain.name() + (drain.isIsolation() ? " is isolated" : " is drained") + " since "
                                + drain.since())
                        .toList());
    }

    private static Check drift(DriftReport report) {
        if (report.lastPassEnd() == null && report.openDrifts().isEmpty()) {
            return Check.of("drift", Verdict.UNKNOWN, "tables were not read back yet; drift all reads them");
        }
        return Check.of(
                "drift",
                Verdict.WARNING,
                "devices have the tables that were written, read until " + report.lastPassEnd(),
                report.openDrifts().stream()
                        .map(each -> each.name() + ": " + each.text())
                        .toList());
    }

    /**
     * Returns the check of SL 0. By default UCX and NCCL use SL 0 for all packets, beside hosts that follow path
     * records.
     */
    private static Check sls(@Nullable SlVerdicts verdicts) {
        if (verdicts == null) {
            return Check.of("SLs", Verdict.UNKNOWN, "not verified yet; ask again");
        } else if (!verdicts.pathRecords()) {
            return Check.of("SLs", Verdict.BAD, "hosts that follow path records can close a credit loop");
        } else if (verdicts.anySl()) {
            return Check.of("SLs", Verdict.GOOD, "free of credit loops with any SL that hosts use");
        }
        List<Integer> safe = verdicts.safeBesidePathRecords();
        String safeSls = safe.isEmpty() ? "none" : SlVerdicts.ranges(safe);
        return safe.contains(DEFAULT_SL)
                ? Check.of(
                        "SLs",
                        Verdict.GOOD,
                        "free of credit loops for hosts that follow path records, and beside them with SLs " + safeSls)
                : Check.of(
                        "SLs",
                        Verdict.UNKNOWN,
                        "jobs with SL 0 for all packets (UCX and NCCL as installed) can close a credit loop; safe SLs: "
                                + safeSls + "; see host-sls.md");
    }

    private static Check partitions(PublishedView view) {
        PartitionPlan plan = view.partitions();
        Fabric fabric = view.subnet().fabric();
        List<String> found =
                new ArrayList<>(plan.findings().stream().map(Finding::text).toList());
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean isHost = fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port));
            if (isHost && view.subnet().lid(port) != 0 && plan.keys(port).length() == 0) {
                found.add(fabric.portName(port) + " is in no partition");
            }
        }
        return Check.of("partitions", Verdict.WARNING, "each port has its P_Keys", found);
    }

    private static long standbys(Mastership mastership) {
        return mastership.others().stream()
                .filter(other -> other.state() == SmState.STANDBY)
                .count();
    }

    private static Check subnetManagers(Mastership mastership, @Nullable PublishedView view) {
        long standbys = standbys(mastership);
        List<String> together = view == null || standbys == 0
                ? List.of()
                : together(mastership, view.subnet().fabric());
        return new Check(
                "subnet managers",
                standbys > 0 && together.isEmpty() ? Verdict.GOOD : Verdict.WARNING,
                mastership.shownState() + ", "
                        + (standbys > 0 ? standbys + " stand by" : "no standby SM is ready to take over"),
                together,
                0);
    }

    /** Warns if all SMs are attached to one switch: the subnet has no SM if that switch fails. */
    private static List<String> together(Mastership mastership, Fabric fabric) {
        Map<Long, Integer> ports = new HashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                ports.put(fabric.portGuid(port), port);
            }
        }
        int localSwitch = fabric.localSwitch();
        boolean areTogether = mastership.others().stream()
                .filter(other -> other.state() == SmState.STANDBY)
                .map(RemoteSm::guid)
                .allMatch(guid -> ports.containsKey(guid) && fabric.switchOf(ports.get(guid)) == localSwitch);
        return areTogether ? List.of("all of them are attached to " + fabric.name(localSwitch)) : List.of();
    }

    private static Check replication(Replication.Progress copies, long standbys) {
        int peers = copies.peers().size();
        return Check.of(
                "replication",
                peers < standbys || peers == 0 ? Verdict.WARNING : Verdict.GOOD,
                "state is copied to " + peers + (peers == 1 ? " peer" : " peers") + "; " + standbys + " stand by");
    }
}
