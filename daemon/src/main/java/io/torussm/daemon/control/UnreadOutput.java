package io.torussm.daemon.control;

/** How much waits to be read by all clients of a server together. Owner thread: that of the server. */
public final class UnreadOutput {
    private final long max;
    private long waiting;

    /** Creates an outbox with room for some bytes. */
    public UnreadOutput(long max) {
        this.max = max;
    }

    /** Takes room for an answer, if there is enough; a small one is never refused. */
    public boolean take(int bytes, int small) {
        if (bytes > small && waiting + bytes > max) {
            return false;
        }
        waiting += bytes;
        return true;
    }

    /** Returns the bytes that were reserved for a response. */
    public void give(int bytes) {
        waiting -= bytes;
    }
}
