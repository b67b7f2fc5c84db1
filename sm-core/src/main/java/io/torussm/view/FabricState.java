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
 * The state of things: what rules, what was found last, and what came of the last routing. It is one immutable value, made
 * anew by the sweeper at the end of each sweep, so that all that a reader shows of it belongs together.
 *
 * <p>After a sweep that ended well both are the same. While routing is refused, and while sweeps fail, what rules is older
 * than what is found.
 *
 * @param view what rules; null until the first subnet is up, and while another SM is master
 * @param ruledSince since when the routes of the view are in force; null without a view
 * @param found what was found last; null before the first discovery
 * @param foundAt when that was; null before the first discovery
 * @param routing what the routes in force are worth
 * @param since when this state of routing began
 * @param findings of the last routing: warnings and, if it was refused, why
 * @param problem why the last sweep could not be finished; empty if it could
 * @param absences cables that were there and are not found now
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
    /** Nothing is known yet. */
    public static final FabricState NOTHING =
            new FabricState(null, null, null, null, RoutingState.NONE, Instant.EPOCH, List.of(), "", Absences.NONE);

    public FabricState {
        findings = List.copyOf(findings);
    }

    /** A finding, and since when each routing has it. */
    public record Noted(Finding finding, Instant since) {}

    /** Findings as of now; those that there were before keep their time. */
    public static List<Noted> noted(List<Finding> now, List<Noted> before, Instant at) {
        Map<String, Instant> known = before.stream()
                .collect(Collectors.toMap(noted -> noted.finding().line(), Noted::since, (a, b) -> a));
        return now.stream()
                .map(finding -> new Noted(finding, known.getOrDefault(finding.line(), at)))
                .toList();
    }

    /** The state of a subnet that is as it was found: for readers of a fabric that lives on paper, and for tests. */
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

    /** The same with what devices answered since; indexes and cables are as before. */
    @SuppressWarnings("ReferenceEquality") // a view is another one even if it says the same
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
     * The same with what devices were found to have instead of what was written to them.
     *
     * @param drift the finding, and since when
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

    /** What the routes of a view are worth; those that were adopted are that until an engine has others. */
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

    /** What is looked at: what was found last, or what rules if nothing was; null if there is neither. */
    public @Nullable PlacedSubnet seen() {
        return found != null || view == null ? found : view.placed();
    }

    /** Returns the subnet of a view, with the places that switches have in what was found last. */
    public PlacedSubnet placed(PublishedView of) {
        return of.placed().with(found == null ? null : found.treeOrNew());
    }

    /** Returns the finding that an engine stands in for the first one of the chain; empty if none does. */
    public Optional<Noted> fallback() {
        return view == null || routing != RoutingState.ROUTED && routing != RoutingState.DEGRADED
                ? Optional.empty()
                : findings.stream()
                        .filter(noted -> noted.finding().event() == SmEvent.FALLBACK_ENGINE)
                        .findFirst();
    }

    /** Returns why routing is not as it should be, in one line; empty if it is. */
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

    /** Whether what was found has other nodes or cables than what rules. */
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
     * Whether the cable that the routes in force cross at a port is not there any more. They cross what was there when they were
     * computed, whatever has been published of them since.
     *
     * @param port of the view's fabric, which must be there
     */
    public boolean isDead(int port) {
        if (view == null || found == null) {
            return false;
        }
        Fabric routed = view.plan().asRouted().subnet().fabric();
        int then = PlacedSubnet.counterpart(view.subnet().fabric(), port, routed);
        return then != Fabric.NONE && PlacedSubnet.isLost(routed, then, found.fabric());
    }

    /** Cables between switches that the routes in force were computed for and that are not there any more. */
    public int deadLinks() {
        if (view == null || found == null) {
            return 0;
        }
        Fabric routed = view.plan().standing().isEmpty()
                ? view.subnet().fabric() // without leaf switches that are gone
                : view.plan().asRouted().subnet().fabric();
        return (int) IntStream.range(0, routed.portCount())
                .filter(port -> routed.peer(port) > port
                        && routed.isSwitch(routed.nodeOf(port))
                        && routed.isSwitch(routed.nodeOf(routed.peer(port)))
                        && PlacedSubnet.isLost(routed, port, found.fabric()))
                .count();
    }
}
