package io.torussm.daemon.console;

/** How much waits to be read by all clients together. Owner thread: the console's. */
final class Outbox {
    private final long max;
    private long waiting;

    /** Room for some bytes. */
    Outbox(long max) {
        this.max = max;
    }

    /** Takes room for an answer, if there is enough; a small one is never refused. */
    boolean take(int bytes, int small) {
        if (bytes > small && waiting + bytes > max) {
            return false;
        }
        waiting += bytes;
        return true;
    }

    void give(int bytes) {
        waiting -= bytes;
    }
}
