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
 * sweeper makes this immutable value at the end of each sweep, so that all parts of it belong together.
 *
 * <p>After a successful sweep the view and the found subnet are the same. While routing is refused or sweeps
 * fail, the view is older.
 *
 * @param view the view with the active routes; null until the first subnet is up, and while another SM is
 * master
 * @param ruledSince time since which the routes of the view are active; null without a view
 * @param found the subnet of the last discovery; null before the first one
 * @param foundAt time of the last discovery; null before the first one
 * @param routing state of the active routes
 * @param since begin of this routing state
 * @param findings findings of the last routing: warnings and, if it was refused, the reasons
 * @param problem the reason why the last sweep could not be finished; empty if it could
 * @param absences lost cables
 */
public record FabricState(
        @Nullable PublishedView view,
        @Nullable Instant ruledSince,
        @Nullable PlacedSubnet found,
        @Nullable Instant foundAt,
        RoutingState routing,
        Instant since,
        List<Noted> findings,
        String problem,
        Absences absences) {
    /** The state before the first discovery. */
    public static final FabricState NOTHING =
            new FabricState(null, null, null, null, RoutingState.NONE, Instant.EPOCH, List.of(), "", Absences.NONE);

    public FabricState {
        findings = List.copyOf(findings);
    }

    /** A finding, and the time since which each routing has reported it. */
    public record Noted(Finding finding, Instant since) {}

    /** Returns the present findings; repeated ones keep their time. */
    public static List<Noted> noted(List<Finding> current, List<Noted> previous, Instant at) {
        Map<String, Instant> known = previous.stream()
                .collect(Collectors.toMap(noted -> noted.finding().line(), Noted::since, (a, b) -> a));
        return current.stream()
                .map(finding -> new Noted(finding, known.getOrDefault(finding.line(), at)))
                .toList();
    }

    /** Returns the state of a subnet whose routes match its fabric: for planned fabrics and tests. */
    public static FabricState of(PublishedView view, Instant since) {
        return new FabricState(
                view,
                since,
                view.placed().with(FabricTree.of(view.subnet().fabric())),
                since,
                routing(view, false),
                since,
                noted(view.plan().findings(), List.of(), since),
                "",
                Absences.NONE);
    }

    /** Returns the state with newer answers of devices; indexes and cables are unchanged. */
    @SuppressWarnings("ReferenceEquality") // A new view is another object even if its contents are equal.
    public FabricState on(@Nullable PublishedView newer) {
        PlacedSubnet seen = found;
        boolean isAsFound =
                view != null && seen != null && seen.fabric() == view.subnet().fabric();
        return newer == view
                ? this
                : new FabricState(
                        newer,
                        newer == null ? null : ruledSince,
                        newer != null && isAsFound && seen != null
                                ? newer.placed().with(seen.tree())
                                : found,
                        foundAt,
                        newer == null ? RoutingState.NONE : routing,
                        since,
                        findings,
                        problem,
                        absences);
    }

    /**
     * Returns the state with a finding of drift: tables or settings of devices differ from the written ones.
     *
     * @param drift the finding, and the time since which it is open
     */
    public FabricState drifted(Noted drift) {
        return new FabricState(
                view,
                ruledSince,
                found,
                foundAt,
                routing == RoutingState.ROUTED ? RoutingState.DRIFTED : routing,
                routing == RoutingState.ROUTED ? drift.since() : since,
                Stream.concat(findings.stream(), Stream.of(drift)).toList(),
                problem,
                absences);
    }

    /** Returns the routing state of a view. Adopted routes stay adopted until an engine replaces them. */
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

    /**
     * Returns the subnet to show: the found one, or that of the view if none was found; null if there is
     * neither.
     */
    public @Nullable PlacedSubnet seen() {
        return found != null || view == null ? found : view.placed();
    }

    /** Returns the subnet of a view, with the coordinates of the last discovery. */
    public PlacedSubnet placed(PublishedView of) {
        return of.placed().with(found == null ? null : found.treeOrNew());
    }

    /** Returns the finding that a later engine of the chain replaces the first one; empty if none does. */
    public Optional<Noted> fallback() {
        return view == null || (routing != RoutingState.ROUTED && routing != RoutingState.DEGRADED)
                ? Optional.empty()
                : findings.stream()
                        .filter(noted -> noted.finding().event() == SmEvent.FALLBACK_ENGINE)
                        .findFirst();
    }

    /** Returns the problem of routing in one line; empty if there is none. */
    public String reason() {
        if (routing == RoutingState.ROUTED) {
            return fallback().map(noted -> noted.finding().text()).orElse("");
        }
        if (routing == RoutingState.REFUSED || routing == RoutingState.ADOPTED) {
            return findings.stream()
                    .map(Noted::finding)
                    .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                    .map(Finding::text)
                    .collect(Collectors.joining("; "));
        }
        if (routing == RoutingState.DRIFTED) {
            return findings.stream()
                    .map(Noted::finding)
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

    /** Checks whether the found subnet has other nodes or cables than the view. */
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
     * Checks whether the cable that the active routes cross at a port is absent. Routes cross the cables of
     * the fabric for which they were computed, which may be older than the view.
     *
     * @param port port of the view's fabric, which must be there
     */
    public boolean isDead(int port) {
        if (view == null || found == null) {
            return false;
        }
        Fabric routed = view.plan().asRouted().subnet().fabric();
        int then = PlacedSubnet.counterpart(view.subnet().fabric(), port, routed);
        return then != Fabric.NONE && PlacedSubnet.isLost(routed, then, found.fabric());
    }

    /** Returns the number of absent cables between switches for which the active routes were computed. */
    public int deadLinks() {
        if (view == null || found == null) {
            return 0;
        }
        Fabric routed = view.plan().retention().isEmpty()
                ? view.subnet().fabric() // lacks leaf switches that vanished
                : view.plan().asRouted().subnet().fabric();
        return (int) IntStream.range(0, routed.portCount())
                .filter(port -> routed.peer(port) > port
                        && routed.isSwitch(routed.nodeOf(port))
                        && routed.isSwitch(routed.nodeOf(routed.peer(port)))
                        && PlacedSubnet.isLost(routed, port, found.fabric()))
                .count();
    }
}
