package io.torussm.inventory;

import java.util.Locale;

/**
 * A difference between the expected and the found fabric.
 *
 * @param text the description, in one line
 */
public record Difference(DifferenceType kind, String text) {
    /** The type of a difference, the worst first. */
    public enum DifferenceType {
        MISSING_NODE,
        CHANGED_NODE,
        EXCHANGED_CABLES,
        WRONG_CABLE,
        MISSING_CABLE,
        NARROW_LINK,
        SLOW_LINK,
        MOVED_CABLE,
        EXTRA_NODE,
        EXTRA_CABLE,
        FIRMWARE_MIX,
        /** Absent because it is drained or isolated; this is temporary and intended. */
        DRAINED;

        /** Returns the name in metrics and the console. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
