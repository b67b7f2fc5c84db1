package io.torussm.routing;

import io.torussm.mad.smp.VlArbitrationTable;

/** The choice of the VL arbitration tables of ports. The qos module implements it. Implementations are pure. */
public interface VlArbitrationPolicy {

    /** The kinds of ports with separate settings. */
    enum PortClass {
        /** Port of a channel adapter. */
        CA,
        /** Port of a router. */
        ROUTER,
        /** Enhanced port 0 of a switch. */
        SWITCH_PORT0,
        /** Switch port to another switch of the routed fabric. */
        SWITCH_FABRIC_LINK,
        /** Switch port to a channel adapter or router, or without a peer. */
        SWITCH_HOST_LINK
    }

    /**
     * The tables of one port.
     *
     * @param low0 low-priority entries 0 to 31
     * @param low1 low-priority entries 32 to 63
     * @param high0 high-priority entries 0 to 31
     * @param high1 high-priority entries 32 to 63
     * @param highLimit PortInfo.VLHighLimit, 0 to 255
     */
    record Tables(
            VlArbitrationTable low0,
            VlArbitrationTable low1,
            VlArbitrationTable high0,
            VlArbitrationTable high1,
            int highLimit) {}

    /**
     * Returns the tables for a port.
     *
     * @param lowCap capacity of its low-priority table in entries, 0 to 64
     * @param highCap capacity of its high-priority table in entries, 0 to 64
     * @param operationalVls PortInfo.OperationalVLs as a code 1 to 5; the tables contain only VLs that it permits
     */
    Tables tables(PortClass portClass, int lowCap, int highCap, int operationalVls);
}
