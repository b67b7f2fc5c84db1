package io.torussm.dataplane;

/** A workload that ends: a job whose time is asked for, not a load that is offered. */
public interface FiniteWorkload extends Workload {
    /** Messages that have not arrived yet. */
    long left();

    /** When the last one arrived that has, in nanoseconds. */
    long lastNs();

    /** Bytes of all messages. */
    long bytes();
}
