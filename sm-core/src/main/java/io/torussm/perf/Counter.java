package io.torussm.perf;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The counters of a port: those of PortCounters (IBA 16.1.3.5), PortCountersExtended (A16.1.4.11) and
 * PortRcvErrorDetails (16.1.4.3).
 */
public enum Counter {
    SYMBOL_ERRORS("SymbolErrorCounter", "symbolErrors", CounterType.FAULT),
    LINK_ERROR_RECOVERY("LinkErrorRecoveryCounter", "linkErrorRecovery", CounterType.FAULT),
    LINK_DOWNED("LinkDownedCounter", "linkDowned", CounterType.FAULT),
    RCV_ERRORS("PortRcvErrors", "rcvErrors", CounterType.FAULT),
    RCV_REMOTE_PHYSICAL_ERRORS("PortRcvRemotePhysicalErrors", "rcvRemotePhysicalErrors", CounterType.FAULT),
    /** Also counts multicast packets that return to their source, which is no fault. */
    RCV_SWITCH_RELAY_ERRORS("PortRcvSwitchRelayErrors", "rcvSwitchRelayErrors", CounterType.ERROR),
    XMIT_DISCARDS("PortXmitDiscards", "xmitDiscards", CounterType.FAULT),
    XMIT_CONSTRAINT_ERRORS("PortXmitConstraintErrors", "xmitConstraintErrors", CounterType.FAULT),
    RCV_CONSTRAINT_ERRORS("PortRcvConstraintErrors", "rcvConstraintErrors", CounterType.FAULT),
    LOCAL_LINK_INTEGRITY_ERRORS("LocalLinkIntegrityErrors", "localLinkIntegrityErrors", CounterType.FAULT),
    EXCESSIVE_BUFFER_OVERRUN_ERRORS("ExcessiveBufferOverrunErrors", "excessiveBufferOverrunErrors", CounterType.FAULT),
    /** Counts SMPs that arrive faster than a device serves them, which is no fault of the link. */
    VL15_DROPPED("VL15Dropped", "vl15Dropped", CounterType.ERROR),
    QP1_DROPPED("QP1Dropped", "qp1Dropped", CounterType.DETAIL),
    LOCAL_PHYSICAL_ERRORS("PortLocalPhysicalErrors", "localPhysicalErrors", CounterType.DETAIL),
    MALFORMED_PACKET_ERRORS("PortMalformedPktErrors", "malformedPacketErrors", CounterType.DETAIL),
    BUFFER_OVERRUN_ERRORS("PortBufferOverrunErrors", "bufferOverrunErrors", CounterType.DETAIL),
    DLID_MAPPING_ERRORS("PortDLIDMappingErrors", "dlidMappingErrors", CounterType.DETAIL),
    VL_MAPPING_ERRORS("PortVLMappingErrors", "vlMappingErrors", CounterType.DETAIL),
    LOOPING_ERRORS("PortLoopingErrors", "loopingErrors", CounterType.DETAIL),
    /** Ticks (PortSamplesControl.Tick) with a packet to send and no credit to send it. */
    XMIT_WAIT("PortXmitWait", "xmitWait", CounterType.TRAFFIC),
    /** Sent data in units of four octets. */
    XMIT_DATA("PortXmitData", "xmitData", CounterType.TRAFFIC),
    /** Received data in units of four octets. */
    RCV_DATA("PortRcvData", "rcvData", CounterType.TRAFFIC),
    XMIT_PACKETS("PortXmitPkts", "xmitPackets", CounterType.TRAFFIC),
    RCV_PACKETS("PortRcvPkts", "rcvPackets", CounterType.TRAFFIC),
    UNICAST_XMIT_PACKETS("PortUnicastXmitPkts", "unicastXmitPackets", CounterType.TRAFFIC),
    UNICAST_RCV_PACKETS("PortUnicastRcvPkts", "unicastRcvPackets", CounterType.TRAFFIC),
    MULTICAST_XMIT_PACKETS("PortMulticastXmitPkts", "multicastXmitPackets", CounterType.TRAFFIC),
    MULTICAST_RCV_PACKETS("PortMulticastRcvPkts", "multicastRcvPackets", CounterType.TRAFFIC);

    /** The number of counters. */
    public static final int COUNT = values().length;

    /** The octets of a unit of {@link #XMIT_DATA} and {@link #RCV_DATA}. */
    public static final int DATA_OCTETS = 4;

    private static final List<Counter> ALL = List.of(values());
    private static final List<Counter> ERRORS = ALL.stream()
            .filter(each -> each.kind == CounterType.FAULT || each.kind == CounterType.ERROR)
            .toList();

    private final String attribute;
    private final String label;
    private final CounterType kind;

    private enum CounterType {
        /** A sign of a bad cable, port or device. */
        FAULT,
        /** An error that may be normal. */
        ERROR,
        /** A part of another error counter, or an error of rare interest. */
        DETAIL,
        /** Data, packets, or waits for credits. */
        TRAFFIC
    }

    Counter(String attribute, String label, CounterType kind) {
        this.attribute = attribute;
        this.label = label;
        this.kind = kind;
    }

    /** Returns all counters by ascending index. */
    public static List<Counter> all() {
        return ALL;
    }

    /** Returns the error counters of PortCounters by ascending index; they are the first counters. */
    public static List<Counter> errors() {
        return ERRORS;
    }

    /** Returns the counter with a name of IBA as infiniband-diags spells it, in any case; empty if there is none. */
    public static Optional<Counter> named(String attribute) {
        return Arrays.stream(values())
                .filter(each -> each.attribute.equalsIgnoreCase(attribute))
                .findFirst();
    }

    /** Returns the index of this counter in arrays of {@link #COUNT} elements. */
    @SuppressWarnings("EnumOrdinal") // no array outlives the process
    public int index() {
        return ordinal();
    }

    /** Returns the name in IBA. */
    public String attribute() {
        return attribute;
    }

    /** Returns the name in JSON. */
    public String label() {
        return label;
    }

    /** Checks whether this counter counts signs of a bad cable, port or device. */
    public boolean isFault() {
        return kind == CounterType.FAULT;
    }

    /** Checks whether this counter is one of {@link #errors}. */
    public boolean isError() {
        return kind == CounterType.FAULT || kind == CounterType.ERROR;
    }

    /**
     * Checks whether this counter counts traffic, so that it may wrap between two readings. An error counter does not
     * reach its maximum that fast.
     */
    boolean isTraffic() {
        return kind == CounterType.TRAFFIC;
    }
}
