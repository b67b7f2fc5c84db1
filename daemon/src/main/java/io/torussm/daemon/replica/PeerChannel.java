package io.torussm.daemon.replica;

import java.util.List;
import java.util.function.Supplier;

/** The channel to the peers. Each peer has proved that it has the key of the replication. */
public interface PeerChannel extends AutoCloseable {
    /**
     * Names of the loggers of JGroups. Their messages are not events, and a peer can cause any number of them. Names
     * instead of classes let a process without replication load no class of JGroups.
     */
    List<String> LOGGERS = List.of("io.torussm.daemon.replica.BoundedTcp", "org.jgroups");

    /** A listener to peers and their messages. Its methods are called on any thread and return immediately. */
    interface Listener {
        /** Handles a peer that is connected, or connected again. */
        void joined(String peer);

        /** Handles a peer that is no longer connected. */
        void left(String peer);

        /** Handles a message of a peer. The listener owns the array. */
        void received(String peer, byte[] message);
    }

    /** Starts to connect to peers. Returns immediately. */
    void start(Listener listener);

    /**
     * Queues a message to all connected peers. Returns immediately. Thread-safe.
     *
     * @param slot slot of the message; a waiting message with an equal slot is replaced
     * @param message supplier of the message, a new array; called before sending, or never if the message is replaced
     *     or no peer is connected
     * @param sent callback; called on any thread after sending
     */
    void send(String slot, Supplier<byte[]> message, Runnable sent);

    /** Returns the names of the connected peers. Thread-safe. */
    List<String> peers();

    /** Returns the number of configured peers. */
    int configuredPeerCount();

    /** Disconnects from all peers. Returns within seconds. */
    @Override
    void close();
}
