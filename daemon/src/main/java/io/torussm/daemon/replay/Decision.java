package io.torussm.daemon.replay;

import java.util.Locale;

/**
 * A decision of an SM, or an event about it.
 *
 * @param number position of the decision, from 1
 * @param atNs nanoseconds from the beginning of the recording
 * @param kind type of the decision
 * @param text description in one line
 */
public record Decision(long number, long atNs, DecisionType kind, String text) {
    /** Kinds of decisions. */
    public enum DecisionType {
        /** An event in the log. */
        EVENT,
        /** A write to a device: route or LID, attribute, modifier, and a digest of the content. */
        WRITE,
        /** How a sweep ended. */
        SWEEP
    }

    /** Returns the line for people, identical for identical decisions. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%6d %+16.9f %-5s %s",
                number,
                atNs / 1e9,
                kind.name().toLowerCase(Locale.ROOT),
                text);
    }

    /** Returns the decision without its time. */
    public String what() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + text;
    }
}
