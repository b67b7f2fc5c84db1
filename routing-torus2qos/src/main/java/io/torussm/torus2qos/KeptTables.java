package io.torussm.torus2qos;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Forwarding tables of previous routes that stay valid, so that no computation is necessary. If no LID moved,
 * whole tables are shared with the previous routes. If a few LIDs moved, a table is copied and the entries of
 * these LIDs are set. Immutable.
 */
final class KeptTables {
    /** If more than one in {@value} of all LIDs moved, the tables are computed instead. */
    private static final int MOVED_DIVISOR = 8;

    /** The current routes. */
    private final TorusRoutes currentRoutes;
    /** The previous routes. */
    private final TorusRoutes previousRoutes;
    /** Previous tables {@code [switch of the previous fabric][LID]}: output port. */
    private final byte[][] tables;

    /**
     * LIDs that changed their position or side, or that are used in only one of the two fabrics, in ascending order.
     */
    private final int[] movedLids;

    private KeptTables(TorusRoutes current, TorusRoutes previous, byte[][] tables, int[] moved) {
        this.currentRoutes = current;
        this.previousRoutes = previous;
        this.tables = tables;
        this.movedLids = moved;
    }

    /**
     * Returns the reusable part of previous tables.
     *
     * @param current routes whose tables are needed
     * @param previous routes that {@code tables} were computed from
     * @param tables previous tables {@code [switch of the previous fabric][LID]}: output port; not written
     * @return null if the top LID differs, or if more than one in {@value #MOVED_DIVISOR} of all LIDs moved
     */
    static @Nullable KeptTables of(TorusRoutes current, TorusRoutes previous, byte[][] tables) {
        if (current.lidCount() != previous.lidCount()) {
            return null;
        }
        int[] moved = IntStream.range(0, current.lidCount())
                .filter(lid -> !current.hasSamePlace(lid, previous))
                .toArray();
        return moved.length > current.lidCount() / MOVED_DIVISOR
                ? null
                : new KeptTables(current, previous, tables, moved);
    }

    /** Returns the table of a switch of the current fabric, by LID; null if it must be computed. */
    byte @Nullable [] of(int sw) {
        int oldSw = previousRoutes.counterpart(currentRoutes, sw);
        if (oldSw < 0 || !currentRoutes.hasSameTable(sw, previousRoutes, oldSw)) {
            return null;
        }
        if (movedLids.length == 0) {
            return tables[oldSw];
        }
        byte[] table = Arrays.copyOf(tables[oldSw], tables[oldSw].length);
        currentRoutes.fill(sw, movedLids, table);
        return table;
    }
}
