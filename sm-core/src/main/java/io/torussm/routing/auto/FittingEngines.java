package io.torussm.routing.auto;

import io.torussm.tree.FabricShape;
import java.util.List;

/**
 * The engines that fit a fabric of a shape.
 *
 * @param shape shape of the fabric
 * @param switches number of switches of the fabric; lash is not used in a large fabric, where it takes seconds
 */
record FittingEngines(FabricShape shape, int switches) {
    /** The number of switches from which on a fabric is large. */
    private static final int MIN_LARGE = 128;

    /** Returns the names of fitting engines. Of equally good plans, that of the first engine is used. */
    List<String> names() {
        List<String> fit =
                switch (shape) {
                    case TREE -> List.of("ftree", "updn", "dnup", "minhop");
                    case HYPERCUBE -> List.of("dor", "lash", "nue", "dfsssp", "updn", "dnup", "minhop");
                    case FULL_MESH, DRAGONFLY, TORUS, MESH, UNSWITCHED, OTHER ->
                        List.of("lash", "nue", "dfsssp", "updn", "dnup", "dor", "minhop");
                };
        return fit.stream()
                .filter(name -> switches < MIN_LARGE || !name.equals("lash"))
                .toList();
    }

    /** Returns the names before a name in the list; empty if the name is not in the list. */
    List<String> namesBefore(String name) {
        List<String> names = names();
        return names.subList(0, Math.max(0, names.indexOf(name)));
    }

    /**
     * Returns the names of engines that are tried as well if the first engine refuses. On a tree it is nue, which
     * balances the traffic of hosts on spines. If ftree routes the tree, nue is not tried, because good shift
     * patterns are worth more than a slightly lower load.
     */
    List<String> substitutes() {
        return shape == FabricShape.TREE && switches < MIN_LARGE ? List.of("nue") : List.of();
    }

    /** Checks whether the shape has no specific engine. */
    boolean isForAnyShape() {
        return shape != FabricShape.TREE && shape != FabricShape.HYPERCUBE;
    }
}
