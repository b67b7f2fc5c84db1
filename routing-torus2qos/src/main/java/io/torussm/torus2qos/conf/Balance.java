package io.torussm.torus2qos.conf;

import io.torussm.torus2qos.discovery.ShortWay;
import java.util.Locale;

/**
 * The direction that paths take around a ring, if both ways are equally long (a tie) or a short way could close
 * a credit loop.
 */
public enum Balance {
    /** Paths between opposite switches of a ring do not cross the dateline, as in OpenSM. */
    OFF,
    /**
     * Paths between opposite switches use both directions equally, as far as the VLs allow; see
     * {@link ShortWay}.
     */
    TIES,
    /**
     * No path passes through both the first and the second switch of a ring. So no SL needs a bit for the crossing
     * of the dateline. This is for jobs that use one SL for all packets.
     */
    ONE_SL;

    /** Returns the value with a name, as the setting {@code balance} has it; {@link #OFF} for another text. */
    public static Balance of(String word) {
        for (Balance each : values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
                return each;
            }
        }
        return OFF;
    }
}
