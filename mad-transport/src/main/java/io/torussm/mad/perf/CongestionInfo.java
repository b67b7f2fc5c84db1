package io.torussm.mad.perf;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;

/** CongestionInfo (IBA A10.4.3.3): the support of congestion control by a port. AttributeModifier 0. */
public final class CongestionInfo extends Attribute<CongestionInfo> {
    /** CongestionInfo bit 0: a switch that marks packets which wait for credits too. */
    public static final int CREDIT_STARVATION = 1;

    /** ClassVersion of congestion control. */
    public static final int CLASS_VERSION = 2;

    /** Byte offset of the attribute in a MAD: behind the common header, the CC_Key and 32 bytes for logs. */
    public static final int DATA = 64;

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

    /**
     * Returns a Get with CC_Key 0. Reading needs no key unless a manager has set both a key and its
     * protection.
     *
     * @param tid TransactionID; 0 if the sender assigns one
     */
    public static byte[] get(long tid) {
        return MadHeader.create(MgmtClass.CONGESTION_CONTROL, CLASS_VERSION, Method.GET, tid, TYPE.id(), 0);
    }
}
