package io.torussm.mad.smp;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.Arrays;

/** LinearForwardingTable (IBA 14.2.5.10): the egress ports of 64 LIDs. AttributeModifier is the number of the block. */
public final class LinearForwardingTable extends Attribute<LinearForwardingTable> {
    /** LIDs in a block. */
    public static final int LIDS_PER_BLOCK = 64;

    /** The entry of a LID whose packets are discarded. */
    public static final int NO_PATH = 0xFF;

    /** {@link #NO_PATH} as a byte. */
    public static final byte NO_PATH_ENTRY = (byte) NO_PATH;

    private static final Layout L = new Layout("LinearForwardingTable", 64);
    public static final Field PORTS = L.bits("PortBlock", 0, 512);
    public static final AttributeType<LinearForwardingTable> TYPE = L.type(0x0019, LinearForwardingTable::new);

    private LinearForwardingTable(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<LinearForwardingTable> type() {
        return TYPE;
    }

    /**
     * Returns a block of a whole table. Entries beyond its end are {@link #NO_PATH}.
     *
     * @param lft egress ports by LID
     * @param block number of the block, which begins at LID {@code block * 64}
     */
    public static LinearForwardingTable blockOf(byte[] lft, int block) {
        byte[] bytes = new byte[LIDS_PER_BLOCK];
        int firstLid = Math.min(block * LIDS_PER_BLOCK, lft.length);
        int count = Math.min(LIDS_PER_BLOCK, lft.length - firstLid);
        System.arraycopy(lft, firstLid, bytes, 0, count);
        Arrays.fill(bytes, count, LIDS_PER_BLOCK, NO_PATH_ENTRY);
        return TYPE.constructor().apply(bytes);
    }

    /** Returns the egress port of LID {@code block * 64 + i}. */
    public int port(int i) {
        return getByte(PORTS, i);
    }
}
