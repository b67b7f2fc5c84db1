package io.torussm.history;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Which row of a state, in an order that keeps rows of a kind together.
 *
 * @param a a GUID, which stays when indexes move; 0 where there is but one
 * @param b a port number, or the number of a row among its like
 */
record RowKey(Kind kind, long a, int b) implements Comparable<RowKey> {
    private static final Comparator<RowKey> ORDER = Comparator.comparing(RowKey::kind)
            .thenComparing(RowKey::a, Long::compareUnsigned)
            .thenComparingInt(RowKey::b);

    /** What rows say. New kinds come last: their numbers are in files. */
    enum Kind {
        /** The subnet as a whole; one row. */
        SUBNET,
        /** The lattice of the torus; one row, or none. */
        LATTICE,
        /** A node, by NodeGUID: what it is, its name, and its place. */
        NODE,
        /** The ports of a node that are linked or have an address, by NodeGUID. */
        PORTS,
        /** A cable, by NodeGUID and port of its lower end. */
        CABLE,
        /** The forwarding table of a switch, by NodeGUID: a byte for each LID. */
        LFT,
        /** SLs of paths from a switch, by NodeGUID: a byte for each LID. */
        SL,
        /** SL2VL tables of a switch or of the end ports of another node, by NodeGUID. */
        SL2VL,
        /** Where a switch hangs in the tree of multicast, by NodeGUID. */
        TREE,
        /** A ring of the torus, by dimension and first position. */
        RING,
        /** A cable that is missing, by port GUID and port of its near end. */
        LOST,
        /** A condition, by its number. */
        CONDITION;

        private static final Kind[] ALL = values();

        /** The kind of a number; null if there is none. */
        static @Nullable Kind of(int number) {
            return number < 0 || number >= ALL.length ? null : ALL[number];
        }
    }

    @Override
    public int compareTo(RowKey other) {
        return ORDER.compare(this, other);
    }
}
