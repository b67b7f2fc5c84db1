package io.torussm.deadlock;

import org.jspecify.annotations.Nullable;

/**
 * The tables that the switches contain before a plan is programmed, in the indexes of the plan's fabric. The tables
 * must not change while they are used. Any thread may read them.
 */
public interface HeldTables {
    /**
     * Returns the current linear forwarding table of a switch.
     *
     * @return [LID] egress port number, 0xFF without a path; LIDs beyond the array have no path; null for a switch
     *     that carries no traffic, so that its table does not matter
     */
    byte @Nullable [] lft(int sw);

    /**
     * Returns the current SL2VL row of a switch, packed as {@link
     * io.torussm.mad.smp.SlToVlMappingTable#packed()}. If no packet depends on the current row, this is the row of
     * the plan.
     *
     * @param in input port number, 0 for packets from port 0
     * @param out output port number of a port with a link
     */
    long sl2vl(int sw, int in, int out);

    /**
     * Checks whether data packets may pass a port of a switch: the port is ARMED or ACTIVE.
     *
     * @param port port index
     */
    boolean isUp(int port);

    /**
     * Checks whether every SL2VL row on which packets depend already equals that of the plan. The result true saves the
     * comparison of the rows one by one; false is always correct.
     */
    default boolean areRowsPlanned() {
        return false;
    }
}
