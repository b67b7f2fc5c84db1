package io.torussm.history;

import org.jspecify.annotations.Nullable;

/**
 * The key of a row of a state; the order keeps rows of one type together.
 *
 * @param a a GUID, which is stable when indexes change; 0 for a type with one row
 * @param b a port number, or the number of a row of this type
 */
record RowKey(RowType kind, long a, int b) implements Comparable<RowKey> {
    /** The types of rows, with their numbers in files. */
    enum RowType {
        /** The subnet as a whole; one row. */
        SUBNET(0),
        /** The lattice of the torus; one row, or none. */
        LATTICE(1),
        /** A node, by NodeGUID: its type, name and coordinates. */
        NODE(2),
        /** The ports of a node that are linked or have an address, by NodeGUID. */
        PORTS(3),
        /** A cable, by NodeGUID and port of its lower end. */
        CABLE(4),
        /** The forwarding table of a switch, by NodeGUID: a byte for each LID. */
        LFT(5),
        /** SLs of paths from a switch, by NodeGUID: a byte for each LID. */
        SL(6),
        /** SL2VL tables of a switch or of the end ports of another node, by NodeGUID. */
        SL2VL(7),
        /** The position of a switch in the multicast tree, by NodeGUID. */
        TREE(8),
        /** A ring of the torus, by dimension and first position. */
        RING(9),
        /** A cable that is missing, by port GUID and port of its near end. */
        LOST(10),
        /** A condition, by its number. */
        CONDITION(11);

        private final int number;

        RowType(int number) {
            this.number = number;
        }

        /** Returns the number in files. */
        int number() {
            return number;
        }

        /** Returns the type with a number; null if there is none. */
        static @Nullable RowType of(int number) {
            for (RowType kind : values()) {
                if (kind.number == number) {
                    return kind;
                }
            }
            return null;
        }
    }

    /**
     * Compares by hand: a chain of comparators makes two objects for each comparison of GUIDs, half a million for a
     * large fabric.
     */
    @Override
    public int compareTo(RowKey other) {
        int byKind = kind.compareTo(other.kind);
        int byGuid = byKind != 0 ? byKind : Long.compareUnsigned(a, other.a);
        return byGuid != 0 ? byGuid : Integer.compare(b, other.b);
    }
}
