package io.torussm.mad.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/** CongestionInfo (IBA A10.4.3.3): the support of congestion control by a port. AttributeModifier 0; Get only. */
public final class CongestionInfo extends Attribute<CongestionInfo> {
    /** CongestionInfo bit 0: a switch that marks packets which wait for credits too. */
    public static final int CREDIT_STARVATION = 1;

    private static final Layout L = new Layout("CongestionInfo", 4);
    public static final Field CONGESTION_INFO = L.bits("CongestionInfo", 0, 16);

    /** Blocks of 64 entries in the CongestionControlTable of a channel adapter. */
    public static final Field CONTROL_TABLE_CAP = L.bits("ControlTableCap", 16, 8);

    static final Field RESERVED_24 = L.bits("reserved", 24, 8);
    public static final AttributeType<CongestionInfo> TYPE = L.type(0x0011, CongestionInfo::new);

    private CongestionInfo(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<CongestionInfo> type() {
        return TYPE;
    }

    /** Returns the support of a port. */
    public static CongestionInfo of(int capabilities, int tableBlocks) {
        return TYPE.zero().with(CONGESTION_INFO, capabilities).with(CONTROL_TABLE_CAP, tableBlocks);
    }

    /** Checks whether a switch marks packets that wait for credits. */
    public boolean hasCreditStarvation() {
        return (get(CONGESTION_INFO) & CREDIT_STARVATION) != 0;
    }

    /** Returns the number of blocks of 64 entries in the CongestionControlTable, 0 to 255. */
    public int tableBlocks() {
        return getInt(CONTROL_TABLE_CAP);
    }
}
