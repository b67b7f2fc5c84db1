package io.torussm.deadlock;

/** The result of a {@link DeadlockChecker}: a proof, a credit loop, or a packet that the tables lose. */
public sealed interface Verdict permits Certificate, Cycle, BrokenTables {
    /** Returns a description for the operator, of one or more lines. */
    String text();
}
