package io.torussm.transport.datagram;

import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/** A bound datagram socket that never waits: of the kernel ({@link SocketLoop}), or of a test's memory. Confined to its loop. */
public interface DatagramEndpoint extends AutoCloseable {
    /** What is read of a datagram at most, in bytes; the rest is lost. */
    int MAX_LENGTH = 9_216;

    /** Datagrams read or sent at once. */
    int BATCH = 32;

    /** {@link #receive} says so of a connected socket whose peer is gone. */
    int PEER_GONE = -1;

    /** Takes what was read. */
    interface Taker {
        /**
         * A datagram.
         *
         * @param bytes an array that is used again after the call
         * @param length of them, 0 to {@link #MAX_LENGTH}
         * @param from who sent it; null if this socket is connected
         */
        void take(byte[] bytes, int length, @Nullable DatagramAddress from);
    }

    /** How sending ended. */
    enum Sent {
        /** All of it. */
        ALL,
        /** The peer's queue is full; the rest stays. */
        PEER_IS_FULL,
        /** Nobody reads there any more. */
        PEER_GONE
    }

    /** Has the socket exchange datagrams with this peer only, and forgets what others have sent before. */
    void connect(DatagramAddress peer) throws IOException;

    /**
     * Hands over what waits to be read, at most {@link #BATCH} datagrams.
     *
     * @return how many, or {@link #PEER_GONE}
     */
    int receive(Taker taker);

    /** Sends to the connected peer, first to last, and removes what it sent or what can never be sent. */
    Sent send(ArrayDeque<byte[]> datagrams);

    /** Sends to anybody; returns whether it was taken. */
    boolean send(byte[] datagram, DatagramAddress to);

    /** Whether the connected peer is known to be there still; true where that cannot be found out (UDP). */
    boolean isPeerThere();

    /** Whether the owner is to be called also when the peer takes datagrams again. */
    void awaitRoom(boolean isAwaited);

    @Override
    void close();
}
