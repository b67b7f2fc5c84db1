package io.torussm.deadlock;

import org.jspecify.annotations.Nullable;

/**
 * What the switches hold before a plan is written to them, in the indexes of the plan's fabric. Must not change while it is
 * looked at, and may be looked at from any thread.
 */
public interface HeldTables {
    /**
     * The linear forwarding table that a switch holds.
     *
     * @return egress port by LID, LIDs behind its end have no path; null for a switch that carries no traffic, so that
     *     nobody depends on what it holds
     */
    byte @Nullable [] lft(int sw);

    /**
     * The SL2VL row that a switch holds, packed as {@link io.torussm.mad.smp.SlToVlMappingTable#packed()}; that of the plan
     * if nobody depends on what it is.
     *
     * @param in input port number, 0 for packets from port 0
     * @param out output port number of a port that leads somewhere
     */
    long sl2vl(int sw, int in, int out);

    /** Whether data packets may pass a port of a switch, given by its port index: it is ARMED or ACTIVE. */
    boolean isUp(int port);

    /**
     * Whether every SL2VL row on which packets depend surely is that of the plan to come. It only saves work: rows need not be
     * looked at one by one then.
     */
    default boolean areRowsPlanned() {
        return false;
    }
}
