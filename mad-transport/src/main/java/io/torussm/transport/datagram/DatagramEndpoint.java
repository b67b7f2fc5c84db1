package io.torussm.transport.datagram;

import java.io.IOException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * A bound datagram socket whose methods never wait: a socket of the kernel ({@link SocketLoop}), or a test's queue in
 * memory. Confined to its loop.
 */
public interface DatagramEndpoint extends AutoCloseable {
    /** Max bytes that are read of a datagram; the rest is lost. */
    int MAX_LENGTH = 9_216;

    /** Max datagrams that one call reads or sends. */
    int BATCH = 32;

    /** Result of {@link #receive} if the peer of a connected socket has closed. */
    int PEER_GONE = -1;

    /** A consumer of received datagrams. */
    interface DatagramConsumer {
        /**
         * Takes a datagram.
         *
         * @param bytes array that is reused after the call
         * @param length number of its bytes, 0 to {@link #MAX_LENGTH}
         * @param from sender; null if this socket is connected
         */
        void accept(byte[] bytes, int length, @Nullable DatagramAddress from);
    }

    /** The outcome of sending several datagrams. */
    enum SendResult {
        /** All datagrams were sent, or dropped because they can never be sent. */
        ALL,
        /** The peer's queue is full; the other datagrams remain to be sent. */
        PEER_IS_FULL,
        /** The peer has closed its socket. */
        PEER_GONE
    }

    /** Connects the socket to a peer. Datagrams of other peers are discarded, also those that arrived before. */
    void connect(DatagramAddress peer) throws IOException;

    /**
     * Passes received datagrams to a consumer, at most {@link #BATCH}.
     *
     * @return number of datagrams, or {@link #PEER_GONE}
     */
    int receive(DatagramConsumer taker);

    /**
     * Sends datagrams to the connected peer, first to last. Removes datagrams that were sent or that can never be sent.
     */
    SendResult send(ArrayDeque<byte[]> datagrams);

    /** Sends a datagram to any address. Returns false if the kernel did not accept it. */
    boolean send(byte[] datagram, DatagramAddress to);

    /** Checks whether the connected peer is still bound; always true for UDP, which cannot detect it. */
    boolean isPeerBound();

    /**
     * Sets whether the callback of {@link DatagramNetwork#bind} is also called when the peer accepts datagrams again.
     */
    void setAwaitsRoom(boolean isAwaited);

    @Override
    void close();
}
