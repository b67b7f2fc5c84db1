package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * SLtoVLMappingTable (IBA 14.2.5.8): the VL of each SL. AttributeModifier: input port in bits 15-8, output
 * port in 7-0; 0 for CAs.
 */
public final class SlToVlMappingTable extends Attribute<SlToVlMappingTable> {
    private static final Layout L = new Layout("SLtoVLMappingTable", 64);
    public static final Field ENTRIES = L.bits("SLtoVL", 0, 64);
    static final Field RESERVED_64 = L.bits("reserved", 64, 448);
    public static final AttributeType<SlToVlMappingTable> TYPE = L.type(0x0017, SlToVlMappingTable::new);

    private SlToVlMappingTable(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<SlToVlMappingTable> type() {
        return TYPE;
    }

    /**
     * Returns a table from its sixteen entries.
     *
     * @param packed VL of SL 0 in the four most significant bits, of SL 15 in the four least, as on the wire
     */
    public static SlToVlMappingTable of(long packed) {
        byte[] bytes = new byte[TYPE.layout().size()];
        ENTRIES.set(bytes, 0, packed);
        return TYPE.constructor().apply(bytes);
    }

    /** Returns all entries, SL 0 in the four most significant bits. */
    public long packed() {
        return get(ENTRIES);
    }

    /** Returns the VL of an SL. */
    public int vl(int sl) {
        return vl(packed(), sl);
    }

    /** Returns the VL of an SL in a packed table. */
    public static int vl(long packed, int sl) {
        return (int) (packed >>> (60 - 4 * sl)) & 0xf;
    }

    /**
     * Packs the VLs of SL 0 and up, at most sixteen; SLs that are not given use VL 0.
     *
     * @throws IllegalArgumentException if there are more, or one is not in 0 to 15
     */
    public static long pack(int... vls) {
        if (vls.length == 0 || vls.length > 16) {
            throw new IllegalArgumentException("1 to 16 VLs, not " + vls.length);
        }
        long packed = 0;
        for (int vl : vls) {
            if (vl < 0 || vl > 15) {
                throw new IllegalArgumentException("no VL: " + vl);
            }
            packed = packed << 4 | vl;
        }
        return packed << 4 * (16 - vls.length);
    }
}
