package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * VLArbitrationTable (IBA 14.2.5.9): 32 pairs of VL and weight. AttributeModifier: part (1, 2 low, 3, 4 high)
 * in the upper half, port in the lower.
 */
public final class VlArbitrationTable extends Attribute<VlArbitrationTable> {
    /** Pairs in one part. */
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

    /** Returns the VL of a pair. */
    public int vl(int entry) {
        return getByte(ENTRIES, 2 * entry) & 0xf;
    }

    /** Returns the weight of a pair in units of 64 bytes; 0 skips it. */
    public int weight(int entry) {
        return getByte(ENTRIES, 2 * entry + 1);
    }

    /** Returns the VLs (bit n: VL n) that some pair gives weight. */
    public int servedVls() {
        int vls = 0;
        for (int i = 0; i < ENTRIES_PER_PART; i++) {
            vls |= weight(i) == 0 ? 0 : 1 << vl(i);
        }
        return vls;
    }

    /**
     * Checks whether another part in the place of this one would serve the packets of some VLs equally.
     * Arbitration skips entries without weight and VLs without packets (IBA 7.6.9.2).
     *
     * @param vls VLs of the packets (bit n: VL n)
     */
    public boolean servesLike(VlArbitrationTable other, int vls) {
        int theirs = 0;
        for (int i = 0; i < ENTRIES_PER_PART; i++) {
            if (!serves(i, vls)) {
                continue;
            }
            while (theirs < ENTRIES_PER_PART && !other.serves(theirs, vls)) {
                theirs++;
            }
            if (theirs == ENTRIES_PER_PART || other.vl(theirs) != vl(i) || other.weight(theirs) != weight(i)) {
                return false;
            }
            theirs++;
        }
        while (theirs < ENTRIES_PER_PART && !other.serves(theirs, vls)) {
            theirs++;
        }
        return theirs == ENTRIES_PER_PART;
    }

    private boolean serves(int entry, int vls) {
        return weight(entry) != 0 && (vls >> vl(entry) & 1) != 0;
    }
}
