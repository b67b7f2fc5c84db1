package io.torussm.view;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.tree.FabricTree;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of the subnet: the active routes, the last discovery, and the outcome of the last routing. The
 * sweeper creates this immutable value at the end of each sweep, so all its parts belong together.
 *
 * <p>After a successful sweep the view and the found subnet are the same. While routing is refused or sweeps
 * fail, the view is older.
 *
 * @param view view with the active routes; null until the first subnet is up, and while another SM is master
 * @param routesActiveSince time since which the routes of the view are active; null without a view
 * @param found subnet of the last discovery; null before the first discovery
 * @param foundAt time of the last discovery; null before the first discovery
 * @param routing state of the active routes
 * @param since time at which this routing state began
 * @param findings findings of the last routing: warnings, and the reasons of a refusal
 * @param problem reason why the last sweep did not finish; empty if it finished
 * @param absences lost cables
 */
public record FabricState(
        @Nullable PublishedView view,
        @Nullable Instant routesActiveSince,
        @Nullable PlacedSubnet found,
        @Nullable Instant foundAt,
        RoutingState routing,
        Instant since,
        List<TimedFinding> findings,
        String problem,
        Absences absences) {
    /** The state before the first discovery. */
    public static final FabricState NOTHING =
            new FabricState(null, null, null, null, RoutingState.NONE, Instant.EPOCH, List.of(), "", Absences.NONE);

    public FabricState {
        findings = List.copyOf(findings);
    }

    /**
     * A finding.
     *
     * @param since time since which each routing has reported it
     */
    public record TimedFinding(Finding finding, Instant since) {}

    /**
     * Returns the current findings with times. A finding that was already reported keeps its time.
     *
     * @param at time of new findings
     */
    public static List<TimedFinding> withTimes(List<Finding> current, List<TimedFinding> previous, Instant at) {
        Map<String, Instant> sinceByLine = previous.stream()
                .collect(Collectors.toMap(noted -> noted.finding().line(), TimedFinding::since, (a, b) -> a));
        return current.stream()
                .map(finding -> new TimedFinding(finding, sinceByLine.getOrDefault(finding.line(), at)))
                .toList();
    }

    /** Returns the state of a subnet whose routes match its fabric, for planned fabrics and tests. */
    public static FabricState of(PublishedView view, Instant since) {
        return new FabricState(
                view,
                since,
                view.placed().with(FabricTree.of(view.subnet().fabric())),
                since,
                routing(view, false),
                since,
                withTimes(view.plan().findings(), List.of(), since),
                "",
                Absences.NONE);
    }

    /**
     * Returns a copy with a view that has newer responses of devices; indexes and cables are unchanged. With null,
     * returns the state without a view.
     */
    @SuppressWarnings("ReferenceEquality") // A new view is another object even if its contents are equal.
    public FabricState on(@Nullable PublishedView newer) {
        PlacedSubnet foundSubnet = found;
        boolean isAsFound = view != null
                && foundSubnet != null
                && foundSubnet.fabric() == view.subnet().fabric();
        return newer == view
                ? this
                : new FabricState(
                        newer,
                        newer == null ? null : routesActiveSince,
                        newer != null && isAsFound && foundSubnet != null
                                ? newer.placed().with(foundSubnet.tree())
                                : found,
                        foundAt,
                        newer == null ? RoutingState.NONE : routing,
                        since,
                        findings,
                        problem,
                        absences);
    }

    /**
     * Returns a copy with a finding of drift: tables or settings of devices differ from the written ones.
     *
     * @param drift finding, and the time since which the drift exists
     */
    public FabricState withDrift(TimedFinding drift) {
        return new FabricState(
                view,
                routesActiveSince,
                found,
                foundAt,
                routing == RoutingState.ROUTED ? RoutingState.DRIFTED : routing,
                routing == RoutingState.ROUTED ? drift.since() : since,
                Stream.concat(findings.stream(), Stream.of(drift)).toList(),
                problem,
                absences);
    }

    /**
     * Returns the routing state of a view. Adopted routes stay adopted until an engine replaces them.
     *
     * @param isRefused true if no engine routes the fabric
     */
    public static RoutingState routing(@Nullable PublishedView view, boolean isRefused) {
        if (view != null && view.plan().asRouted().isAdopted()) {
            return RoutingState.ADOPTED;
        } else if (isRefused) {
            return RoutingState.REFUSED;
        } else if (view == null) {
            return RoutingState.NONE;
        }
        return view.plan().degradation().isPresent() ? RoutingState.DEGRADED : RoutingState.ROUTED;
    }

    /** Returns the subnet for readers: the found subnet, otherwise that of the view; null without both. */
    public @Nullable PlacedSubnet visibleSubnet() {
        return found != null || view == null ? found : view.placed();
    }

    /** Returns the subnet of a view, with the tree of the last discovery. */
    public PlacedSubnet placed(PublishedView of) {
        return of.placed().with(found == null ? null : found.treeOrNew());
    }

    /**
     * Returns the finding that a later engine of the chain routes instead of the first engine; empty without such a
     * finding.
     */
    public Optional<TimedFinding> fallback() {
        return view == null || (routing != RoutingState.ROUTED && routing != RoutingState.DEGRADED)
                ? Optional.empty()
                : findings.stream()
                        .filter(noted -> noted.finding().event() == SmEvent.FALLBACK_ENGINE)
                        .findFirst();
    }

    /** Returns the problem of routing in one line; empty without a problem. */
    public String reason() {
        if (routing == RoutingState.ROUTED) {
            return fallback().map(noted -> noted.finding().text()).orElse("");
        }
        if (routing == RoutingState.REFUSED || routing == RoutingState.ADOPTED) {
            return findings.stream()
                    .map(TimedFinding::finding)
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .map(Finding::text)
                    .collect(Collectors.joining("; "));
        }
        if (routing == RoutingState.DRIFTED) {
            return findings.stream()
                    .map(TimedFinding::finding)
                    .filter(finding -> finding.event() == SmEvent.DRIFT_FOUND)
                    .map(Finding::text)
                    .collect(Collectors.joining("; "));
        }
        return view == null || routing != RoutingState.DEGRADED
                ? ""
                : fallback().map(noted -> noted.finding().text() + "; ").orElse("")
                        + view.plan()
                                .degradation()
                                .map(degraded -> degraded.summary() + "; " + degraded.reason())
                                .orElse("");
    }

    /** Checks whether the found subnet and the view have different nodes or cables. */
    public boolean isOutdated() {
        return view != null && found != null && !isSameCabling(view.subnet().fabric(), found.fabric());
    }

    /** Checks whether two fabrics have the same nodes and cables, with the same indexes. */
    public static boolean isSameCabling(Fabric one, Fabric other) {
        if (one == other) {
            return true;
        }
        boolean isSame = one.nodeCount() == other.nodeCount() && one.portCount() == other.portCount();
        for (int node = 0; isSame && node < one.nodeCount(); node++) {
            isSame = one.nodeGuid(node) == other.nodeGuid(node);
        }
        for (int port = 0; isSame && port < one.portCount(); port++) {
            isSame = one.peer(port) == other.peer(port);
        }
        return isSame;
    }

    /**
     * Checks whether the cable that the active routes use at a port is absent. Routes use the cables of the fabric
     * for which they were computed, which may be older than the view.
     *
     * @param port index of a port in the fabric of the view; a view must exist
     */
    public boolean isCableAbsent(int port) {
        if (view == null || found == null) {
            return false;
        }
        Fabric routed = view.plan().asRouted().subnet().fabric();
        int routedPort = PlacedSubnet.counterpart(view.subnet().fabric(), port, routed);
        return routedPort != Fabric.NONE && PlacedSubnet.isLost(routed, routedPort, found.fabric());
    }

    /** Returns the number of absent cables between switches for which the active routes were computed. */
    public int absentLinks() {
        if (view == null || found == null) {
            return 0;
        }
        Fabric routed = view.plan().retention().isEmpty()
                ? view.subnet().fabric() // The fabric of the view lacks vanished leaf switches.
                : view.plan().asRouted().subnet().fabric();
        return (int) IntStream.range(0, routed.portCount())
                .filter(port -> routed.peer(port) > port
                        && routed.isSwitch(routed.nodeOf(port))
                        && routed.isSwitch(routed.nodeOf(routed.peer(port)))
                        && PlacedSubnet.isLost(routed, port, found.fabric()))
                .count();
    }
}
