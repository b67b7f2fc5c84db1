package io.torussm.mad.vport;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.Objects;

/**
 * VPortState (vendor attribute 0xFFB3): the states of 128 vports, four bits each. Get only. AttributeModifier: number
 * of the block. A vport that does not exist has 0 or Down.
 */
public final class VPortStateTable extends Attribute<VPortStateTable> {
    /** Vports in a block. */
    public static final int VPORTS_PER_BLOCK = 128;

    private static final Layout L = new Layout("VPortState", 64);
    public static final Field STATES = L.bits("VPortStateBlock", 0, 512);
    public static final AttributeType<VPortStateTable> TYPE = L.type(0xffb3, VPortStateTable::new);

    private VPortStateTable(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<VPortStateTable> type() {
        return TYPE;
    }

    /** Returns the block that contains a vport. */
    public static int block(int vport) {
        return vport / VPORTS_PER_BLOCK;
    }

    /** Returns a block of states, up to 128; missing ones are 0. */
    public static VPortStateTable of(int... states) {
        VPortStateTable table = TYPE.zero();
        for (int i = 0; i < states.length; i++) {
            table = table.with(field(i), states[i]);
        }
        return table;
    }

    private static Field field(int i) {
        return new Field("VPortState", 4 * Objects.checkIndex(i, VPORTS_PER_BLOCK), 4);
    }

    /** Returns the state of vport {@code block * 128 + i}. */
    public int state(int i) {
        return getInt(field(i));
    }
}
