package io.torussm.deadlock.chain;

/** The action on a credit loop in the tables of an engine that does not claim to be free of credit loops. */
public enum OnCreditLoop {
    /** The tables are not programmed, and the next engine follows. */
    REFUSE,
    /** The tables are programmed, with a warning that names the loop. */
    WARN
}
