package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.Objects;

/** GUIDInfo (IBA 14.2.5.5): eight GUIDs of a port. AttributeModifier is the number of the block. */
public final class GuidInfo extends Attribute<GuidInfo> {
    /** GUIDs in a block. */
    public static final int GUIDS_PER_BLOCK = 8;

    private static final Layout L = new Layout("GUIDInfo", 64);
    public static final Field GUIDS = L.bits("GUIDBlock", 0, 512);
    public static final AttributeType<GuidInfo> TYPE = L.type(0x0014, GuidInfo::new);

    private GuidInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<GuidInfo> type() {
        return TYPE;
    }

    /** Returns a block of eight GUIDs. */
    public static GuidInfo of(long[] guids) {
        GuidInfo block = TYPE.zero();
        for (int i = 0; i < GUIDS_PER_BLOCK; i++) {
            block = block.with(field(i), guids[i]);
        }
        return block;
    }

    private static Field field(int i) {
        return new Field("GUID", Objects.checkIndex(i, GUIDS_PER_BLOCK) * Long.SIZE, Long.SIZE);
    }

    /** Returns GUID {@code i} of the block, 0 to 7. */
    public long guid(int i) {
        return get(field(i));
    }
}
