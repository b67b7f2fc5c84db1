package io.torussm.routing;

/** What {@link DeadlockChecker} found. */
public sealed interface Verdict permits Certificate, Cycle, Broken {
    /** For the operator; several lines where there is something to show. */
    String text();
}
