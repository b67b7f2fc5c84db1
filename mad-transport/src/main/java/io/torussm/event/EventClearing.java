package io.torussm.event;

/** The end of a state that an event of level warn or error reports, and that no other event ends. */
enum EventClearing {
    /** The event reports one moment. */
    OCCURRENCE("an occurrence, nothing to clear"),
    /** The event reports a finding that each sweep makes again while it is true. */
    BY_SWEEP("the first sweep that no longer finds it"),
    /** The event reports a state that this process keeps. */
    BY_RESTART("a start of the service without the cause"),
    /** The event reports a port that is listed until it is quiet. */
    BY_QUIET("a minute without a report");

    private final String text;

    EventClearing(String text) {
        this.text = text;
    }

    /** Returns the text of the events reference: a noun phrase. */
    String text() {
        return text;
    }
}
