package io.torussm.deadlock.chain;

/** What becomes of tables in which the proof finds a credit loop, of an engine that does not claim to be free of them. */
public enum OnCreditLoop {
    /** They are not programmed; the next engine is asked. */
    REFUSE,
    /** They are programmed, with a warning that names the loop. */
    WARN
}
