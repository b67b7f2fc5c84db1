package io.torussm.mad.perf;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.List;

/** PortCounters (IBA 16.1.3.5): the counters of every port, which stop at their max value. AttributeModifier is 0. */
public final class PortCounters extends Attribute<PortCounters> {
    private static final Layout L = new Layout("PortCounters", 44);
    static final Field RESERVED_0 = L.bits("reserved", 0, 8);
    public static final Field PORT_SELECT = L.bits("PortSelect", 8, 8);
    public static final Field COUNTER_SELECT = L.bits("CounterSelect", 16, 16);
    public static final Field SYMBOL_ERROR_COUNTER = L.bits("SymbolErrorCounter", 32, 16);
    public static final Field LINK_ERROR_RECOVERY_COUNTER = L.bits("LinkErrorRecoveryCounter", 48, 8);
    public static final Field LINK_DOWNED_COUNTER = L.bits("LinkDownedCounter", 56, 8);
    public static final Field PORT_RCV_ERRORS = L.bits("PortRcvErrors", 64, 16);
    public static final Field PORT_RCV_REMOTE_PHYSICAL_ERRORS = L.bits("PortRcvRemotePhysicalErrors", 80, 16);
    public static final Field PORT_RCV_SWITCH_RELAY_ERRORS = L.bits("PortRcvSwitchRelayErrors", 96, 16);
    public static final Field PORT_XMIT_DISCARDS = L.bits("PortXmitDiscards", 112, 16);
    public static final Field PORT_XMIT_CONSTRAINT_ERRORS = L.bits("PortXmitConstraintErrors", 128, 8);
    public static final Field PORT_RCV_CONSTRAINT_ERRORS = L.bits("PortRcvConstraintErrors", 136, 8);
    public static final Field COUNTER_SELECT2 = L.bits("CounterSelect2", 144, 8);
    public static final Field LOCAL_LINK_INTEGRITY_ERRORS = L.bits("LocalLinkIntegrityErrors", 152, 4);
    public static final Field EXCESSIVE_BUFFER_OVERRUN_ERRORS = L.bits("ExcessiveBufferOverrunErrors", 156, 4);

    /** Only valid with {@link PerfCapability#QP1_DROP}; otherwise reserved. */
    public static final Field QP1_DROPPED = L.bits("QP1Dropped", 160, 16);

    public static final Field VL15_DROPPED = L.bits("VL15Dropped", 176, 16);

    /** Units of four octets, from LRH to ICRC, on all VLs, without link packets. */
    public static final Field PORT_XMIT_DATA = L.bits("PortXmitData", 192, 32);

    /** Units of four octets, counted as in {@link #PORT_XMIT_DATA}. */
    public static final Field PORT_RCV_DATA = L.bits("PortRcvData", 224, 32);

    public static final Field PORT_XMIT_PKTS = L.bits("PortXmitPkts", 256, 32);
    public static final Field PORT_RCV_PKTS = L.bits("PortRcvPkts", 288, 32);

    /**
     * Ticks of the device's clock in which the port had data to send and sent none. Only valid with
     * {@link PerfCapability#XMIT_WAIT}.
     */
    public static final Field PORT_XMIT_WAIT = L.bits("PortXmitWait", 320, 32);

    public static final AttributeType<PortCounters> TYPE = L.type(0x0012, PortCounters::new);

    /** The counters in the order of their bits in CounterSelect and CounterSelect2. */
    public static final CounterSet<PortCounters> COUNTERS = new CounterSet<>(
            TYPE,
            PORT_SELECT,
            new CounterSet.Part(
                    COUNTER_SELECT,
                    List.of(
                            SYMBOL_ERROR_COUNTER,
                            LINK_ERROR_RECOVERY_COUNTER,
                            LINK_DOWNED_COUNTER,
                            PORT_RCV_ERRORS,
                            PORT_RCV_REMOTE_PHYSICAL_ERRORS,
                            PORT_RCV_SWITCH_RELAY_ERRORS,
                            PORT_XMIT_DISCARDS,
                            PORT_XMIT_CONSTRAINT_ERRORS,
                            PORT_RCV_CONSTRAINT_ERRORS,
                            LOCAL_LINK_INTEGRITY_ERRORS,
                            EXCESSIVE_BUFFER_OVERRUN_ERRORS,
                            VL15_DROPPED,
                            PORT_XMIT_DATA,
                            PORT_RCV_DATA,
                            PORT_XMIT_PKTS,
                            PORT_RCV_PKTS)),
            new CounterSet.Part(COUNTER_SELECT2, List.of(PORT_XMIT_WAIT, QP1_DROPPED)));

    private PortCounters(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<PortCounters> type() {
        return TYPE;
    }
}
