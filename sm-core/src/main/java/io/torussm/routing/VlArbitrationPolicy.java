package io.torussm.routing;

import io.torussm.mad.smp.VlArbitrationTable;

/** Which VL arbitration tables ports are given; implemented by the qos module. Pure. */
public interface VlArbitrationPolicy {

    /** The kinds of ports that may have settings of their own. */
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
     * @param operationalVls VL code 1 to 5; no other VLs appear in the tables
     */
    Tables tables(PortClass portClass, int lowCap, int highCap, int operationalVls);
}
