package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Torus;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The spanning tree for multicast, the same as in OpenSM's torus-2QoS. From the root a spine runs along x, from each
 * switch of the spine a rib along y, and from each switch of that plane a column along z:
 *
 * <pre>
 *      |    |    |    |    |    |
 *      +    +    +    +    +    +
 *      |    |    |    |    |    |
 *      +----+----+----x----+----+      x: the root, in the middle of the torus
 *      |    |    |    |    |    |
 *      +    +    +    +    +    +
 * </pre>
 *
 * <p>A line is the switches that differ in one coordinate only. A line is a ring if it wraps and no cable or switch is
 * missing, and broken otherwise. The dateline of a line is the cable between its last and its first coordinate. A
 * branch of the tree ends at the dateline of a ring; on a broken line it may cross the dateline. A switch without a
 * multicast table counts as missing.
 *
 * <p>Unicast routes go along x first, then y, then z. From the root to a tip, the tree has the same order, so that each
 * of its turns also occurs in unicast. Towards the root, packets turn from z to y or x in one plane only, and from y to
 * x in the row of the root only. So at most three of the four turns of a rectangle exist.
 *
 * <p>If one cable is missing, and no switch, then the tree and the unicast routes together have no credit loop, for any
 * root and any cable. Proof: assume a cycle of channels, and let d be the last dimension that occurs in it.
 * <ol>
 * <li>A packet goes from dimension d to an earlier one in the tree only, at the root's coordinate of d.
 * <li>Between two visits of dimension d the cycle stays in earlier dimensions, which do not change the coordinate of d.
 * So the cycle also enters each line of dimension d at the root's coordinate.
 * <li>Hence the cycle goes once around a line of dimension d, in one direction. If the cycle never leaves dimension d,
 * this also holds.
 * <li>A broken line has no way around.
 * <li>On a ring, the VL in dimension d depends on bit d of the SL, which is 1 for paths across the dateline. So all
 * packets on the way around have the same bit. Multicast packets and paths with bit 0 do not cross the dateline. Paths
 * with bit 1 go at most half way around. So there is no such way.
 * </ol>
 *
 * <p>A slot is a placed switch, a position its coordinates as one number; see {@link Torus}. A group is the cables of a
 * switch in one direction; see {@link Dim}.
 */
final class TorusTree {
    private static final int NONE = -1;

    private final Torus torus;

    private TorusTree(Torus torus) {
        this.torus = torus;
    }

    /**
     * Returns the tree; empty if so many switches are missing that it has no root, or does not reach every switch
     * with a multicast table.
     */
    static Optional<MulticastTree> of(Torus torus) {
        TorusTree tree = new TorusTree(torus);
        int root = tree.root();
        return root == NONE ? Optional.empty() : tree.new Growth(root).grow().treeIfComplete();
    }

    /**
     * Returns the tree as far as it can be built in a damaged torus. Switches that no line reaches have no parent. A
     * rib or column whose first switch has no parent is not connected with the root. If {@link #of} finds no root, the
     * root is the switch nearest to the middle.
     */
    static MulticastTree partial(Torus torus) {
        TorusTree tree = new TorusTree(torus);
        int[] candidates = roots(torus);
        int root = tree.root();
        int nearestToMiddle = candidates.length == 0 ? 0 : torus.slotOfSwitch(candidates[0]);
        return tree.new Growth(root == NONE ? nearestToMiddle : root).grow().toMulticastTree();
    }

    /**
     * Returns the indexes in the fabric of all placed switches with a multicast table, nearest to the middle of the
     * torus first.
     */
    static int[] roots(Torus torus) {
        return IntStream.range(0, torus.slots())
                .filter(slot -> hasMulticast(torus, slot))
                // sorted by distance (upper 32 bits), then by position (lower 32 bits)
                .mapToLong(slot -> (long) distanceFromMiddle(torus, slot) << Integer.SIZE | torus.positionOf(slot))
                .sorted()
                .mapToInt(key -> torus.switchOf(torus.slotAt((int) key)))
                .toArray();
    }

    private static boolean hasMulticast(Torus torus, int slot) {
        return torus.fabric().hasMulticast(torus.switchOf(slot));
    }

    private static int distanceFromMiddle(Torus torus, int slot) {
        int distance = 0;
        for (int d = 0; d < Dim.COUNT; d++) {
            distance += Math.abs(torus.coordinate(slot, d) - torus.radix(d) / 2);
        }
        return distance;
    }

    /**
     * Returns the root that OpenSM chooses: the middle of the complete xy plane that is nearest to the middle z. If
     * no plane is complete, it is the switch of the middle plane that is nearest to the middle on the main diagonal,
     * and whose row and column are complete. {@link #NONE} if no switch meets these conditions.
     */
    private int root() {
        int middle = torus.radix(2) / 2;
        for (int away = 0; away <= middle; away++) {
            for (int z : new int[] {middle - away, middle + away}) {
                if (isCompletePlane(Math.floorMod(z, torus.radix(2)))) {
                    return middleOfPlane(Math.floorMod(z, torus.radix(2)));
                }
            }
        }
        return middleOfPlane(middle);
    }

    private boolean isCompletePlane(int z) {
        for (int y = 0; y < torus.radix(1); y++) {
            for (int x = 0; x < torus.radix(0); x++) {
                if (slotAt(x, y, z) == NONE) {
                    return false;
                }
            }
        }
        return true;
    }

    private int middleOfPlane(int z) {
        int x = torus.radix(0) / 2;
        int y = torus.radix(1) / 2;
        for (int away = 0; away <= Math.min(x, y); away++) {
            for (int sign : new int[] {-1, 1}) {
                int atX = Math.floorMod(x + sign * away, torus.radix(0));
                int atY = Math.floorMod(y + sign * away, torus.radix(1));
                if (hasCompleteCross(atX, atY, z)) {
                    return slotAt(atX, atY, z);
                }
            }
        }
        return NONE;
    }

    /** Checks whether the row and the column through a place of a plane are complete. */
    private boolean hasCompleteCross(int x, int y, int z) {
        for (int i = 0; i < torus.radix(0); i++) {
            if (slotAt(i, y, z) == NONE) {
                return false;
            }
        }
        for (int j = 0; j < torus.radix(1); j++) {
            if (slotAt(x, j, z) == NONE) {
                return false;
            }
        }
        return true;
    }

    private int slotAt(int x, int y, int z) {
        return slotAt(x + torus.radix(0) * (y + torus.radix(1) * z));
    }

    /** Returns the slot at a position; {@link #NONE} if there is no switch with a multicast table. */
    private int slotAt(int position) {
        int slot = torus.slotAt(position);
        return slot == NONE || !hasMulticast(torus, slot) ? NONE : slot;
    }

    /** The tree while lines of switches are attached to it. Used once: {@link #grow}, then one of the results. */
    private final class Growth {
        private final int root;

        /** By slot: the slot of the parent; {@link #NONE} for the root and outside of the tree. */
        private final int[] parent = new int[torus.slots()];

        /** By slot: the direction from the parent to this switch, as a group of the parent. */
        private final int[] groupOfParent = new int[torus.slots()];

        /** Number of switches in the tree. */
        private int size = 1;

        Growth(int root) {
            this.root = root;
            Arrays.fill(parent, NONE);
        }

        /** Attaches the spine, the ribs and the columns. */
        Growth grow() {
            attachLine(root, 0);
            int position = torus.positionOf(root);
            for (int x = 0; x < torus.radix(0); x++) {
                int inSpine = torus.withCoordinate(position, 0, x);
                if (slotAt(inSpine) != NONE) {
                    attachLine(slotAt(inSpine), 1);
                    for (int y = 0; y < torus.radix(1); y++) {
                        int inPlane = slotAt(torus.withCoordinate(inSpine, 1, y));
                        if (inPlane != NONE) {
                            attachLine(inPlane, 2);
                        }
                    }
                }
            }
            return this;
        }

        /** Returns the tree if it contains all switches with multicast tables; otherwise empty. */
        Optional<MulticastTree> treeIfComplete() {
            long switches = IntStream.range(0, torus.slots())
                    .filter(slot -> hasMulticast(torus, slot))
                    .count();
            return size == switches ? Optional.of(toMulticastTree()) : Optional.empty();
        }

        /**
         * Attaches the line through a switch in both directions, each up to the dateline. If a direction meets a gap
         * before it, the line is broken, and both directions continue up to the gap.
         */
        private void attachLine(int from, int d) {
            int minus = from;
            int plus = from;
            int coordinate = torus.coordinate(from, d);
            for (int i = 0; i < coordinate && minus != NONE; i++) {
                minus = attach(minus, Dim.minus(d));
            }
            for (int i = coordinate + 1; i < torus.radix(d) && plus != NONE; i++) {
                plus = attach(plus, Dim.plus(d));
            }
            if (minus != NONE && plus != NONE) {
                return;
            }
            while (minus != NONE || plus != NONE) {
                minus = minus == NONE ? NONE : attach(minus, Dim.minus(d));
                plus = plus == NONE ? NONE : attach(plus, Dim.plus(d));
            }
        }

        /**
         * Attaches the next switch of a line.
         *
         * @return its slot; {@link #NONE} if the line ends here, or the next switch is in the tree already or cannot
         *     forward multicast
         */
        private int attach(int tip, int group) {
            int next = torus.neighbour(tip, group);
            if (next < 0 || next == root || parent[next] != NONE || !hasMulticast(torus, next)) {
                return NONE;
            }
            parent[next] = tip;
            groupOfParent[next] = group;
            size++;
            return next;
        }

        private MulticastTree toMulticastTree() {
            Fabric fabric = torus.fabric();
            int[] parentOfSwitch = new int[fabric.switchCount()];
            int[][] cables = new int[fabric.switchCount()][0];
            Arrays.fill(parentOfSwitch, Fabric.NONE);
            for (int slot = 0; slot < torus.slots(); slot++) {
                if (parent[slot] != NONE) {
                    parentOfSwitch[torus.switchOf(slot)] = torus.switchOf(parent[slot]);
                    cables[torus.switchOf(slot)] = torus.group(parent[slot], groupOfParent[slot]);
                }
            }
            return new MulticastTree(fabric, torus.switchOf(root), parentOfSwitch, cables);
        }
    }
}
