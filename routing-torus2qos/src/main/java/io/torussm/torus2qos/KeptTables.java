package io.torussm.torus2qos;

import java.util.Arrays;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Forwarding tables that are reused from previous routes, since a computation would give the same. If no LID
 * moved, whole tables are shared; if some LIDs moved, tables are copied and a few entries are set. Immutable.
 */
final class KeptTables {
    /** Entries that it pays to set one by one, as a part of all. */
    private static final int PART = 8;

    private final TorusRoutes now;
    private final TorusRoutes before;
    private final byte[][] tables;

    /** LIDs that are at another place, or used in only one of the two fabrics. */
    private final int[] moved;

    private KeptTables(TorusRoutes current, TorusRoutes previous, byte[][] tables, int[] moved) {
        this.now = current;
        this.before = previous;
        this.tables = tables;
        this.moved = moved;
    }

    /**
     * Compares where LIDs are.
     *
     * @param tables tables of the routes before, by switch of their fabric; not written
     * @return null if too many moved
     */
    static @Nullable KeptTables of(TorusRoutes current, TorusRoutes previous, byte[][] tables) {
        if (current.lidCount() != previous.lidCount()) {
            return null;
        }
        int[] moved = IntStream.range(0, current.lidCount())
                .filter(lid -> !current.isWhereItWas(lid, previous))
                .toArray();
        return moved.length > current.lidCount() / PART ? null : new KeptTables(current, previous, tables, moved);
    }

    /** Returns the table of a switch; null if it has to be made. */
    byte @Nullable [] of(int sw) {
        int old = before.sameSwitch(now, sw);
        if (old < 0 || !now.forwardsAsBefore(sw, before, old)) {
            return null;
        }
        if (moved.length == 0) {
            return tables[old];
        }
        byte[] table = Arrays.copyOf(tables[old], tables[old].length);
        now.fill(sw, moved, table);
        return table;
    }
}
