package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;

/**
 * MultiPathRecord (IBA 15.2.5.20): a request for paths between several ports. SGIDCount source GIDs and DGIDCount
 * destination GIDs follow it in the MAD.
 */
public final class MultiPathRecord extends Attribute<MultiPathRecord> {
    private static final Layout L = new Layout("MultiPathRecord", 24);
    public static final Field RAW_TRAFFIC = L.bits("RawTraffic", 0, 1);
    static final Field RESERVED_1 = L.bits("reserved", 1, 3);
    public static final Field FLOW_LABEL = L.bits("FlowLabel", 4, 20);
    public static final Field HOP_LIMIT = L.bits("HopLimit", 24, 8);
    public static final Field TCLASS = L.bits("TClass", 32, 8);
    public static final Field REVERSIBLE = L.bits("Reversible", 40, 1);
    public static final Field NUMB_PATH = L.bits("NumbPath", 41, 7);
    public static final Field P_KEY = L.bits("P_Key", 48, 16);
    public static final Field QOS_CLASS = L.bits("QoSClass", 64, 12);
    public static final Field SL = L.bits("SL", 76, 4);
    public static final Field MTU_SELECTOR = L.bits("MtuSelector", 80, 2);
    public static final Field MTU = L.bits("Mtu", 82, 6);
    public static final Field RATE_SELECTOR = L.bits("RateSelector", 88, 2);
    public static final Field RATE = L.bits("Rate", 90, 6);
    public static final Field PACKET_LIFE_TIME_SELECTOR = L.bits("PacketLifeTimeSelector", 96, 2);
    public static final Field PACKET_LIFE_TIME = L.bits("PacketLifeTime", 98, 6);
    public static final Field SERVICE_ID_8MSB = L.bits("ServiceID8MSB", 104, 8);
    public static final Field INDEPENDENCE_SELECTOR = L.bits("IndependenceSelector", 112, 2);
    static final Field RESERVED_114 = L.bits("reserved", 114, 6);
    public static final Field SGID_COUNT = L.bits("SGIDCount", 120, 8);
    public static final Field DGID_COUNT = L.bits("DGIDCount", 128, 8);
    public static final Field SERVICE_ID_56LSB = L.bits("ServiceID56LSB", 136, 56);
    public static final AttributeType<MultiPathRecord> TYPE = L.type(0x003a, MultiPathRecord::new);

    /** The component mask of the record. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 22);

    private MultiPathRecord(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<MultiPathRecord> type() {
        return TYPE;
    }
}
