package io.torussm.mad.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.smp.PKeyTable;
import java.util.Objects;

/**
 * VPortPKeyTable (vendor attribute 0xFFB6): 32 P_Keys of a vport, as P_KeyTable. AttributeModifier:
 * {@link VPortModifier}. A vport has {@link VNodeInfo#partitionCap} P_Keys.
 */
public final class VPortPKeyTable extends Attribute<VPortPKeyTable> {
    private static final Layout L = new Layout("VPortPKeyTable", 64);
    public static final Field P_KEYS = L.bits("P_KeyTableBlock", 0, 512);
    public static final AttributeType<VPortPKeyTable> TYPE = L.type(0xffb6, VPortPKeyTable::new);

    private VPortPKeyTable(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<VPortPKeyTable> type() {
        return TYPE;
    }

    /** Returns the block that begins with entry {@code 32 * block} of a table; entries that it lacks are 0. */
    public static VPortPKeyTable blockOf(short[] table, int block) {
        return of(PKeyTable.blockOf(table, block));
    }

    /** Returns the block of a vport with the content of a block of a port. */
    public static VPortPKeyTable of(PKeyTable content) {
        return TYPE.read(content.toBytes(), 0);
    }

    /** Returns this content as a block of a port. */
    public PKeyTable toPKeyTable() {
        return PKeyTable.TYPE.read(toBytes(), 0);
    }

    /** Returns P_Key {@code i} of the block, 0 to 31; the top bit is full membership. */
    public int pKey(int i) {
        int at = 2 * Objects.checkIndex(i, PKeyTable.KEYS_PER_BLOCK);
        return getByte(P_KEYS, at) << Byte.SIZE | getByte(P_KEYS, at + 1);
    }
}
