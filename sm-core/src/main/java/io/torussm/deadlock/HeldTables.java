package io.torussm.deadlock;

import org.jspecify.annotations.Nullable;

/**
 * The tables of the switches before a plan is programmed, in the indexes of the plan's fabric. They must not
 * change during their use, and any thread may read them.
 */
public interface HeldTables {
    /**
     * Returns the current linear forwarding table of a switch.
     *
     * @return egress port by LID; LIDs beyond its length have no path; null for a switch that carries no
     *     traffic, whose table does not matter
     */
    byte @Nullable [] lft(int sw);

    /**
     * Returns the current SL2VL row of a switch, packed as {@link
     * io.torussm.mad.smp.SlToVlMappingTable#packed()}. If no packet depends on it, this is the row of the
     * plan.
     *
     * @param in input port number, 0 for packets from port 0
     * @param out output port number of a port with a link
     */
    long sl2vl(int sw, int in, int out);

    /**
     * Checks whether data packets may pass a port of a switch, given by its port index: it is ARMED or
     * ACTIVE.
     */
    boolean isUp(int port);

    /**
     * Checks whether every SL2VL row on which packets depend already equals that of the plan. This only saves
     * work: the rows need not be compared one by one.
     */
    default boolean areRowsPlanned() {
        return false;
    }
}
