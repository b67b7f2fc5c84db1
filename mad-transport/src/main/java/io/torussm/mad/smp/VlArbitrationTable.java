package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * VLArbitrationTable (IBA 14.2.5.9): a part of 32 entries, each a VL and its weight. AttributeModifier: number of the
 * part in the upper half (1 and 2 are of the low priority table, 3 and 4 of the high one), port number in the lower
 * half.
 */
public final class VlArbitrationTable extends Attribute<VlArbitrationTable> {
    /** Entries in one part. */
    public static final int ENTRIES_PER_PART = 32;

    private static final Layout L = new Layout("VLArbitrationTable", 64);
    public static final Field ENTRIES = L.bits("VL/WeightPairs", 0, 512);
    public static final AttributeType<VlArbitrationTable> TYPE = L.type(0x0018, VlArbitrationTable::new);

    private VlArbitrationTable(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<VlArbitrationTable> type() {
        return TYPE;
    }

    /** Returns the VL (0 to 15) of an entry (0 to 31). */
    public int vl(int entry) {
        return getByte(ENTRIES, 2 * entry) & 0xf;
    }

    /** Returns the weight (0 to 255) of an entry in units of 64 bytes. Arbitration skips an entry of weight 0. */
    public int weight(int entry) {
        return getByte(ENTRIES, 2 * entry + 1);
    }

    /** Returns the VLs that have an entry with a weight, as bits (bit n: VL n). */
    public int servedVls() {
        int vls = 0;
        for (int i = 0; i < ENTRIES_PER_PART; i++) {
            vls |= weight(i) == 0 ? 0 : 1 << vl(i);
        }
        return vls;
    }

    /**
     * Checks whether another part would serve the packets of some VLs as this part does. Arbitration skips entries
     * without weight and VLs without packets (IBA 7.6.9.2). So the remaining entries of both parts must have
     * equal sequences.
     *
     * @param vls VLs of the packets (bit n: VL n)
     */
    public boolean isEquivalentFor(VlArbitrationTable other, int vls) {
        int j = 0;
        for (int i = 0; i < ENTRIES_PER_PART; i++) {
            if (!serves(i, vls)) {
                continue;
            }
            while (j < ENTRIES_PER_PART && !other.serves(j, vls)) {
                j++;
            }
            if (j == ENTRIES_PER_PART || other.vl(j) != vl(i) || other.weight(j) != weight(i)) {
                return false;
            }
            j++;
        }
        while (j < ENTRIES_PER_PART && !other.serves(j, vls)) {
            j++;
        }
        return j == ENTRIES_PER_PART;
    }

    private boolean serves(int entry, int vls) {
        return weight(entry) != 0 && (vls >> vl(entry) & 1) != 0;
    }
}
