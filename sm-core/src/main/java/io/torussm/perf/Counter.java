package io.torussm.perf;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** The counters of a port: those of PortCounters (IBA 16.1.3.5), PortCountersExtended (A16.1.4.11) and PortRcvErrorDetails (16.1.4.3). */
public enum Counter {
    SYMBOL_ERRORS("SymbolErrorCounter", "symbolErrors", Kind.FAULT),
    LINK_ERROR_RECOVERY("LinkErrorRecoveryCounter", "linkErrorRecovery", Kind.FAULT),
    LINK_DOWNED("LinkDownedCounter", "linkDowned", Kind.FAULT),
    RCV_ERRORS("PortRcvErrors", "rcvErrors", Kind.FAULT),
    RCV_REMOTE_PHYSICAL_ERRORS("PortRcvRemotePhysicalErrors", "rcvRemotePhysicalErrors", Kind.FAULT),
    /** Also counts multicast packets that return to their source, which is no fault. */
    RCV_SWITCH_RELAY_ERRORS("PortRcvSwitchRelayErrors", "rcvSwitchRelayErrors", Kind.ERROR),
    XMIT_DISCARDS("PortXmitDiscards", "xmitDiscards", Kind.FAULT),
    XMIT_CONSTRAINT_ERRORS("PortXmitConstraintErrors", "xmitConstraintErrors", Kind.FAULT),
    RCV_CONSTRAINT_ERRORS("PortRcvConstraintErrors", "rcvConstraintErrors", Kind.FAULT),
    LOCAL_LINK_INTEGRITY_ERRORS("LocalLinkIntegrityErrors", "localLinkIntegrityErrors", Kind.FAULT),
    EXCESSIVE_BUFFER_OVERRUN_ERRORS("ExcessiveBufferOverrunErrors", "excessiveBufferOverrunErrors", Kind.FAULT),
    /** Counts SMPs that arrive faster than a device serves them, which is no fault of the link. */
    VL15_DROPPED("VL15Dropped", "vl15Dropped", Kind.ERROR),
    QP1_DROPPED("QP1Dropped", "qp1Dropped", Kind.DETAIL),
    LOCAL_PHYSICAL_ERRORS("PortLocalPhysicalErrors", "localPhysicalErrors", Kind.DETAIL),
    MALFORMED_PACKET_ERRORS("PortMalformedPktErrors", "malformedPacketErrors", Kind.DETAIL),
    BUFFER_OVERRUN_ERRORS("PortBufferOverrunErrors", "bufferOverrunErrors", Kind.DETAIL),
    DLID_MAPPING_ERRORS("PortDLIDMappingErrors", "dlidMappingErrors", Kind.DETAIL),
    VL_MAPPING_ERRORS("PortVLMappingErrors", "vlMappingErrors", Kind.DETAIL),
    LOOPING_ERRORS("PortLoopingErrors", "loopingErrors", Kind.DETAIL),
    /** Ticks with a packet to send and no credit to send it. */
    XMIT_WAIT("PortXmitWait", "xmitWait", Kind.TRAFFIC),
    /** In words of four octets, as on the wire. */
    XMIT_DATA("PortXmitData", "xmitData", Kind.TRAFFIC),
    /** In words of four octets, as on the wire. */
    RCV_DATA("PortRcvData", "rcvData", Kind.TRAFFIC),
    XMIT_PACKETS("PortXmitPkts", "xmitPackets", Kind.TRAFFIC),
    RCV_PACKETS("PortRcvPkts", "rcvPackets", Kind.TRAFFIC),
    UNICAST_XMIT_PACKETS("PortUnicastXmitPkts", "unicastXmitPackets", Kind.TRAFFIC),
    UNICAST_RCV_PACKETS("PortUnicastRcvPkts", "unicastRcvPackets", Kind.TRAFFIC),
    MULTICAST_XMIT_PACKETS("PortMulticastXmitPkts", "multicastXmitPackets", Kind.TRAFFIC),
    MULTICAST_RCV_PACKETS("PortMulticastRcvPkts", "multicastRcvPackets", Kind.TRAFFIC);

    /** The number of counters. */
    public static final int COUNT = values().length;

    /** The octets for each count of {@link #XMIT_DATA} and {@link #RCV_DATA}. */
    public static final int DATA_OCTETS = 4;

    private static final List<Counter> ALL = List.of(values());
    private static final List<Counter> ERRORS = ALL.stream()
            .filter(each -> each.kind == Kind.FAULT || each.kind == Kind.ERROR)
            .toList();

    private final String attribute;
    private final String label;
    private final Kind kind;

    private enum Kind {
        /** A sign of a bad cable, port or device. */
        FAULT,
        /** An error that may be normal. */
        ERROR,
        /** A share of another counter, or of rare interest. */
        DETAIL,
        TRAFFIC
    }

    Counter(String attribute, String label, Kind kind) {
        this.attribute = attribute;
        this.label = label;
        this.kind = kind;
    }

    /** Returns all counters, in order. */
    public static List<Counter> all() {
        return ALL;
    }

    /** Returns the error counters of PortCounters, in its order. */
    public static List<Counter> errors() {
        return ERRORS;
    }

    /** Looks up a counter by IBA name (infiniband-diags spelling, ignoring case). */
    public static Optional<Counter> named(String attribute) {
        return Arrays.stream(values())
                .filter(each -> each.attribute.equalsIgnoreCase(attribute))
                .findFirst();
    }

    /** Returns its index in arrays of {@link #COUNT} entries. */
    @SuppressWarnings("EnumOrdinal") // no array outlives the process
    public int index() {
        return ordinal();
    }

    /** Returns the name of IBA. */
    public String attribute() {
        return attribute;
    }

    /** Returns the name in JSON. */
    public String label() {
        return label;
    }

    /** Checks whether it counts signs of a bad cable, port or device. */
    public boolean isFault() {
        return kind == Kind.FAULT;
    }

    /** Checks whether it is one of {@link #errors}. */
    public boolean isError() {
        return kind == Kind.FAULT || kind == Kind.ERROR;
    }

    /**
     * Checks whether it counts traffic, and so may reach its maximum within a day. An error counter would not
     * do so unnoticed.
     */
    boolean isTraffic() {
        return kind == Kind.TRAFFIC;
    }
}
