package io.torussm.torus2qos.conf;

import io.torussm.torus2qos.discovery.ShortWay;

/** The direction that paths take around a ring, and the means by which credit loops around a ring are avoided. */
public enum Balance {
    /** No such path crosses the dateline, as in OpenSM. */
    OFF,
    /**
     * Paths between opposite switches use both directions equally, as far as the VLs allow; see
     * {@link ShortWay}.
     */
    TIES,
    /**
     * No path passes through both the first and the second switch of a ring. So no SL needs a bit for the
     * crossing of the dateline: for jobs that use one SL for all packets.
     */
    ONE_SL;

    /** Returns the value of the setting. */
    public static Balance of(String word) {
        return switch (word) {
            case "ties" -> TIES;
            case "one_sl" -> ONE_SL;
            default -> OFF;
        };
    }
}
