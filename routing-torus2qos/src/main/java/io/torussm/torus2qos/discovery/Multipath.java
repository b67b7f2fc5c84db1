package io.torussm.torus2qos.discovery;

import java.util.Locale;

/**
 * The paths to the LIDs of a port at an odd distance from its base LID. LIDs at an even distance always have the
 * paths of a port with one LID. A port has several LIDs if its LMC is above 0. See
 * docs/developer/adr/0009-multipath.md.
 */
public enum Multipath {
    /** All LIDs of a port have the same paths, as in OpenSM. */
    OFF,
    /** Paths to LIDs at an odd distance take the other direction around a ring if both ways are equally long. */
    SIDES,
    /**
     * Paths to LIDs at an odd distance also take the dimensions in reversed order, on separate VLs. Then only one
     * QoS level is available.
     */
    ORDERS;

    /** Returns the value with a name, as the setting {@code multipath} has it; {@link #OFF} for another text. */
    public static Multipath of(String word) {
        for (Multipath each : values()) {
            if (each.name().toLowerCase(Locale.ROOT).equals(word)) {
                return each;
            }
        }
        return OFF;
    }
}
