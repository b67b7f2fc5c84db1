package io.torussm.transport;

/** One InfiniBand port through which MADs are sent and received: a real HCA, or a CA of the embedded fabric. */
public interface MadTransport extends AutoCloseable {

    /** Takes what comes in; called on a thread of the transport, one call at a time, and must not block. */
    interface Receiver {
        /** A MAD from the wire, or a request of ours that could not be delivered. */
        void received(MadFrame frame);

        /** The port is gone for good; nothing will be received any more. */
        void transportFailed(String why);

        /**
         * The port cannot be used for now, or can be used again: its link went, or the port itself. Each is reported once.
         *
         * @param why one line; empty if the port can be used
         */
        default void portChanged(boolean isUsable, String why) {}
    }

    /** The port that this transport is bound to. */
    LocalPort localPort();

    /**
     * The most requests that this transport can carry at once without risk.
     *
     * @return at least 1
     */
    int maxOutstanding();

    /**
     * As {@link #maxOutstanding}, for requests to QP1, which come on top of those to QP0.
     *
     * @return at least 1
     */
    default int maxOutstandingGmps() {
        return maxOutstanding();
    }

    /**
     * Whether a request without an answer comes back, marked as undelivered, when its time is over, and whether until then a
     * second one with its transaction ID is refused: the kernel does so.
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

    /** What became of {@link #receiveHere}. */
    enum Receipt {
        /** A MAD was handed to the receiver. */
        CAME,
        /** None came in time, or this transport cannot do it. */
        NOTHING,
        /** The own thread still waits for a MAD. Once it has handed that over it stands aside for a moment, if it is not told to go on. */
        NOT_YET
    }

    /**
     * Receives on the calling thread one MAD that has come, or comes within a time, while a thread of this transport stands aside: a caller
     * that waits for nothing but answers saves the way from one thread to the other. What came is handed to the receiver before
     * this returns. One thread at a time.
     *
     * @param timeoutMs how long it waits
     */
    default Receipt receiveHere(int timeoutMs) {
        return Receipt.NOTHING;
    }

    /** Leaves receiving to the transport's own thread again, after {@link #receiveHere}, whatever came of it. */
    default void leaveReceiving() {}

    /**
     * Sets or clears CapabilityMask.IsSM of the local port (IBA 14.4).
     *
     * @throws TransportException if another process holds it, or permission is missing
     */
    void setIsSm(boolean isSm) throws TransportException;

    /** Stops receiving, clears IsSM and releases the port. */
    @Override
    void close();
}
