package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * SLtoVLMappingTable (IBA 14.2.5.8): the VL of each SL. AttributeModifier: input port in bits 15-8, output port in bits
 * 7-0; 0 for channel adapters.
 *
 * <p>A packed table is a {@code long} with the VL of SL 0 in the four most significant bits and that of SL 15 in the
 * four least significant ones, as on the wire.
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

    /** Returns the attribute of a packed table. */
    public static SlToVlMappingTable of(long packed) {
        byte[] bytes = new byte[TYPE.layout().size()];
        ENTRIES.set(bytes, 0, packed);
        return TYPE.constructor().apply(bytes);
    }

    /** Returns the packed table. */
    public long packed() {
        return get(ENTRIES);
    }

    /** Returns the VL of an SL, 0 to 15. */
    public int vl(int sl) {
        return vl(packed(), sl);
    }

    /** Returns the VL of an SL, 0 to 15, in a packed table. */
    public static int vl(long packed, int sl) {
        return (int) (packed >>> (60 - 4 * sl)) & 0xf;
    }

    /**
     * Returns a packed table.
     *
     * @param vls VLs of SL 0 and up, 1 to 16 of them; other SLs have VL 0
     * @throws IllegalArgumentException if their number is not in 1 to 16, or a VL is not in 0 to 15
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
