package io.torussm.history;

import io.torussm.view.RoutingState;
import java.time.Instant;

/**
 * The data of a kept state: a summary of its difference from the previous kept state.
 *
 * @param at begin of the state
 * @param sweep number of the heavy sweep that published the active routes; it counts from 1 with each start
 * @param isFirst whether it is the first since a start, or since another SM was master
 * @param routing state of the active routes
 * @param engine name of the engine of the active routes
 * @param merged number of states since the previous kept one that were merged into this one, because they
 * came too fast
 * @param counts amounts of change
 */
public record Change(
        Instant at, long sweep, boolean isFirst, RoutingState routing, String engine, int merged, Counts counts) {
    /**
     * Amounts of change; all 0 for the first state.
     *
     * @param nodesAdded added switches, channel adapters and routers
     * @param nodesRemoved removed ones
     * @param cablesAdded added cables
     * @param cablesRemoved removed cables
     * @param switches number of switches whose forwarding tables changed
     * @param entries changed entries of forwarding tables, without those of added and removed switches
     * @param sls changed SLs of paths, counted by switch of the source and LID of the destination
     * @param rings rings of the torus whose state changed
     */
    public record Counts(
            int nodesAdded,
            int nodesRemoved,
            int cablesAdded,
            int cablesRemoved,
            int switches,
            int entries,
            int sls,
            int rings) {
        /** No change. */
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);
    }
}
