package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Torus;
import java.util.Arrays;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * The spanning tree for multicast, as in OpenSM's torus-2QoS. From the root a spine runs along x, from every switch
 * of the spine a rib along y, and from every switch of that plane a column along z:
 *
 * <pre>
 *      |    |    |    |    |    |
 *      +    +    +    +    +    +
 *      |    |    |    |    |    |
 *      +----+----+----x----+----+      x: the root, amid the torus
 *      |    |    |    |    |    |
 *      +    +    +    +    +    +
 * </pre>
 *
 * <p>Unicast packets travel along x first, then y, then z. From root to tip the tree has the same order, so that every
 * turn also occurs in unicast. From tip to root there are at most three of the four turns of a cycle. A branch ends at
 * the dateline, unless its line is broken: such a line closes no cycle of its own. A switch without a multicast table
 * is treated as a missing one.
 *
 * <p>A line is the switches with two equal coordinates; it is a ring if it wraps and no cable is missing. The dateline
 * is the cable between its last and its first coordinate. Bit d of the SL says that a path crosses the dateline of
 * dimension d.
 *
 * <p>If one cable is lost, and no switch, the tree and the routes together have no credit loop, for any root
 * and any cable. Proof: take the last dimension in a cycle of dependencies. If packets leave it for an
 * earlier dimension, they do so where the tree does, at the root's coordinate. They have also entered the
 * line there, since no hop in between changes its coordinate. So the cycle goes once around that line, in one
 * direction. A broken line does not allow this. On a complete ring, multicast packets and all others with the
 * same bit of the SL do not cross the dateline. If packets never leave a dimension for an earlier one, the
 * cycle is in one line, and the same argument applies. The exception is unicast packets that cross the
 * dateline: they have VLs of their own and go at most half way around.
 *
 * <p>Slots, positions and groups are those of {@link Torus}: a slot is a placed switch, a position its coordinates as
 * one number, group {@code 2 * d} the cables to the previous switch in dimension d, {@code 2 * d + 1} those to the
 * next.
 */
final class TorusTree {
    private static final int NONE = -1;

    private final Torus torus;

    private TorusTree(Torus torus) {
        this.torus = torus;
    }

    /**
     * Returns the tree; empty if too many switches are missing for it to have a root, or to get to every other
     * placed switch.
     */
    static Optional<MulticastTree> of(Torus torus) {
        TorusTree tree = new TorusTree(torus);
        int root = tree.root();
        return root == NONE ? Optional.empty() : tree.new Growth(root).grow().whole();
    }

    /**
     * Returns the parts of the tree that exist in a damaged torus, which may be unconnected. If there is no root, the
     * switch nearest to the middle is used.
     */
    static MulticastTree begun(Torus torus) {
        TorusTree tree = new TorusTree(torus);
        int[] candidates = roots(torus);
        int root = tree.root();
        int nearestToMiddle = candidates.length == 0 ? 0 : torus.slotOfSwitch(candidates[0]);
        return tree.new Growth(root == NONE ? nearestToMiddle : root).grow().finish();
    }

    /**
     * Returns all placed switches (indexes in the fabric) that can be the root of a tree; switches in the
     * middle of the torus come first.
     */
    static int[] roots(Torus torus) {
        return IntStream.range(0, torus.slots())
                .filter(slot -> hasMulticast(torus, slot))
                // the sort key: the distance in the upper half, the position in the lower
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
     * Returns the root that OpenSM chooses: the middle of the complete xy plane that is nearest to the middle z. If no
     * plane is complete, it is the switch of the middle plane that is nearest to the middle on the main diagonal, and
     * whose row and column are complete. {@link #NONE} if there is none.
     */
    private int root() {
        int middle = torus.radix(2) / 2;
        for (int away = 0; away <= middle; away++) {
            for (int z : new int[] {middle - away, middle + away}) {
                if (isWholePlane(Math.floorMod(z, torus.radix(2)))) {
                    return middleOfPlane(Math.floorMod(z, torus.radix(2)));
                }
            }
        }
        return middleOfPlane(middle);
    }

    private boolean isWholePlane(int z) {
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
                if (hasWholeCross(atX, atY, z)) {
                    return slotAt(atX, atY, z);
                }
            }
        }
        return NONE;
    }

    private boolean hasWholeCross(int x, int y, int z) {
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

    /** Returns the slot at a position; {@link #NONE} if there is no switch that a tree can have. */
    private int slotAt(int position) {
        int slot = torus.slotAt(position);
        return slot == NONE || !hasMulticast(torus, slot) ? NONE : slot;
    }

    /** One tree while it grows from its root. */
    private final class Growth {
        private final int root;

        /** By slot: the slot of the parent; {@link #NONE} for the root and outside of the tree. */
        private final int[] parent = new int[torus.slots()];

        /** By slot: the group of the parent whose cables lead here. */
        private final int[] groupOfParent = new int[torus.slots()];

        /** Number of switches in the tree. */
        private int reached = 1;

        Growth(int root) {
            this.root = root;
            Arrays.fill(parent, NONE);
        }

        /** Adds spine, ribs and columns. */
        Growth grow() {
            branch(root, 0);
            int position = torus.positionOf(root);
            for (int x = 0; x < torus.radix(0); x++) {
                int inSpine = torus.with(position, 0, x);
                if (slotAt(inSpine) != NONE) {
                    branch(slotAt(inSpine), 1);
                    for (int y = 0; y < torus.radix(1); y++) {
                        int inPlane = slotAt(torus.with(inSpine, 1, y));
                        if (inPlane != NONE) {
                            branch(inPlane, 2);
                        }
                    }
                }
            }
            return this;
        }

        /** Returns the tree if it has all switches with multicast tables; else empty. */
        Optional<MulticastTree> whole() {
            long wanted = IntStream.range(0, torus.slots())
                    .filter(slot -> hasMulticast(torus, slot))
                    .count();
            return reached == wanted ? Optional.of(finish()) : Optional.empty();
        }

        /** Adds both parts of a line up to its dateline; beyond it, if either part was interrupted before. */
        private void branch(int from, int d) {
            int minus = from;
            int plus = from;
            int coordinate = torus.coordinate(from, d);
            for (int i = 0; i < coordinate && minus != NONE; i++) {
                minus = attach(minus, 2 * d);
            }
            for (int i = coordinate + 1; i < torus.radix(d) && plus != NONE; i++) {
                plus = attach(plus, 2 * d + 1);
            }
            if (minus != NONE && plus != NONE) {
                return;
            }
            while (minus != NONE || plus != NONE) {
                minus = minus == NONE ? NONE : attach(minus, 2 * d);
                plus = plus == NONE ? NONE : attach(plus, 2 * d + 1);
            }
        }

        /** Attaches the next switch of a line; returns {@link #NONE} if there is none, or it is in the tree already. */
        private int attach(int tip, int group) {
            int next = torus.neighbour(tip, group);
            if (next < 0 || next == root || parent[next] != NONE || !hasMulticast(torus, next)) {
                return NONE;
            }
            parent[next] = tip;
            groupOfParent[next] = group;
            reached++;
            return next;
        }

        private MulticastTree finish() {
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
