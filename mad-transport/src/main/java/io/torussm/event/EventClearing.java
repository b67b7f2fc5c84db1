package io.torussm.event;

/** The end of a state that an event of level warn or error reports, and that no other event ends. */
enum EventClearing {
    /** The event reports one moment. */
    OCCURRENCE("occurrence"),
    /** The event reports a finding that each sweep makes again while it is true. */
    BY_SWEEP("sweep"),
    /** The event reports a state that this process keeps. */
    BY_RESTART("restart"),
    /** The event reports a port that is listed until it is quiet. */
    BY_QUIET("quiet");

    private final String text;

    EventClearing(String text) {
        this.text = text;
    }

    /** Returns the word of the events reference, whose head explains it. */
    String text() {
        return text;
    }
}
