package io.torussm.daemon.health;

import io.torussm.congestion.CongestionStatistics;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.control.CountedPort;
import io.torussm.daemon.control.FirmwareKind;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.control.SubnetStatus;
import io.torussm.daemon.control.UnhealthyPort;
import io.torussm.daemon.health.Check.Verdict;
import io.torussm.event.Finding;
import io.torussm.firmware.FirmwareCensus;
import io.torussm.perf.PortFault;
import io.torussm.tree.FabricTree;
import io.torussm.tree.TreeReport;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.RoutingState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The results of all health checks of a subnet.
 *
 * @param at time of the checks
 * @param verdict the worst verdict
 * @param checks results, the worst first
 */
public record HealthReport(Instant at, Verdict verdict, List<Check> checks) {
    /** Number of losses within {@link #FLAPPING_TIME} from which a cable is reported as flapping. */
    public static final int FLAPS = 3;

    public static final Duration FLAPPING_TIME = Duration.ofDays(1);

    public HealthReport {
        checks = List.copyOf(checks);
    }

    /** Checks a discovered subnet, with the data that this SM has. */
    public static HealthReport of(SmObserver observer, PlacedSubnet discovered, Instant at) {
        List<Check> checks = new ArrayList<>();
        FabricState state = observer.state();
        checks.add(routing(state));
        SubnetStatus.Found status = SubnetStatus.of(state, null).found();
        if (status != null) {
            checks.add(absent(status.absent()));
            checks.addAll(rings(status.rings()));
            checks.addAll(tree(discovered.tree(), status.tree()));
        }
        SmStatistics statistics = observer.statistics();
        if (statistics != null) {
            checks.add(leftOut(statistics));
            checks.add(linkErrors(statistics, observer));
            checks.add(counters(statistics, observer, discovered));
            checks.addAll(congestion(statistics.congestion()));
            checks.add(flapping(observer, at));
            checks.add(program(statistics));
            checks.addAll(firmware(statistics.firmware(), discovered));
        }
        checks.addAll(new ServiceChecks(observer).all());
        checks.addAll(new LinkChecks(discovered.fabric()).all());
        checks.addAll(new AddressChecks(discovered.subnet()).all());
        checks.add(inventory(observer, discovered));
        checks.add(conditions(observer));
        checks.sort(Comparator.comparing(Check::verdict));
        return new HealthReport(at, checks.get(0).verdict(), checks);
    }

    private static Check routing(FabricState state) {
        return Check.of(
                "routing", routingVerdict(state), SubnetStatus.Routing.of(state).text());
    }

    private static Verdict routingVerdict(FabricState state) {
        if (state.routing() == RoutingState.ROUTED) {
            return state.fallback().isEmpty() ? Verdict.GOOD : Verdict.WARNING;
        }
        return state.routing() == RoutingState.DEGRADED ? Verdict.WARNING : Verdict.BAD;
    }

    private static Check absent(SubnetStatus.Absent absent) {
        boolean isComplete = absent.cables() + absent.hosts() + absent.switches() == 0;
        return Check.of(
                "absent",
                isComplete ? Verdict.GOOD : Verdict.WARNING,
                isComplete
                        ? "no known device or cable is absent"
                        : "cables " + absent.cables() + ", hosts " + absent.hosts() + ", switches " + absent.switches()
                                + "; absent lists them");
    }

    private static List<Check> rings(SubnetStatus.@Nullable Rings rings) {
        if (rings == null) {
            return List.of();
        }
        Verdict verdict =
                rings.cut() > 0 ? Verdict.BAD : rings.open() + rings.thinned() > 0 ? Verdict.WARNING : Verdict.GOOD;
        return List.of(Check.of("rings", verdict, rings.text()));
    }

    /** Returns the check of a tree, a warning at most: hosts above the leaves, for example, may be intended. */
    private static List<Check> tree(@Nullable FabricTree tree, String summary) {
        if (tree == null || !tree.isTree() || tree.levels() < 2) {
            return List.of();
        }
        TreeReport report = new TreeReport(tree);
        List<String> problems = Stream.concat(report.findings().stream().map(Finding::text), report.missing().stream())
                .toList();
        return List.of(Check.of("tree", Verdict.WARNING, summary, problems));
    }

    private static Check leftOut(SmStatistics statistics) {
        List<String> problems = statistics.sweeps().leftOut().stream()
                .map(entry -> entry.name() + ": " + entry.reason())
                .toList();
        return Check.of("left out", Verdict.BAD, "all devices accept their settings", problems);
    }

    private static Check linkErrors(SmStatistics statistics, SmObserver observer) {
        List<String> problems = statistics.sweeps().unhealthyPorts().stream()
                .map(port -> UnhealthyPort.of(port, observer.view()).text())
                .toList();
        return Check.of("link errors", Verdict.WARNING, "no repeated link traps (129 to 131)", problems);
    }

    private static Check counters(SmStatistics statistics, SmObserver observer, PlacedSubnet discovered) {
        if (statistics.counters().turns() == 0) {
            return Check.of("counters", Verdict.UNKNOWN, "not read; set perfmgr = true to read them");
        }
        List<String> over = CountedPort.worst(discovered, observer.counters(), Integer.MAX_VALUE).stream()
                .filter(port -> !port.faults().isEmpty())
                .map(port -> port.text() + ": "
                        + port.faults().stream().map(PortFault::text).collect(Collectors.joining(", ")))
                .toList();
        return Check.of(
                "counters",
                Verdict.WARNING,
                "no port of " + statistics.counters().ports()
                        + " counts more errors, or waits longer for credits, than it should",
                over);
    }

    private static List<Check> congestion(CongestionStatistics congestion) {
        if (!congestion.isOn()) {
            return List.of();
        }
        String summary = congestion.set() + " of " + congestion.devices() + " devices have their settings, "
                + congestion.failed() + " failed; congestion lists marking switches and slowed hosts";
        return List.of(Check.of("congestion", congestion.failed() > 0 ? Verdict.WARNING : Verdict.GOOD, summary));
    }

    private static Check flapping(SmObserver observer, Instant at) {
        List<String> problems = observer.cableHistory().cables(at.minus(FLAPPING_TIME)).stream()
                .filter(cable -> cable.failures() >= FLAPS)
                .map(cable -> cable.near().text() + " - " + cable.far().text() + " went down " + cable.failures()
                        + " times, last change " + cable.last().at())
                .toList();
        return Check.of(
                "flapping", Verdict.WARNING, "no cable went down " + FLAPS + " times within the last day", problems);
    }

    /** Returns the check of firmware versions; empty unless versions are read. */
    private static List<Check> firmware(FirmwareCensus census, PlacedSubnet discovered) {
        if (!census.isRead()) {
            return List.of();
        } else if (census.devices().isEmpty()) {
            return List.of(Check.of("firmware", Verdict.UNKNOWN, "no device has reported its version"));
        }
        return List.of(Check.of(
                "firmware",
                Verdict.WARNING,
                "devices of one DeviceID and PSID have the same version; versions of "
                        + census.devices().size() + " devices are known",
                FirmwareKind.of(census, discovered.fabric()).stream()
                        .filter(FirmwareKind::isMixed)
                        .map(FirmwareKind::text)
                        .toList()));
    }

    private static Check program(SmStatistics statistics) {
        List<String> problems = Stream.of(
                        statistics.defects() == 0 ? "" : statistics.defects() + " defects of this program; see the log",
                        statistics.stateFailures() == 0
                                ? ""
                                : statistics.stateFailures()
                                        + " writes of state files failed; see the log and state_dir")
                .filter(text -> !text.isEmpty())
                .toList();
        return Check.of("this program", Verdict.WARNING, "no defects, and its state is on the disk", problems);
    }

    private static Check inventory(SmObserver observer, PlacedSubnet discovered) {
        if (observer.inventory().expected().isEmpty()) {
            return Check.of("inventory", Verdict.UNKNOWN, "nothing was accepted to compare with");
        }
        return Check.of(
                "inventory",
                Verdict.WARNING,
                "the fabric matches the accepted inventory",
                observer.inventory().differencesOf(discovered.fabric()).stream()
                        .map(each -> each.kind().label() + ": " + each.text())
                        .toList());
    }

    private static Check conditions(SmObserver observer) {
        List<Condition> all = Condition.all(observer);
        boolean isGrave = all.stream().anyMatch(condition -> condition.level().equals("error"));
        return Check.of(
                "conditions",
                isGrave ? Verdict.BAD : Verdict.WARNING,
                "none",
                all.stream().map(each -> each.code() + " " + each.text()).toList());
    }

    /** Returns the report as text: a line for each check, with its faults below it. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (Check check : checks) {
            lines.add(String.format(
                    "%-8s %-16s %s", check.verdict().name().toLowerCase(Locale.ROOT), check.name(), check.summary()));
            check.findings().forEach(found -> lines.add("           " + found));
            if (check.more() > 0) {
                lines.add("           and " + check.more() + " more");
            }
        }
        return lines;
    }
}
