package io.torussm.inventory;

import java.util.Locale;

/**
 * Something that is not as it is expected.
 *
 * @param text what, in one line
 */
public record Difference(Kind kind, String text) {
    /** What differs, the worst first. */
    public enum Kind {
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
        /** Not found since it is drained or isolated: meant to be so, for a while. */
        DRAINED;

        /** As metrics and the console name it. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
