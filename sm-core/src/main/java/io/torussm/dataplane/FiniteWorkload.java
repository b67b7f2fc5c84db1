package io.torussm.dataplane;

/** A workload that ends: a job whose time is asked for, not a load that is offered. */
public abstract class FiniteWorkload implements Workload {
    private long bytes;
    private long left;
    private long lastNs;

    /** There are more messages, of so many bytes each. */
    final void expect(int messages, int bytesEach) {
        left += messages;
        bytes += (long) messages * bytesEach;
    }

    @Override
    public void arrived(int host, int from, int size, long nowNs) {
        left--;
        lastNs = nowNs;
    }

    /** Messages that have not arrived yet. */
    public long left() {
        return left;
    }

    /** When the last one arrived that has, in nanoseconds. */
    public long lastNs() {
        return lastNs;
    }

    /** Bytes of all messages. */
    public long bytes() {
        return bytes;
    }
}
