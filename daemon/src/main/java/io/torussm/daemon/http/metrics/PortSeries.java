package io.torussm.daemon.http.metrics;

import io.torussm.perf.Counter;

/** The series of counters, under the names of {@code infiniband_exporter}. */
enum PortSeries {
    TRANSMIT_DATA_BYTES(Counter.XMIT_DATA),
    RECEIVE_DATA_BYTES(Counter.RCV_DATA),
    TRANSMIT_PACKETS(Counter.XMIT_PACKETS),
    RECEIVE_PACKETS(Counter.RCV_PACKETS),
    UNICAST_TRANSMIT_PACKETS(Counter.UNICAST_XMIT_PACKETS),
    UNICAST_RECEIVE_PACKETS(Counter.UNICAST_RCV_PACKETS),
    MULTICAST_TRANSMIT_PACKETS(Counter.MULTICAST_XMIT_PACKETS),
    MULTICAST_RECEIVE_PACKETS(Counter.MULTICAST_RCV_PACKETS),
    SYMBOL_ERROR(Counter.SYMBOL_ERRORS),
    LINK_ERROR_RECOVERY(Counter.LINK_ERROR_RECOVERY),
    LINK_DOWNED(Counter.LINK_DOWNED),
    RECEIVE_ERRORS(Counter.RCV_ERRORS),
    RECEIVE_REMOTE_PHYSICAL_ERRORS(Counter.RCV_REMOTE_PHYSICAL_ERRORS),
    RECEIVE_SWITCH_RELAY_ERRORS(Counter.RCV_SWITCH_RELAY_ERRORS),
    TRANSMIT_DISCARDS(Counter.XMIT_DISCARDS),
    TRANSMIT_CONSTRAINT_ERRORS(Counter.XMIT_CONSTRAINT_ERRORS),
    RECEIVE_CONSTRAINT_ERRORS(Counter.RCV_CONSTRAINT_ERRORS),
    LOCAL_LINK_INTEGRITY_ERRORS(Counter.LOCAL_LINK_INTEGRITY_ERRORS),
    EXCESSIVE_BUFFER_OVERRUN_ERRORS(Counter.EXCESSIVE_BUFFER_OVERRUN_ERRORS),
    VL15_DROPPED(Counter.VL15_DROPPED),
    TRANSMIT_WAIT(Counter.XMIT_WAIT),
    QP1_DROPPED(Counter.QP1_DROPPED),
    LOCAL_PHYSICAL_ERRORS(Counter.LOCAL_PHYSICAL_ERRORS),
    MALFORMED_PACKET_ERRORS(Counter.MALFORMED_PACKET_ERRORS),
    BUFFER_OVERRUN_ERRORS(Counter.BUFFER_OVERRUN_ERRORS),
    /** The spelling DLI is that of the exporter. */
    DLI_MAPPING_ERRORS(Counter.DLID_MAPPING_ERRORS),
    VL_MAPPING_ERRORS(Counter.VL_MAPPING_ERRORS),
    LOOPING_ERRORS(Counter.LOOPING_ERRORS);

    private final Counter counter;

    PortSeries(Counter counter) {
        this.counter = counter;
    }

    Counter counter() {
        return counter;
    }

    /** Returns the unit of the counter: the factor from a count to the value of the series. */
    long unit() {
        return counter == Counter.XMIT_DATA || counter == Counter.RCV_DATA ? Counter.DATA_OCTETS : 1;
    }

    /** Returns the name after {@code infiniband_switch_} and {@code infiniband_hca_}. */
    String suffix() {
        return "port_" + name().toLowerCase(java.util.Locale.ROOT) + "_total";
    }
}
