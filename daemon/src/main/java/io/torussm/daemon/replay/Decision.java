package io.torussm.daemon.replay;

import java.util.Locale;

/**
 * A decision of an SM, or an event that the SM has logged.
 *
 * @param number number of the decision in its run, from 1
 * @param atNs time in ns since the begin of the recording
 * @param kind type of the decision
 * @param text description in one line
 */
public record Decision(long number, long atNs, DecisionType kind, String text) {
    /** A type of decision. */
    public enum DecisionType {
        /** An event in the log. */
        EVENT,
        /**
         * A write to a device. The text has its route or LID, the attribute, the modifier and a digest of the content.
         */
        WRITE,
        /** The outcome of a sweep. */
        SWEEP
    }

    /** Formats the decision as a line for operators. Equal decisions have equal lines. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "%6d %+16.9f %-5s %s",
                number,
                atNs / 1e9,
                kind.name().toLowerCase(Locale.ROOT),
                text);
    }

    /** Formats the decision without its number and time. */
    public String description() {
        return kind.name().toLowerCase(Locale.ROOT) + " " + text;
    }
}
