package io.torussm.mad.congestion;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * CongestionLog (IBA annex A10): the last congestion events of a switch or of a port of a channel adapter.
 * AttributeModifier 0; Get only. It begins at byte {@value CongestionMad#LOG_OFFSET} of the MAD. The meaning of the
 * fields behind LogType depends on it.
 */
public final class CongestionLog extends Attribute<CongestionLog> {
    /** LogType of a switch. */
    public static final int LOG_TYPE_SWITCH = 1;

    /** LogType of a channel adapter. */
    public static final int LOG_TYPE_ADAPTER = 2;

    /** The number of events of a switch. */
    public static final int SWITCH_EVENTS = 15;

    /** The number of events of a channel adapter. */
    public static final int ADAPTER_EVENTS = 13;

    private static final Layout L = new Layout("CongestionLog", 224);
    public static final Field LOG_TYPE = L.bits("LogType", 0, 8);
    public static final Field CONGESTION_FLAGS = L.bits("CongestionFlags", 8, 8);

    /** The number of events since the last reading (switch), or of threshold events (channel adapter). */
    public static final Field EVENT_COUNTER = L.bits("LogEventsCounter", 16, 16);

    static final Field DETAILS = L.bits("Details", 32, 1760);

    /** Switch: time of the log in units of 1.024 us. */
    public static final Field SWITCH_TIME = L.part(DETAILS, "CurrentTimeStamp", 32, 32);

    /** Switch: ports that marked packets; a big-endian number in which bit p is port p. */
    public static final Field PORT_MAP = L.part(DETAILS, "PortMap", 64, 256);

    /** Channel adapter: SLs (bit s: SL s) that reached their TriggerThreshold. */
    public static final Field EVENT_MAP = L.part(DETAILS, "ThresholdCongestionEventMap", 32, 16);

    /** Channel adapter: time of the log in units of 1.024 us. */
    public static final Field ADAPTER_TIME = L.part(DETAILS, "CurrentTimeStamp", 64, 32);

    public static final AttributeType<CongestionLog> TYPE = L.type(0x0013, CongestionLog::new);

    private static final int SWITCH_EVENTS_AT = 40;
    private static final Layout S = new Layout("CongestionLogEventSwitch", 12);
    public static final Field SLID = S.bits("SLID", 0, 16);
    public static final Field DLID = S.bits("DLID", 16, 16);
    public static final Field SL = S.bits("SL", 32, 4);
    static final Field RESERVED_36 = S.bits("reserved", 36, 28);
    public static final Field EVENT_TIME = S.bits("Timestamp", 64, 32);

    /** The declaration of an event of a switch. */
    public static final Layout SWITCH_EVENT = S.complete();

    private static final int ADAPTER_EVENTS_AT = 12;
    private static final Layout A = new Layout("CongestionLogEventCA", 16);
    public static final Field LOCAL_QP = A.bits("Local_QP_CN_Entry", 0, 24);
    public static final Field EVENT_SL = A.bits("SL_CN_Entry", 24, 4);
    public static final Field SERVICE_TYPE = A.bits("Service_Type_CN_Entry", 28, 4);
    public static final Field REMOTE_QP = A.bits("Remote_QP_Number_CN_Entry", 32, 24);
    static final Field RESERVED_56 = A.bits("reserved", 56, 8);
    public static final Field LOCAL_LID = A.bits("Local_LID_CN", 64, 16);
    public static final Field REMOTE_LID = A.bits("Remote_LID_CN_Entry", 80, 16);
    public static final Field ADAPTER_EVENT_TIME = A.bits("Timestamp_CN_Entry", 96, 32);

    /** The declaration of an event of a channel adapter, after the erratum of 2010. */
    public static final Layout ADAPTER_EVENT = A.complete();

    private CongestionLog(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<CongestionLog> type() {
        return TYPE;
    }

    /** Checks whether the log is that of a switch. */
    public boolean isOfSwitch() {
        return getInt(LOG_TYPE) == LOG_TYPE_SWITCH;
    }

    /** Returns the numbers of the ports of a switch that marked packets, in ascending order. */
    public int[] markingPorts() {
        byte[] map = getBytes(PORT_MAP);
        return IntStream.range(0, map.length * Byte.SIZE)
                .filter(port -> (map[map.length - 1 - port / Byte.SIZE] >> port % Byte.SIZE & 1) != 0)
                .toArray();
    }

    /**
     * Returns the bytes of one event, to be read by the fields of its declaration.
     *
     * @param index 0 to {@value #SWITCH_EVENTS} - 1 or {@value #ADAPTER_EVENTS} - 1
     */
    public byte[] event(int index) {
        int at = eventAt(index);
        return Arrays.copyOfRange(toBytes(), at, at + eventLayout().size());
    }

    /**
     * Returns a copy with another event at an index. The log needs its LogType before, since the events of a switch and
     * of a channel adapter differ in size.
     *
     * @param index 0 to {@value #SWITCH_EVENTS} - 1 or {@value #ADAPTER_EVENTS} - 1
     * @param event bytes of the declaration that belongs to the LogType
     */
    public CongestionLog withEvent(int index, byte[] event) {
        if (event.length != eventLayout().size()) {
            throw new IllegalArgumentException(event.length + " bytes, but "
                    + eventLayout().name() + " has " + eventLayout().size());
        }
        byte[] bytes = toBytes();
        System.arraycopy(event, 0, bytes, eventAt(index), event.length);
        return TYPE.read(bytes, 0);
    }

    private Layout eventLayout() {
        return isOfSwitch() ? SWITCH_EVENT : ADAPTER_EVENT;
    }

    private int eventAt(int index) {
        Objects.checkIndex(index, isOfSwitch() ? SWITCH_EVENTS : ADAPTER_EVENTS);
        return (isOfSwitch() ? SWITCH_EVENTS_AT : ADAPTER_EVENTS_AT)
                + index * eventLayout().size();
    }

    /**
     * Returns the LID of the other side of an event of a channel adapter. Devices from before the erratum have it in
     * the first half of its word and 0 in the second.
     */
    public static int remoteLid(byte[] event) {
        int lid = (int) REMOTE_LID.get(event, 0);
        return lid != 0 ? lid : (int) LOCAL_LID.get(event, 0);
    }
}
