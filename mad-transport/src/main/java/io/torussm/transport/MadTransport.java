package io.torussm.transport;

/** One InfiniBand port through which MADs are sent and received: a real HCA, or a CA of the embedded fabric. */
public interface MadTransport extends AutoCloseable {

    /**
     * A receiver of MADs. Called on a thread of the transport, or on that of the caller within {@link #receiveHere};
     * one call at a time; must not block.
     */
    interface Receiver {
        /** Receives a MAD from the wire, or a request of this SM that could not be delivered. */
        void received(MadFrame frame);

        /** Handles the final loss of the port; no other MAD will be received. */
        void transportFailed(String reason);

        /**
         * Handles a port that cannot be used for now, or can be used again: its link went down, or the port itself
         * is absent. Each change is reported once.
         *
         * @param reason one line; empty if the port can be used
         */
        default void portChanged(boolean isUsable, String reason) {}
    }

    /** Returns the port that this transport is bound to. */
    LocalPort localPort();

    /**
     * Returns the number of concurrent requests that this transport can carry without risk.
     *
     * @return at least 1
     */
    int maxOutstanding();

    /**
     * Returns the limit of {@link #maxOutstanding} for requests to QP1, which is in addition to that for QP0.
     *
     * @return at least 1
     */
    default int maxOutstandingGmps() {
        return maxOutstanding();
    }

    /**
     * Checks whether an unanswered request is returned as undelivered after its time-out. Until then a second
     * request with its transaction ID is refused. The kernel does so.
     */
    default boolean returnsUnanswered() {
        return false;
    }

    /** Starts receiving. Called once. */
    void start(Receiver receiver);

    /**
     * Sends a MAD; does not wait for an answer. May be called from any thread.
     *
     * @param responseTimeoutMs how long an answer is awaited at most, 0 if none is
     * @return false if it could not be sent
     */
    boolean send(MadFrame frame, int responseTimeoutMs);

    /** The outcome of {@link #receiveHere}. */
    enum Receipt {
        /** A MAD was handed to the receiver. */
        CAME,
        /** None came in time, or this transport cannot do it. */
        NOTHING,
        /** The own thread still waits for a MAD. Afterwards it pauses for a moment, unless receiving is left to it. */
        NOT_YET
    }

    /**
     * Receives on the calling thread one MAD that has arrived or arrives in time, while the thread of this
     * transport pauses. A caller that only waits for responses saves a switch of threads. The MAD is passed
     * to the receiver before this method returns. One thread at a time.
     *
     * @param timeoutMs longest wait
     */
    default Receipt receiveHere(int timeoutMs) {
        return Receipt.NOTHING;
    }

    /** Leaves receiving to the transport's own thread again, after any outcome of {@link #receiveHere}. */
    default void leaveReceiving() {}

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
