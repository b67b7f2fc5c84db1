package io.torussm.daemon.control;

/**
 * The bytes of responses that all clients of a server together have not read yet, with a limit. It bounds the memory
 * that slow clients can use. Owner thread: that of the server.
 */
public final class UnreadOutput {
    private final long max;
    private long waiting;

    /** @param max maximum number of unread bytes */
    public UnreadOutput(long max) {
        this.max = max;
    }

    /**
     * Reserves bytes for a response, unless the limit would be exceeded.
     *
     * @param small size in bytes up to which a response is never refused
     * @return true if the bytes are reserved
     */
    public boolean take(int bytes, int small) {
        if (bytes > small && waiting + bytes > max) {
            return false;
        }
        waiting += bytes;
        return true;
    }

    /** Releases the bytes that were reserved for a response. */
    public void give(int bytes) {
        waiting -= bytes;
    }
}
