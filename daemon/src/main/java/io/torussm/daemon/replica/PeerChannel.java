package io.torussm.daemon.replica;

import java.util.List;
import java.util.function.Supplier;

/** The way to the other SMs, each of which has proved that it holds the key. */
public interface PeerChannel extends AutoCloseable {
    /**
     * Of what JGroups says itself, which a peer causes as often as it likes, in words that are no events; by name, so that no
     * class of JGroups is loaded where there is no replication.
     */
    List<String> LOGGERS = List.of("io.torussm.daemon.replica.BoundedTcp", "org.jgroups");

    /** Hears of peers and from them. Called on any thread; returns at once. */
    interface Listener {
        /** A peer is there, or there again. */
        void joined(String peer);

        /** A peer is there no more. */
        void left(String peer);

        /** A peer sent this; nobody else has the array. */
        void received(String peer, byte[] message);
    }

    /** Looks for peers from now on. Returns at once. */
    void start(Listener listener);

    /**
     * Sends to all peers that are there, soon. Returns at once, from any thread.
     *
     * @param slot of what waits in the same slot only the newest is sent
     * @param message asked for when it is sent, perhaps never; each time a new array
     * @param sent runs when it was sent, on any thread; not if there is no peer
     */
    void send(String slot, Supplier<byte[]> message, Runnable sent);

    /** The peers that are there; from any thread. */
    List<String> peers();

    /** How many peers there are when all of them are there. */
    int expected();

    /** Leaves the group, within seconds. */
    @Override
    void close();
}
