package io.torussm.deadlock;

/** The result of {@link DeadlockChecker}. */
public sealed interface Verdict permits Certificate, Cycle, BrokenTables {
    /** Returns a description for the operator, of one or more lines. */
    String text();
}
