package io.torussm.daemon.control;

import io.torussm.routing.Degradation;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.tree.FabricTree;
import io.torussm.tree.TreeReport;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import io.torussm.view.ShapeText;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FabricState} for {@code status}, {@code torus} and the page: the active, discovered and absent
 * parts.
 *
 * @param routing quality of the active routes
 * @param ruling the active subnet; null while none is published
 * @param found the last discovery; null before the first
 */
public record SubnetStatus(
        Routing routing, @Nullable Ruling ruling, @Nullable Found found) {
    /** Returns the status of a state. */
    public static SubnetStatus of(FabricState state, @Nullable Instant upSince) {
        PublishedView view = state.view();
        PlacedSubnet found = state.found();
        return new SubnetStatus(
                Routing.of(state),
                view == null ? null : Ruling.of(view, state, upSince),
                found == null ? null : Found.of(found, state));
    }

    /**
     * The quality of the active routes.
     *
     * @param state quality of the routes
     * @param reason reason for a deviation, such as another engine than the first of the chain; empty without a
     *     deviation
     * @param since time since when the routing has this quality; null if unknown
     * @param problem reason why the last sweep was not completed; empty if it was completed
     */
    public record Routing(
            RoutingState state, String reason, @Nullable Instant since, String problem) {
        /** Returns the routing of a state. */
        public static Routing of(FabricState state) {
            Instant since =
                    state.fallback().map(FabricState.TimedFinding::since).orElse(state.since());
            boolean isKnown = !since.equals(Instant.EPOCH);
            return new Routing(state.routing(), state.reason(), isKnown ? since : null, state.problem());
        }

        /** Returns state, time and reason. A state in which an operator must act is in capitals. */
        public String text() {
            return stateText() + (problem.isEmpty() ? "" : "; the last sweep failed: " + problem);
        }

        private String stateText() {
            String age = since == null ? "" : " since " + since;
            if (state == RoutingState.ROUTED) {
                return reason.isEmpty() ? "routed" + age : reason + (since == null ? "" : "; since " + since);
            }
            return (state == RoutingState.NONE ? "no subnet is up" : state.name() + age)
                    + (reason.isEmpty() ? "" : ": " + reason);
        }
    }

    /**
     * The active subnet.
     *
     * @param sweep number of the sweep that published it
     * @param ruledSince time since when its routes are active; null if unknown
     * @param upSince time when the subnet came up; null for a moment after the subnet came up
     * @param engine engine of the active routes
     * @param degraded degradation by the last resort if the engine refused the fabric; null if the engine made all
     *     routes
     * @param isOutdated true if the last discovery has other nodes or cables
     * @param size size of the subnet
     * @param rings rings of the engine; null if the engine has no rings
     */
    public record Ruling(
            long sweep,
            @Nullable Instant ruledSince,
            @Nullable Instant upSince,
            String engine,
            @Nullable Degradation degraded,
            boolean isOutdated,
            FabricSize size,
            @Nullable Rings rings) {
        private static Ruling of(PublishedView view, FabricState state, @Nullable Instant upSince) {
            return new Ruling(
                    view.sweep(),
                    state.routesActiveSince(),
                    upSince,
                    view.plan().engine(),
                    view.plan().degradation().orElse(null),
                    state.isOutdated(),
                    FabricSize.of(view.subnet()),
                    Rings.of(view.plan().explainer().rings()));
        }
    }

    /**
     * The last discovery.
     *
     * @param at time of the discovery; null if unknown
     * @param size size of the fabric
     * @param rings rings of the torus; null if no engine has placed the switches in rings
     * @param absent numbers of parts that were present before
     * @param tree levels, switches and missing cables of a fat tree in one line; empty if the fabric is no fat tree
     * @param shape shape of the graph of switches, in words of {@link ShapeText}
     */
    public record Found(
            @Nullable Instant at, FabricSize size, @Nullable Rings rings, Absent absent, String tree, String shape) {
        private static Found of(PlacedSubnet found, FabricState state) {
            return new Found(
                    state.foundAt(),
                    FabricSize.of(found.subnet()),
                    Rings.of(found.explainer().rings()),
                    Absent.of(found, state.absences()),
                    treeLine(found, state.absences()),
                    ShapeText.of(found, state.absences()));
        }

        /** Returns the line about the shape, for a fabric without rings and without levels of a tree; else empty. */
        private Optional<String> shapeLine() {
            return rings == null && tree.isEmpty() && size.switches() > 1
                    ? Optional.of("shape: " + shape)
                    : Optional.empty();
        }
    }

    private static String treeLine(PlacedSubnet found, Absences absences) {
        FabricTree tree = found.tree();
        return tree != null && tree.hasLevels()
                ? new TreeReport(tree, absences.switches(found.fabric())).summary()
                : "";
    }

    /** The numbers of parts that were present before and are absent. */
    public record Absent(long cables, long hosts, long switches) {
        private static Absent of(PlacedSubnet found, Absences absences) {
            Collection<Absences.Device> devices = absences.devices(found.fabric());
            long switches = absences.switches(found.fabric()).size();
            return new Absent(absences.cables().size(), devices.size() - switches, switches);
        }

        private String text() {
            List<String> parts = new ArrayList<>();
            part(cables, "cable", parts);
            part(hosts, "host", parts);
            part(switches, "switch", parts);
            return parts.isEmpty() ? "nothing" : String.join(", ", parts);
        }

        private static void part(long count, String noun, List<String> parts) {
            if (count > 0) {
                parts.add(count + " " + noun + (count == 1 ? "" : noun.endsWith("h") ? "es" : "s"));
            }
        }
    }

    /**
     * Numbers of the rings of a torus and the lines of a mesh, by {@link RingState}.
     *
     * @param whole rings with all cables
     * @param thinned rings in which some of several parallel cables are missing
     * @param open rings with one gap
     * @param cut rings in pieces
     */
    public record Rings(long whole, long thinned, long open, long cut) {
        private static @Nullable Rings of(List<Ring> rings) {
            Map<RingState, Long> counts =
                    rings.stream().collect(Collectors.groupingBy(Ring::state, Collectors.counting()));
            return rings.isEmpty()
                    ? null
                    : new Rings(
                            counts.getOrDefault(RingState.WHOLE, 0L),
                            counts.getOrDefault(RingState.THINNED, 0L),
                            counts.getOrDefault(RingState.OPEN, 0L),
                            counts.getOrDefault(RingState.CUT, 0L));
        }

        /** Returns the numbers of rings by state, for people. */
        public String text() {
            return whole + " whole, " + thinned + " thinned, " + open + " open, " + cut + " cut";
        }
    }

    /** Returns the first lines of {@code status}. */
    List<String> lines() {
        List<String> lines = new ArrayList<>(List.of("state: " + routing.text()));
        if (found != null) {
            lines.add("subnet: " + text(found.size()));
            if (found.rings() != null) {
                lines.add("rings: " + found.rings().text());
            } else if (!found.tree().isEmpty()) {
                lines.add("tree: " + found.tree());
            }
            found.shapeLine().ifPresent(lines::add);
            lines.add("absent: " + found.absent().text());
        }
        if (ruling != null) {
            lines.add("active routes: " + ruling.engine() + ", sweep " + ruling.sweep()
                    + (ruling.ruledSince() == null ? "" : ", since " + ruling.ruledSince())
                    + (ruling.isOutdated() ? ", for " + text(ruling.size()) : "")
                    + (ruling.upSince() == null ? "" : "; subnet up since " + ruling.upSince()));
        }
        return lines;
    }

    private static String text(FabricSize size) {
        return size.switches() + " switches, " + size.hostPorts() + " host ports, " + size.links() + " links, "
                + size.lids() + " LIDs";
    }
}
