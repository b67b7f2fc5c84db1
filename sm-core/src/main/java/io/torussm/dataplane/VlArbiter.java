package io.torussm.dataplane;

import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.routing.VlArbitrationPolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * The VL arbitration of a port (IBA 7.6.9): weighted round robin in the table of high priority until its
 * limit is used up while a VL of low priority waits, then one packet of low priority. A VL without weight in
 * either table never sends.
 */
final class VlArbiter {
    static final int NONE = -1;

    private static final int UNLIMITED = 255;
    private static final int LIMIT_BYTES = 4096;

    private final Table high;
    private final Table low;

    /** Bytes of high priority after which a packet of low priority is sent. */
    private final int highLimitBytes;

    private int remainingHighBytes;

    /** The table of the last pick. */
    private Table lastTable;

    VlArbiter(VlArbitrationPolicy.Tables tables) {
        high = new Table(List.of(tables.high0(), tables.high1()));
        low = new Table(List.of(tables.low0(), tables.low1()));
        highLimitBytes =
                tables.highLimit() == UNLIMITED ? Integer.MAX_VALUE : Math.max(1, tables.highLimit() * LIMIT_BYTES);
        remainingHighBytes = highLimitBytes;
        lastTable = low;
    }

    /** Checks whether a VL has a weight. */
    boolean hasWeight(int vl) {
        return ((high.vls | low.vls) >> vl & 1) != 0;
    }

    /**
     * Returns the next VL.
     *
     * @param ready bit n: VL n has a packet and credits for it
     * @return NONE if none of them has a weight
     */
    int pick(int ready) {
        if ((ready & low.vls) == 0) {
            remainingHighBytes = highLimitBytes;
        }
        lastTable = (ready & high.vls) != 0 && remainingHighBytes > 0 ? high : low;
        return (ready & lastTable.vls) == 0 ? NONE : lastTable.pick(ready);
    }

    /** Accounts for the sent packet of the picked VL. */
    void send(int bytes) {
        lastTable.remainingBytes -= bytes;
        if (lastTable == low) {
            remainingHighBytes = highLimitBytes;
        } else if (highLimitBytes != Integer.MAX_VALUE) {
            remainingHighBytes -= bytes;
        }
    }

    /** One of the two tables, and its present entry. */
    private static final class Table {
        private static final int WEIGHT_BYTES = 64;

        final int vls;
        private final int[] vl;
        private final int[] bytes;
        private int index;
        int remainingBytes;

        Table(List<VlArbitrationTable> parts) {
            List<int[]> entries = new ArrayList<>();
            int all = 0;
            for (VlArbitrationTable part : parts) {
                for (int i = 0; i < VlArbitrationTable.ENTRIES_PER_PART; i++) {
                    if (part.weight(i) > 0) {
                        entries.add(new int[] {part.vl(i), part.weight(i) * WEIGHT_BYTES});
                        all |= 1 << part.vl(i);
                    }
                }
            }
            vls = all;
            vl = entries.stream().mapToInt(entry -> entry[0]).toArray();
            bytes = entries.stream().mapToInt(entry -> entry[1]).toArray();
            remainingBytes = bytes.length == 0 ? 0 : bytes[0];
        }

        int pick(int ready) {
            while (remainingBytes <= 0 || (ready >> vl[index] & 1) == 0) {
                index = index + 1 == vl.length ? 0 : index + 1;
                remainingBytes = bytes[index];
            }
            return vl[index];
        }
    }
}
