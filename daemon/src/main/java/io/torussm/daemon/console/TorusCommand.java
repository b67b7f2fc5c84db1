package io.torussm.daemon.console;

import io.torussm.daemon.control.SmControl;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.torus2qos.TorusMap;
import io.torussm.view.PublishedView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The torus as a whole. */
final class TorusCommand {
    private static final String DRAW = "--draw";
    private static final String[] NAMES = {"x", "y", "z"};

    private final SmControl control;

    private record Dimension(String name, int switches, boolean wraps, int cables) {}

    private record Seed(int number, int seeds, String file, int line) {}

    private record Root(String place, String name) {}

    /** A torus; JSON has the drawing, too, if one was asked for. */
    private record Torus(
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
            lines.add(sizes + ", " + switches + " switches placed, " + unplaced + " without a place");
            for (Dimension each : dimensions) {
                lines.add(each.name() + ": " + each.switches() + (each.wraps() ? ", wraps" : ", does not wrap") + ", "
                        + each.cables() + " cables between neighbours");
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

        private static void list(String what, List<Ring> rings, List<String> lines) {
            lines.add(what + ": " + (rings.isEmpty() ? "none" : rings.size()));
            rings.forEach(ring -> ring.causes().forEach(cause -> lines.add("  " + ring.name() + " " + cause)));
        }
    }

    TorusCommand(SmControl control) {
        this.control = control;
    }

    Command command() {
        return Command.asks(
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
        return Answer.from(control.view(), view -> {
            Optional<TorusMap> map = TorusMap.of(view.plan());
            return map.isEmpty()
                    ? Answer.bad(
                            "the routes in force are those of " + view.plan().engine() + ", which knows no torus")
                    : Answer.of(torus(view, map.get(), isDrawn));
        });
    }

    private static Torus torus(PublishedView view, TorusMap map, boolean isDrawn) {
        Fabric fabric = view.subnet().fabric();
        List<Dimension> dimensions = new ArrayList<>();
        for (int d = 0; d < TorusMap.DIMENSIONS; d++) {
            dimensions.add(new Dimension(NAMES[d], map.radix(d), !map.isMesh(d) && map.radix(d) > 1, map.widest(d)));
        }
        MulticastTree tree = view.multicast();
        Root root = tree == null ? null : new Root(view.plan().coordinates(tree.root()), name(fabric, tree.root()));
        List<Ring> rings = map.deficientRings();
        return new Torus(
                map.sizes(),
                dimensions,
                map.placed(),
                fabric.switchCount() - map.placed(),
                new Seed(map.seed(), map.seeds(), Printable.text(map.file(), 200), map.seedLine()),
                root,
                map.emptyPlaces(),
                in(RingState.CUT, rings),
                in(RingState.OPEN, rings),
                in(RingState.THINNED, rings),
                isDrawn ? new TorusDrawing(map, tree == null ? TorusMap.NONE : tree.root()).lines() : List.of());
    }

    private static List<Ring> in(RingState state, List<Ring> rings) {
        return rings.stream().filter(ring -> ring.state() == state).toList();
    }

    private static String name(Fabric fabric, int sw) {
        return Printable.text(fabric.node(sw).description(), 64);
    }
}
