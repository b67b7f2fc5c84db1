package io.torussm.routing.auto;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Hops;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.Ranks;
import io.torussm.tree.FabricTree;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/** What switches are cabled as, as far as engines differ by it. */
enum FabricKind {
    /** Switches have levels, but for a few wrong cables; see {@link FabricTree}. */
    TREE("a tree"),
    /** From every switch as many others are one, two and more hops away as in a cube. */
    HYPERCUBE("a hypercube"),
    /** Anything else, tori and meshes too. */
    OTHER("no tree and no hypercube");

    /** Switches of a large fabric. */
    private static final int LARGE = 128;

    /** Smaller ones are rings. */
    private static final int SMALLEST_CUBE = 8;

    /** For people, after "the fabric is". */
    final String text;

    FabricKind(String text) {
        this.text = text;
    }

    /**
     * Returns the names of engines, of which the first is taken where several are equally good.
     *
     * @param switches of the fabric: lash is left out of a large one, where it takes seconds
     */
    List<String> engines(int switches) {
        List<String> fit =
                switch (this) {
                    case TREE -> List.of("ftree", "updn", "dnup", "minhop");
                    case HYPERCUBE -> List.of("dor", "lash", "nue", "dfsssp", "updn", "dnup", "minhop");
                    case OTHER -> List.of("lash", "nue", "dfsssp", "updn", "dnup", "dor", "minhop");
                };
        return fit.stream()
                .filter(name -> switches < LARGE || !name.equals("lash"))
                .toList();
    }

    /**
     * Returns the names of engines that are asked as well if the first one refuses: on a tree nue, which balances what hosts on spines
     * send. Where ftree routes the tree, its shift patterns are worth more than a slightly lower load.
     */
    List<String> substitutes(int switches) {
        return this == TREE && switches < LARGE ? List.of("nue") : List.of();
    }

    static FabricKind of(Fabric fabric) {
        Links links = new Links(fabric);
        if (isTree(links) || FabricTree.of(fabric).isTree()) {
            return TREE;
        }
        return isHypercube(links) ? HYPERCUBE : OTHER;
    }

    /** How far switches are from those with hosts. */
    private static Ranks ranks(Links links) {
        Fabric fabric = links.fabric();
        BitSet leaves = new BitSet();
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean isHost = fabric.isEndport(port)
                    && !fabric.isSwitch(fabric.nodeOf(port))
                    && !FabricTree.isAggregationNode(fabric, fabric.nodeOf(port));
            int sw = isHost ? fabric.switchOf(port) : Fabric.NONE;
            if (sw != Fabric.NONE) {
                leaves.set(sw);
            }
        }
        return new Ranks(links, leaves);
    }

    /** Returns the spines of a tree, or else the switches that are farthest from hosts. */
    static BitSet tops(Fabric fabric) {
        FabricTree tree = FabricTree.of(fabric);
        if (tree.isTree()) {
            return Arrays.stream(tree.spines()).collect(BitSet::new, BitSet::set, BitSet::or);
        }
        Ranks ranks = ranks(new Links(fabric));
        BitSet tops = new BitSet();
        int highest = 0;
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            int rank = ranks.of(sw);
            if (rank != Ranks.FAR && rank > highest) {
                tops.clear();
                highest = rank;
            }
            tops.set(sw, rank == highest);
        }
        return tops;
    }

    private static boolean isTree(Links links) {
        Fabric fabric = links.fabric();
        Ranks ranks = ranks(links);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int port = fabric.port(sw, 1); port <= fabric.port(sw, fabric.numPorts(sw)); port++) {
                int next = links.behind(port);
                if (next != Fabric.NONE && ranks.of(next) == ranks.of(sw)) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isHypercube(Links links) {
        int switches = links.fabric().switchCount();
        if (switches < SMALLEST_CUBE || Integer.bitCount(switches) != 1) {
            return false;
        }
        int dimensions = Integer.numberOfTrailingZeros(switches);
        Hops hops = new Hops(links);
        for (int from = 0; from < switches; from++) {
            int[] away = new int[dimensions + 1];
            for (int to = 0; to < switches; to++) {
                int distance = hops.hops(from, to);
                if (distance > dimensions) {
                    return false;
                }
                away[distance]++;
            }
            long wanted = 1;
            for (int distance = 0; distance <= dimensions; distance++) {
                if (away[distance] != wanted) {
                    return false;
                }
                wanted = wanted * (dimensions - distance) / (distance + 1);
            }
        }
        return true;
    }
}
