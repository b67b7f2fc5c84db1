package io.torussm.sim.model;

import io.torussm.mad.Field;
import io.torussm.mad.perf.PortCounters;
import io.torussm.mad.perf.PortCountersExtended;
import io.torussm.mad.perf.PortRcvErrorDetails;
import io.torussm.mad.perf.PortXmitDiscardDetails;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * The counters of a port of the embedded fabric (IBA 16.1.3.5, 16.1.4). One counter may be visible in several
 * attributes, in fields of equal names.
 */
public enum PortCounter {
    SYMBOL_ERROR(PortCounters.SYMBOL_ERROR_COUNTER),
    LINK_ERROR_RECOVERY(PortCounters.LINK_ERROR_RECOVERY_COUNTER),
    LINK_DOWNED(PortCounters.LINK_DOWNED_COUNTER),
    RCV_ERRORS(PortCounters.PORT_RCV_ERRORS),
    RCV_REMOTE_PHYSICAL_ERRORS(PortCounters.PORT_RCV_REMOTE_PHYSICAL_ERRORS),
    RCV_SWITCH_RELAY_ERRORS(PortCounters.PORT_RCV_SWITCH_RELAY_ERRORS),
    XMIT_DISCARDS(PortCounters.PORT_XMIT_DISCARDS),
    XMIT_CONSTRAINT_ERRORS(PortCounters.PORT_XMIT_CONSTRAINT_ERRORS),
    RCV_CONSTRAINT_ERRORS(PortCounters.PORT_RCV_CONSTRAINT_ERRORS),
    LOCAL_LINK_INTEGRITY_ERRORS(PortCounters.LOCAL_LINK_INTEGRITY_ERRORS),
    EXCESSIVE_BUFFER_OVERRUN_ERRORS(PortCounters.EXCESSIVE_BUFFER_OVERRUN_ERRORS),
    VL15_DROPPED(PortCounters.VL15_DROPPED),
    QP1_DROPPED(PortCounters.QP1_DROPPED),

    /** Units of four octets. */
    XMIT_DATA(PortCounters.PORT_XMIT_DATA),

    /** Units of four octets. */
    RCV_DATA(PortCounters.PORT_RCV_DATA),
    XMIT_PKTS(PortCounters.PORT_XMIT_PKTS),
    RCV_PKTS(PortCounters.PORT_RCV_PKTS),

    /** Ticks of the device. */
    XMIT_WAIT(PortCounters.PORT_XMIT_WAIT),

    UNICAST_XMIT_PKTS(PortCountersExtended.PORT_UNICAST_XMIT_PKTS),
    UNICAST_RCV_PKTS(PortCountersExtended.PORT_UNICAST_RCV_PKTS),
    MULTICAST_XMIT_PKTS(PortCountersExtended.PORT_MULTICAST_XMIT_PKTS),
    MULTICAST_RCV_PKTS(PortCountersExtended.PORT_MULTICAST_RCV_PKTS),
    LOCAL_PHYSICAL_ERRORS(PortRcvErrorDetails.PORT_LOCAL_PHYSICAL_ERRORS),
    MALFORMED_PKT_ERRORS(PortRcvErrorDetails.PORT_MALFORMED_PKT_ERRORS),
    BUFFER_OVERRUN_ERRORS(PortRcvErrorDetails.PORT_BUFFER_OVERRUN_ERRORS),
    DLID_MAPPING_ERRORS(PortRcvErrorDetails.PORT_DLID_MAPPING_ERRORS),
    VL_MAPPING_ERRORS(PortRcvErrorDetails.PORT_VL_MAPPING_ERRORS),
    LOOPING_ERRORS(PortRcvErrorDetails.PORT_LOOPING_ERRORS),
    INACTIVE_DISCARDS(PortXmitDiscardDetails.PORT_INACTIVE_DISCARDS),
    NEIGHBOR_MTU_DISCARDS(PortXmitDiscardDetails.PORT_NEIGHBOR_MTU_DISCARDS),
    SW_LIFETIME_LIMIT_DISCARDS(PortXmitDiscardDetails.PORT_SW_LIFETIME_LIMIT_DISCARDS),
    SW_HOQ_LIFETIME_LIMIT_DISCARDS(PortXmitDiscardDetails.PORT_SW_HOQ_LIFETIME_LIMIT_DISCARDS);

    /** The number of counters. */
    public static final int COUNT = values().length;

    private static final Map<String, PortCounter> BY_NAME = new HashMap<>();

    static {
        Arrays.stream(values()).forEach(counter -> BY_NAME.put(counter.field, counter));
    }

    private final String field;

    PortCounter(Field field) {
        this.field = field.name();
    }

    /** Returns the name of its field in IBA, such as {@code SymbolErrorCounter}. */
    @Override
    public String toString() {
        return field;
    }

    /** Returns the index in arrays by counter, 0 to {@link #COUNT} - 1. */
    @SuppressWarnings("EnumOrdinal") // no array outlives the process
    public int index() {
        return ordinal();
    }

    /**
     * Returns the counter with the name of a field, in any attribute.
     *
     * @throws IllegalArgumentException if the field is no counter
     */
    public static PortCounter of(Field field) {
        PortCounter counter = BY_NAME.get(field.name());
        if (counter == null) {
            throw new IllegalArgumentException(field.name() + " is no counter of a port");
        }
        return counter;
    }
}
