package io.torussm.deadlock;

/** What {@link DeadlockChecker} found. */
public sealed interface Verdict permits Certificate, Cycle, BrokenTables {
    /** For the operator; several lines where there is something to show. */
    String text();
}
