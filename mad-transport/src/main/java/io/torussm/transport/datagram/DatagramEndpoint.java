package io.torussm.transport.datagram;

import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A bound datagram socket that never waits: of the kernel ({@link SocketLoop}), or of a test's memory.
 * Confined to its loop.
 */
public interface DatagramEndpoint extends AutoCloseable {
    /** Bytes of a datagram that are read; the rest is lost. */
    int MAX_LENGTH = 9_216;

    /** Datagrams that one call reads or sends. */
    int BATCH = 32;

    /** Result of {@link #receive} if the peer of a connected socket has closed. */
    int PEER_GONE = -1;

    /** A consumer of received datagrams. */
    interface Taker {
        /**
         * Takes a datagram.
         *
         * @param bytes array that is reused after the call
         * @param length number of its bytes, 0 to {@link #MAX_LENGTH}
         * @param from sender; null if this socket is connected
         */
        void take(byte[] bytes, int length, @Nullable DatagramAddress from);
    }

    /** How sending ended. */
    enum Sent {
        /** All of it. */
        ALL,
        /** The peer's queue is full; the rest stays. */
        PEER_IS_FULL,
        /** The peer has closed its socket. */
        PEER_GONE
    }

    /** Connects the socket to this peer only, and discards datagrams that other peers sent before. */
    void connect(DatagramAddress peer) throws IOException;

    /**
     * Passes on the received datagrams, at most {@link #BATCH}.
     *
     * @return their number, or {@link #PEER_GONE}
     */
    int receive(Taker taker);

    /**
     * Sends to the connected peer, first to last. Removes datagrams that were sent or that can never be sent.
     */
    Sent send(ArrayDeque<byte[]> datagrams);

    /** Sends to any address. Returns false if the kernel did not accept the datagram. */
    boolean send(byte[] datagram, DatagramAddress to);

    /** Checks whether the connected peer is still bound; always true for UDP, which cannot detect it. */
    boolean isPeerThere();

    /** Sets whether the owner is called when the peer accepts datagrams again. */
    void awaitRoom(boolean isAwaited);

    @Override
    void close();
}
