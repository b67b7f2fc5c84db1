package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Answer;
import io.torussm.daemon.console.answer.Command;
import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.console.answer.UsageException;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.control.SubnetStatus;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.torus2qos.TorusMap;
import io.torussm.tree.FabricTree;
import io.torussm.tree.TreeReport;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The command that shows the torus: its sizes, seed, deficient rings and missing switches. */
public final class TorusCommand {
    private static final String DRAW = "--draw";
    private static final String[] NAMES = {"x", "y", "z"};

    private final SmControl control;

    private record Dimension(String name, int switches, boolean wraps, int cables) {}

    private record Seed(int number, int seeds, String file, int line) {}

    private record Root(String place, String name) {}

    /**
     * A torus.
     *
     * @param routing state of the routing
     * @param sizes radixes and form
     * @param dimensions dimensions of the torus
     * @param switches number of switches with coordinates
     * @param unplaced number of switches without coordinates
     * @param seed seed in use
     * @param multicastRoot root of the multicast trees; null without a tree, or if the root is absent
     * @param missingSwitches coordinates without a switch
     * @param cutRings rings in pieces
     * @param openRings rings with one gap
     * @param thinnedRings rings in which some of several parallel cables are missing
     * @param drawing lines of the drawing; empty if it was not requested
     */
    private record Torus(
            SubnetStatus.Routing routing,
            String sizes,
            List<Dimension> dimensions,
            int switches,
            int unplaced,
            Seed seed,
            @Nullable Root multicastRoot,
            List<String> missingSwitches,
            List<Ring> cutRings,
            List<Ring> openRings,
            List<Ring> thinnedRings,
            List<String> drawing)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("routing: " + routing.text());
            lines.add(sizes + ", " + switches + " switches placed, " + unplaced + " without a place");
            for (Dimension each : dimensions) {
                lines.add(each.name() + ": " + each.switches() + (each.wraps() ? ", wraps" : ", does not wrap") + ", "
                        + each.cables() + (each.cables() == 1 ? " cable" : " cables") + " between neighbours");
            }
            lines.add("seed " + seed.number() + " of " + seed.seeds() + ", " + seed.file() + ":" + seed.line());
            lines.add("multicast tree: "
                    + (multicastRoot == null ? "none" : "root " + multicastRoot.place() + " " + multicastRoot.name()));
            lines.add("missing switches: " + (missingSwitches.isEmpty() ? "none" : String.join(" ", missingSwitches)));
            list("cut rings", cutRings, lines);
            list("open rings", openRings, lines);
            list("thinned rings", thinnedRings, lines);
            lines.addAll(drawing);
            return lines;
        }

        private static void list(String label, List<Ring> rings, List<String> lines) {
            lines.add(label + ": " + (rings.isEmpty() ? "none" : rings.size()));
            rings.forEach(ring -> ring.causes().forEach(cause -> lines.add("  " + ring.name() + " " + cause)));
        }
    }

    public TorusCommand(SmControl control) {
        this.control = control;
    }

    public Command command() {
        return Command.query(
                "torus [--draw]",
                "sizes, seed, rings that are not whole, root of the multicast tree",
                this::torus,
                "A thinned ring only lacks some of several cables between the same neighbours; an open one has one",
                "gap, and packets go the other way round; a cut one is in pieces.",
                "--draw draws each plane along x and y.");
    }

    private Answer torus(List<String> arguments) {
        boolean isDrawn = arguments.equals(List.of(DRAW));
        if (!isDrawn && !arguments.isEmpty()) {
            throw new UsageException();
        }
        FabricState state = control.state();
        return Answer.ofDiscoveredSubnet(state, found -> {
            Optional<TorusMap> map = TorusMap.of(found.explainer());
            return map.isEmpty()
                    ? Answer.refusal(noTorusReason(state, found.tree()))
                    : Answer.of(torus(state, found, map.get(), isDrawn));
        });
    }

    private static String noTorusReason(FabricState state, @Nullable FabricTree tree) {
        if (tree != null && tree.isTree()) {
            return "the fabric is a fat tree, and no torus: " + new TreeReport(tree).summary() + "; tree shows it";
        }
        PublishedView view = state.view();
        return view == null || state.routing() == RoutingState.REFUSED
                ? "no engine could place the switches in a torus; routing: "
                        + SubnetStatus.Routing.of(state).text()
                : "the active routes are those of " + view.plan().engine() + ", which knows no torus";
    }

    private static Torus torus(FabricState state, PlacedSubnet found, TorusMap map, boolean isDrawn) {
        Fabric fabric = found.fabric();
        List<Dimension> dimensions = new ArrayList<>();
        for (int d = 0; d < TorusMap.DIMENSIONS; d++) {
            dimensions.add(new Dimension(NAMES[d], map.radix(d), !map.isMesh(d) && map.radix(d) > 1, map.maxCables(d)));
        }
        int tree = root(state, fabric);
        List<Ring> rings = map.deficientRings();
        return new Torus(
                SubnetStatus.Routing.of(state),
                map.sizes(),
                dimensions,
                map.placedCount(),
                fabric.switchCount() - map.placedCount(),
                new Seed(map.seed(), map.seeds().size(), Printable.text(map.file(), 200), map.seedLine()),
                tree == Fabric.NONE ? null : new Root(found.place(tree), name(fabric, tree)),
                map.emptyPlaces(),
                ringsIn(RingState.CUT, rings),
                ringsIn(RingState.OPEN, rings),
                ringsIn(RingState.THINNED, rings),
                isDrawn ? new TorusDrawing(map, tree == Fabric.NONE ? TorusMap.NONE : tree).lines() : List.of());
    }

    /**
     * Returns the index of the root of the active multicast tree in the discovered fabric; NONE without a tree, or if
     * it is absent.
     */
    private static int root(FabricState state, Fabric found) {
        PublishedView view = state.view();
        MulticastTree tree = view == null ? null : view.multicast();
        return view == null || tree == null
                ? Fabric.NONE
                : found.nodeByGuid(view.subnet().fabric().nodeGuid(tree.root()));
    }

    private static List<Ring> ringsIn(RingState state, List<Ring> rings) {
        return rings.stream().filter(ring -> ring.state() == state).toList();
    }

    private static String name(Fabric fabric, int sw) {
        return Printable.text(fabric.nodeName(sw), 64);
    }
}
