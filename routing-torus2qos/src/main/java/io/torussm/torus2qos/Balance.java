package io.torussm.torus2qos;

/** Which way round a ring paths go, and what keeps packets from waiting for each other all the way round. */
public enum Balance {
    /** As OpenSM: none crosses the dateline. */
    OFF,
    /** Those between opposite switches go over both ways alike, as far as the VLs allow; see {@link ShortWay}. */
    TIES,
    /**
     * No path passes by both the first and the second switch of a ring, so that no SL needs to say whether it crosses the dateline: for
     * jobs that have one SL for all.
     */
    ONE_SL;

    /** As the setting has it. */
    public static Balance of(String word) {
        return switch (word) {
            case "ties" -> TIES;
            case "one_sl" -> ONE_SL;
            default -> OFF;
        };
    }
}
