package io.torussm.sim.model;

import io.torussm.mad.congestion.CongestionInfo;

/**
 * The capabilities and faults of the congestion control agent of a device. Immutable.
 *
 * @param info response to a Get of CongestionInfo
 * @param agent faults of responses: rules and lies on attributes of congestion control
 * @param delayNs additional time until each response; at least 0
 */
public record CongestionProfile(CongestionInfo info, AgentProfile agent, long delayNs) {
    /** No faults, a table of two blocks (128 entries), no credit starvation. */
    public static final CongestionProfile DEFAULT =
            new CongestionProfile(CongestionInfo.of(0, 2), AgentProfile.CONFORMING, 0);

    /** Rejects a negative delay. */
    public CongestionProfile {
        if (delayNs < 0) {
            throw new IllegalArgumentException("a delay is not negative: " + delayNs);
        }
    }

    /** Returns a copy with a table of another size, in blocks of 64 entries. */
    public CongestionProfile withTable(int blocks) {
        return new CongestionProfile(info.with(CongestionInfo.CONTROL_TABLE_CAP, blocks), agent, delayNs);
    }

    /** Returns a copy with other faults of responses. */
    public CongestionProfile withAgent(AgentProfile rules) {
        return new CongestionProfile(info, rules, delayNs);
    }

    /** Returns a copy with later responses. */
    public CongestionProfile withDelay(long ns) {
        return new CongestionProfile(info, agent, ns);
    }
}
