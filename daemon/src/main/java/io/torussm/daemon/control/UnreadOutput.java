package io.torussm.daemon.control;

/**
 * The bytes of responses that all clients of a server together have not read yet, with a limit. It bounds the memory
 * that slow clients can use. Owner thread: that of the server.
 */
public final class UnreadOutput {
    private final long maxBytes;
    private long reservedBytes;

    /** @param max maximum number of unread bytes */
    public UnreadOutput(long max) {
        this.maxBytes = max;
    }

    /**
     * Reserves bytes for a response, unless the limit would be exceeded.
     *
     * @param small size in bytes up to which a response is never refused
     * @return true if the bytes are reserved
     */
    public boolean reserve(int bytes, int small) {
        if (bytes > small && reservedBytes + bytes > maxBytes) {
            return false;
        }
        reservedBytes += bytes;
        return true;
    }

    /** Releases the bytes that were reserved for a response. */
    public void release(int bytes) {
        reservedBytes -= bytes;
    }
}
