package io.torussm.routing.auto;

import io.torussm.tree.FabricShape;
import java.util.List;

/**
 * The engines that fit a fabric of a shape.
 *
 * @param shape shape of the fabric
 * @param switches switches of the fabric: lash is left out of a large one, where it takes seconds
 */
record FittingEngines(FabricShape shape, int switches) {
    /** Switches of a large fabric. */
    private static final int LARGE = 128;

    /** Returns names, of which the first is taken where several are equally good. */
    List<String> names() {
        List<String> fit =
                switch (shape) {
                    case TREE -> List.of("ftree", "updn", "dnup", "minhop");
                    case HYPERCUBE -> List.of("dor", "lash", "nue", "dfsssp", "updn", "dnup", "minhop");
                    case FULL_MESH, DRAGONFLY, TORUS, MESH, UNSWITCHED, OTHER ->
                        List.of("lash", "nue", "dfsssp", "updn", "dnup", "dor", "minhop");
                };
        return fit.stream()
                .filter(name -> switches < LARGE || !name.equals("lash"))
                .toList();
    }

    /** Returns the names that come before one in the list; none if it is a substitute. */
    List<String> before(String name) {
        List<String> names = names();
        return names.subList(0, Math.max(0, names.indexOf(name)));
    }

    /**
     * Returns the names of engines that are asked as well if the first one refuses: on a tree nue, which
     * balances the traffic that hosts on spines send. Where ftree routes the tree, its shift patterns are
     * worth more than a slightly lower load.
     */
    List<String> substitutes() {
        return shape == FabricShape.TREE && switches < LARGE ? List.of("nue") : List.of();
    }

    /** Checks whether no engine is specific to the shape. */
    boolean isForAnyShape() {
        return shape != FabricShape.TREE && shape != FabricShape.HYPERCUBE;
    }
}
