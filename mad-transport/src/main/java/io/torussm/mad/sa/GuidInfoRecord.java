package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.smp.GuidInfo;
import java.util.Objects;

/** GUIDInfoRecord (IBA 15.2.5.18): eight GUIDs of a port, each a component. */
public final class GuidInfoRecord extends Attribute<GuidInfoRecord> {
    private static final Layout L = new Layout("GUIDInfoRecord", 72);
    public static final Field LID = L.bits("LID", 0, 16);
    public static final Field BLOCK_NUM = L.bits("BlockNum", 16, 8);
    static final Field RESERVED_24 = L.bits("reserved", 24, 8);
    static final Field RESERVED_32 = L.bits("reserved", 32, 32);

    static {
        for (int i = 0; i < GuidInfo.GUIDS_PER_BLOCK; i++) {
            L.bits("GUID" + i, 64 + Long.SIZE * i, Long.SIZE);
        }
    }

    public static final AttributeType<GuidInfoRecord> TYPE = L.type(0x0030, GuidInfoRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 12);

    private GuidInfoRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<GuidInfoRecord> type() {
        return TYPE;
    }

    /** Returns the field of GUID {@code i} of the block, 0 to 7. */
    public static Field guid(int i) {
        return TYPE.layout().fields().get(4 + Objects.checkIndex(i, GuidInfo.GUIDS_PER_BLOCK));
    }
}
