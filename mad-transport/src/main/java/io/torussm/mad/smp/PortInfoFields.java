package io.torussm.mad.smp;

import io.torussm.mad.Field;
import java.util.List;

/**
 * Groups of fields of PortInfo. A Set(PortInfo) carries all fields (IBA 14.2.5.6): a field that is not to change is
 * written with its read value.
 */
public final class PortInfoFields {
    /** Counters, requests and measurements, which change while the device and its settings stay equal. */
    public static final List<Field> VOLATILE = List.of(
            PortInfo.DIAG_CODE,
            PortInfo.M_KEY_VIOLATIONS,
            PortInfo.P_KEY_VIOLATIONS,
            PortInfo.Q_KEY_VIOLATIONS,
            PortInfo.CLIENT_REREGISTER,
            PortInfo.MAX_CREDIT_HINT,
            PortInfo.LINK_ROUND_TRIP_LATENCY);

    /** States of the link and of its training. */
    public static final List<Field> STATES = List.of(PortInfo.PORT_STATE, PortInfo.PORT_PHYSICAL_STATE);

    /** Settings that this SM never computes: each Set writes their read values. */
    public static final List<Field> NEVER_COMPUTED = List.of(
            PortInfo.FILTER_RAW_INBOUND, PortInfo.FILTER_RAW_OUTBOUND, PortInfo.MULTICAST_PKEY_TRAP_SUPPRESSION);

    private PortInfoFields() {}
}
