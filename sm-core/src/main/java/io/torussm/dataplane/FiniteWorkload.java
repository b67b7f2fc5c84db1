package io.torussm.dataplane;

/** A workload that ends: the measurement is the time of a job, not an offered load. */
public abstract class FiniteWorkload implements Workload {
    private long bytes;
    private long undeliveredMessages;
    private long lastNs;

    /** Adds messages with these bytes each. */
    final void addMessages(int messages, int bytesEach) {
        undeliveredMessages += messages;
        bytes += (long) messages * bytesEach;
    }

    @Override
    public void arrived(int host, int from, int size, long nowNs) {
        undeliveredMessages--;
        lastNs = nowNs;
    }

    /** Returns the number of messages that have not arrived yet. */
    public long undeliveredMessages() {
        return undeliveredMessages;
    }

    /** Returns the time of the last arrival, in nanoseconds. */
    public long lastNs() {
        return lastNs;
    }

    /** Returns the bytes of all messages. */
    public long bytes() {
        return bytes;
    }
}
