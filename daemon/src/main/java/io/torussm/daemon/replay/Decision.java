package io.torussm.daemon.replay;

import java.util.Locale;

/**
 * One thing that an SM decided, or said of what it decided.
 *
 * @param number from 1, in order
 * @param atNs nanoseconds from the beginning of the recording
 * @param kind what sort of thing
 * @param text in a line
 */
public record Decision(long number, long atNs, Kind kind, String text) {
    /** Kinds of decisions. */
    public enum Kind {
        /** What the log shows. */
        EVENT,
        /** A register of a device is written: route or LID, attribute, modifier, and a digest of what. */
        WRITE,
        /** How a sweep ended. */
        SWEEP
    }

    /** For people; the same for the same decision, byte for byte. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%6d %+16.9f %-5s %s",
                number,
                atNs / 1e9,
                kind.name().toLowerCase(Locale.ROOT),
                text);
    }

    /** What was decided, whenever that was. */
    public String what() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + text;
    }
}
