package io.torussm.mad.perf;

import io.torussm.mad.Attribute;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.List;

/**
 * PortCountersExtended (IBA 16.1.4.11): counters of 64 bits. AttributeModifier is 0. ClassPortInfo announces the
 * counters of a port:
 *
 * <ul>
 * <li>data and packets: always
 * <li>unicast and multicast packets: with {@link PerfCapability#EXTENDED_WIDTH}
 * <li>all later fields: with {@link PerfCapability#ADDITIONAL_EXTENDED}
 * </ul>
 *
 * <p>Other fields of a response are undefined.
 */
public final class PortCountersExtended extends Attribute<PortCountersExtended> {
    private static final Layout L = new Layout("PortCountersExtended", 184);
    static final Field RESERVED_0 = L.bits("reserved", 0, 8);
    public static final Field PORT_SELECT = L.bits("PortSelect", 8, 8);
    public static final Field COUNTER_SELECT = L.bits("CounterSelect", 16, 16);
    public static final Field COUNTER_SELECT2 = L.bits("CounterSelect2", 32, 32);
    public static final Field PORT_XMIT_DATA = L.bits("PortXmitData", 64, 64);
    public static final Field PORT_RCV_DATA = L.bits("PortRcvData", 128, 64);
    public static final Field PORT_XMIT_PKTS = L.bits("PortXmitPkts", 192, 64);
    public static final Field PORT_RCV_PKTS = L.bits("PortRcvPkts", 256, 64);
    public static final Field PORT_UNICAST_XMIT_PKTS = L.bits("PortUnicastXmitPkts", 320, 64);
    public static final Field PORT_UNICAST_RCV_PKTS = L.bits("PortUnicastRcvPkts", 384, 64);
    public static final Field PORT_MULTICAST_XMIT_PKTS = L.bits("PortMulticastXmitPkts", 448, 64);
    public static final Field PORT_MULTICAST_RCV_PKTS = L.bits("PortMulticastRcvPkts", 512, 64);
    public static final Field SYMBOL_ERROR_COUNTER = L.bits("SymbolErrorCounter", 576, 64);
    public static final Field LINK_ERROR_RECOVERY_COUNTER = L.bits("LinkErrorRecoveryCounter", 640, 64);
    public static final Field LINK_DOWNED_COUNTER = L.bits("LinkDownedCounter", 704, 64);
    public static final Field PORT_RCV_ERRORS = L.bits("PortRcvErrors", 768, 64);
    public static final Field PORT_RCV_REMOTE_PHYSICAL_ERRORS = L.bits("PortRcvRemotePhysicalErrors", 832, 64);
    public static final Field PORT_RCV_SWITCH_RELAY_ERRORS = L.bits("PortRcvSwitchRelayErrors", 896, 64);
    public static final Field PORT_XMIT_DISCARDS = L.bits("PortXmitDiscards", 960, 64);
    public static final Field PORT_XMIT_CONSTRAINT_ERRORS = L.bits("PortXmitConstraintErrors", 1024, 64);
    public static final Field PORT_RCV_CONSTRAINT_ERRORS = L.bits("PortRcvConstraintErrors", 1088, 64);
    public static final Field LOCAL_LINK_INTEGRITY_ERRORS = L.bits("LocalLinkIntegrityErrors", 1152, 64);
    public static final Field EXCESSIVE_BUFFER_OVERRUN_ERRORS = L.bits("ExcessiveBufferOverrunErrors", 1216, 64);
    public static final Field VL15_DROPPED = L.bits("VL15Dropped", 1280, 64);
    public static final Field PORT_XMIT_WAIT = L.bits("PortXmitWait", 1344, 64);
    public static final Field QP1_DROPPED = L.bits("QP1Dropped", 1408, 64);
    public static final AttributeType<PortCountersExtended> TYPE = L.type(0x001D, PortCountersExtended::new);

    /** The counters in the order of their bits in CounterSelect and CounterSelect2. */
    public static final CounterSet<PortCountersExtended> COUNTERS = new CounterSet<>(
            TYPE,
            PORT_SELECT,
            new CounterSet.Part(
                    COUNTER_SELECT,
                    List.of(
                            PORT_XMIT_DATA,
                            PORT_RCV_DATA,
                            PORT_XMIT_PKTS,
                            PORT_RCV_PKTS,
                            PORT_UNICAST_XMIT_PKTS,
                            PORT_UNICAST_RCV_PKTS,
                            PORT_MULTICAST_XMIT_PKTS,
                            PORT_MULTICAST_RCV_PKTS)),
            new CounterSet.Part(
                    COUNTER_SELECT2,
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
                            PORT_XMIT_WAIT,
                            QP1_DROPPED)));

    private PortCountersExtended(byte[] bytes) {
        super(bytes);
    }

    @Override
    public AttributeType<PortCountersExtended> type() {
        return TYPE;
    }
}
