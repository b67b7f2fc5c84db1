package io.torussm.mad.sa;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Layout;

/** PathRecord (IBA 15.2.5.16): the addresses and properties of a path between two ports. */
public final class PathRecord extends Attribute<PathRecord> {
    /**
     * Selectors of MTU, rate and packet life time (IBA 15.2.5.16): the value of the path is greater than, less than or
     * equal to the requested one, or the best possible.
     */
    public static final int GREATER = 0;

    public static final int LESS = 1;
    public static final int EXACTLY = 2;
    public static final int BEST = 3;

    private static final Layout L = new Layout("PathRecord", 64);
    public static final Field SERVICE_ID_8 = L.bits("ServiceID8MSB", 0, 8);
    public static final Field SERVICE_ID_56 = L.bits("ServiceID56LSB", 8, 56);
    public static final Field DGID = L.bits("DGID", 64, 128);
    public static final Field SGID = L.bits("SGID", 192, 128);
    public static final Field DLID = L.bits("DLID", 320, 16);
    public static final Field SLID = L.bits("SLID", 336, 16);
    public static final Field RAW_TRAFFIC = L.bits("RawTraffic", 352, 1);
    static final Field RESERVED_353 = L.bits("reserved", 353, 3);
    public static final Field FLOW_LABEL = L.bits("FlowLabel", 356, 20);
    public static final Field HOP_LIMIT = L.bits("HopLimit", 376, 8);
    public static final Field T_CLASS = L.bits("TClass", 384, 8);
    public static final Field REVERSIBLE = L.bits("Reversible", 392, 1);
    public static final Field NUMB_PATH = L.bits("NumbPath", 393, 7);
    public static final Field P_KEY = L.bits("P_Key", 400, 16);
    public static final Field QOS_CLASS = L.bits("QoSClass", 416, 12);
    public static final Field SL = L.bits("SL", 428, 4);
    public static final Field MTU_SELECTOR = L.bits("MtuSelector", 432, 2);
    public static final Field MTU = L.bits("Mtu", 434, 6);
    public static final Field RATE_SELECTOR = L.bits("RateSelector", 440, 2);
    public static final Field RATE = L.bits("Rate", 442, 6);
    public static final Field PACKET_LIFE_TIME_SELECTOR = L.bits("PacketLifeTimeSelector", 448, 2);
    public static final Field PACKET_LIFE_TIME = L.bits("PacketLifeTime", 450, 6);

    /** Rank among several paths. The field has no mask bit. */
    public static final Field PREFERENCE = L.bits("Preference", 456, 8);

    static final Field RESERVED_464 = L.bits("reserved", 464, 48);
    public static final AttributeType<PathRecord> TYPE = L.type(0x0035, PathRecord::new);

    /** The component mask of the record. ServiceID has two components. */
    public static final ComponentMask COMPONENTS = new ComponentMask(TYPE.layout(), 22);

    private PathRecord(byte[] bytes) {
        super(bytes);
    }

    /**
     * Checks whether the value of a path satisfies a selector.
     *
     * @param selector {@link #GREATER} to {@link #BEST}
     * @param comparison result of comparing the value of the path with the requested value: negative if less
     */
    public static boolean meets(int selector, int comparison) {
        return switch (selector) {
            case GREATER -> comparison > 0;
            case LESS -> comparison < 0;
            case EXACTLY -> comparison == 0;
            default -> true;
        };
    }

    @Override
    public AttributeType<PathRecord> type() {
        return TYPE;
    }

    public Gid dgid() {
        return getGid(DGID);
    }

    public Gid sgid() {
        return getGid(SGID);
    }

    public int dlid() {
        return getInt(DLID);
    }

    public int slid() {
        return getInt(SLID);
    }

    public int sl() {
        return getInt(SL);
    }

    /** Returns the MTU code, 1 to 5. */
    public int mtu() {
        return getInt(MTU);
    }

    /** Returns the rate code (IBA 15.2.5.16.1). */
    public int rate() {
        return getInt(RATE);
    }
}
