package io.torussm.daemon.replica;

import java.util.List;
import java.util.function.Supplier;

/** The channel to the other SMs, each of which has proved that it has the key. */
public interface PeerChannel extends AutoCloseable {
    /**
     * The loggers of JGroups, whose messages are no events and which a peer can cause without limit. They are
     * given by name, so that no class of JGroups is loaded without replication.
     */
    List<String> LOGGERS = List.of("io.torussm.daemon.replica.BoundedTcp", "org.jgroups");

    /** A listener to peers and their messages. Called on any thread; returns immediately. */
    interface Listener {
        /** Handles a peer that is connected, or connected again. */
        void joined(String peer);

        /** Handles a peer that is no longer connected. */
        void left(String peer);

        /** Delivers a message of a peer; no other code uses the array. */
        void received(String peer, byte[] message);
    }

    /** Looks for peers from now on. Returns immediately. */
    void start(Listener listener);

    /**
     * Sends to all connected peers, soon. Returns immediately, from any thread.
     *
     * @param slot slot of several waiting messages with the same slot only the newest is sent
     * @param message supplier of the message, called at sending, perhaps never; a new array each time
     * @param sent runs after sending, on any thread; not if there is no peer
     */
    void send(String slot, Supplier<byte[]> message, Runnable sent);

    /** Returns the peers that are there; from any thread. */
    List<String> peers();

    /** Returns how many peers there are when all of them are there. */
    int expected();

    /** Leaves the group, within seconds. */
    @Override
    void close();
}
