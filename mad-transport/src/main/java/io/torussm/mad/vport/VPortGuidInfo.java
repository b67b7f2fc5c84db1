package io.torussm.mad.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.smp.GuidInfo;
import java.util.Objects;

/**
 * VPortGUIDInfo (vendor attribute 0xFFB5): eight GUIDs of a vport. Entry 0 of block 0 is its own GUID, and read-only.
 * AttributeModifier: {@link VPortModifier}. The layout is inferred from GUIDInfo.
 */
public final class VPortGuidInfo extends Attribute<VPortGuidInfo> {
    private static final Layout L = new Layout("VPortGUIDInfo", 64);
    public static final Field GUIDS = L.bits("GUIDBlock", 0, 512);
    public static final AttributeType<VPortGuidInfo> TYPE = L.type(0xffb5, VPortGuidInfo::new);

    private VPortGuidInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<VPortGuidInfo> type() {
        return TYPE;
    }

    /** Returns a block of GUIDs, up to eight; missing ones are 0. */
    public static VPortGuidInfo of(long... guids) {
        VPortGuidInfo block = TYPE.zero();
        for (int i = 0; i < guids.length; i++) {
            block = block.with(field(i), guids[i]);
        }
        return block;
    }

    private static Field field(int i) {
        return new Field("GUID", Objects.checkIndex(i, GuidInfo.GUIDS_PER_BLOCK) * Long.SIZE, Long.SIZE);
    }

    /** Returns the block with another entry 0. */
    public VPortGuidInfo withOwnGuid(long guid) {
        return with(field(0), guid);
    }

    /** Returns GUID {@code i} of the block, 0 to 7. */
    public long guid(int i) {
        return get(field(i));
    }
}
