package io.torussm.history;

import io.torussm.view.RoutingState;
import java.time.Instant;

/**
 * A state that was kept since it differs from the one before.
 *
 * @param at when it began
 * @param sweep number of the heavy sweep that published what rules in it; they count from 1 with each start
 * @param isFirst whether it is the first since a start, or since another SM was master
 * @param routing what the routes in force are worth
 * @param engine whose they are
 * @param merged states between this one and the one before that were not kept, since they followed each other too fast
 * @param counts what changed
 */
public record Change(
        Instant at, long sweep, boolean isFirst, RoutingState routing, String engine, int merged, Counts counts) {
    /**
     * How much changed; all 0 for the first.
     *
     * @param nodesAdded switches, channel adapters and routers
     * @param nodesRemoved likewise
     * @param cablesAdded cables that are found
     * @param cablesRemoved likewise
     * @param switches whose forwarding tables changed
     * @param entries of forwarding tables that changed, those of switches aside that came or went
     * @param sls SLs of paths that changed, counted by switch of the source and LID of the destination
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
        /** Nothing. */
        public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);
    }
}
