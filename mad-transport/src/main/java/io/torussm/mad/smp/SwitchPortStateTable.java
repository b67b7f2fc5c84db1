package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * SwitchPortStateTable (IBA 14.2.5.20): the PortState of 128 ports of a switch, four bits each. AttributeModifier is
 * the number of the block, 0 or 1. Only switches with {@link PortInfo#CAP2_SWITCH_PORT_STATE_TABLE} at port 0 support
 * it.
 */
public final class SwitchPortStateTable extends Attribute<SwitchPortStateTable> {
    /** Ports in a block. */
    public static final int PORTS_PER_BLOCK = 128;

    /** Blocks of a table. */
    public static final int BLOCKS = 2;

    private static final Layout L = new Layout("SwitchPortStateTable", 64);
    public static final Field STATES = L.bits("PortState", 0, 512);
    public static final AttributeType<SwitchPortStateTable> TYPE = L.type(0x0034, SwitchPortStateTable::new);

    private SwitchPortStateTable(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<SwitchPortStateTable> type() {
        return TYPE;
    }

    /** Returns the number of the block that contains a port. */
    public static int block(int portNum) {
        return portNum / PORTS_PER_BLOCK;
    }

    /**
     * Returns a block.
     *
     * @param states PortState of each port of the block, up to 128; missing ones are 0
     */
    public static SwitchPortStateTable of(int... states) {
        byte[] bytes = new byte[TYPE.layout().size()];
        for (int i = 0; i < states.length; i++) {
            bytes[i / 2] |= (byte) (states[i] << (i % 2 == 0 ? 4 : 0));
        }
        return TYPE.constructor().apply(bytes);
    }

    /** Returns the PortState of port {@code block * 128 + i}. */
    public int portState(int i) {
        return getByte(STATES, i / 2) >>> (i % 2 == 0 ? 4 : 0) & 0xf;
    }
}
