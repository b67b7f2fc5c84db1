package io.torussm.daemon.console.server;

/** How many clients are connected. Owner thread: the console's. */
final class ClientCount {
    private final int max;
    private int count;

    ClientCount(int max) {
        this.max = max;
    }

    /** Counts one more, unless there are enough. */
    boolean enter() {
        if (count == max) {
            return false;
        }
        count++;
        return true;
    }

    void leave() {
        count--;
    }
}
