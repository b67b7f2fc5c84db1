package io.torussm.transport;

/**
 * A port through which MADs are sent and received: a port of a real adapter, or of a channel adapter of the embedded
 * fabric.
 */
public interface MadTransport extends AutoCloseable {

    /**
     * A receiver of MADs. Called on a thread of the transport, or within {@link #receiveInline} on the thread of its
     * caller; one call at a time; must not block.
     */
    interface Receiver {
        /** Receives a MAD from the wire, or a request of this SM that returns undelivered. */
        void received(MadFrame frame);

        /**
         * Handles the final loss of the port, after which no MAD is received.
         *
         * @param reason cause in one line
         */
        void transportFailed(String reason);

        /**
         * Handles a temporary loss of the port, or its return: its link is down, or the port itself is absent. Each
         * change is reported once.
         *
         * @param reason cause in one line; empty if the port is usable
         */
        default void portChanged(boolean isUsable, String reason) {}
    }

    /** Returns the port that this transport is bound to. */
    LocalPort localPort();

    /**
     * Returns the number of concurrent requests to QP0 that this transport can carry without loss.
     *
     * @return at least 1
     */
    int maxOutstanding();

    /**
     * Returns the number of concurrent requests to QP1, in addition to {@link #maxOutstanding}.
     *
     * @return at least 1
     */
    default int maxOutstandingGmps() {
        return maxOutstanding();
    }

    /**
     * Checks whether a request without a response returns as undelivered after its time-out, as the kernel does it.
     * Until then, a second request with its transaction ID is refused.
     */
    default boolean returnsTimedOutRequests() {
        return false;
    }

    /** Starts receiving. Called once. */
    void start(Receiver receiver);

    /**
     * Sends a MAD without waiting for a response. Any thread may call it.
     *
     * @param responseTimeoutMs max time for the response in milliseconds; 0 if no response is expected
     * @return false if the MAD could not be sent
     */
    boolean send(MadFrame frame, int responseTimeoutMs);

    /** The outcome of {@link #receiveInline}. */
    enum ReceiveResult {
        /** A MAD was passed to the receiver. */
        RECEIVED,
        /** No MAD arrived in time, or this transport does not support {@link #receiveInline}. */
        NONE,
        /**
         * The transport's own thread still waits for a MAD. Afterwards it pauses for a moment, unless
         * {@link #resumeReceiveThread} is called before.
         */
        THREAD_STILL_RECEIVES
    }

    /**
     * Receives one MAD on the calling thread, while the transport's own thread pauses. A caller that only waits for
     * responses saves a switch of threads. The MAD is passed to the receiver before this method returns. Only one
     * thread at a time may call it.
     *
     * @param timeoutMs max wait in milliseconds
     */
    default ReceiveResult receiveInline(int timeoutMs) {
        return ReceiveResult.NONE;
    }

    /** Ends the pause of the transport's own thread, after any outcome of {@link #receiveInline}. */
    default void resumeReceiveThread() {}

    /**
     * Sets or clears CapabilityMask.IsSM of the local port (IBA 14.4).
     *
     * @throws TransportException if another process has set it, or permission is missing
     */
    void setIsSm(boolean isSm) throws TransportException;

    /** Stops receiving, clears IsSM and releases the port. */
    @Override
    void close();
}
