package io.torussm.event;

/** The end of a state that an event of level warn or error reports, if no other event ends it. */
enum EventClearing {
    /** The event reports one moment. */
    OCCURRENCE("occurrence"),
    /** The event reports a finding that each sweep repeats while it is true. */
    BY_SWEEP("sweep"),
    /** The event reports a state that lasts until the process ends. */
    BY_RESTART("restart"),
    /** The event reports a port that is listed until it has been quiet for a time. */
    BY_QUIET("quiet");

    private final String text;

    EventClearing(String text) {
        this.text = text;
    }

    /** Returns the word in the events reference, which explains it at its beginning. */
    String text() {
        return text;
    }
}
