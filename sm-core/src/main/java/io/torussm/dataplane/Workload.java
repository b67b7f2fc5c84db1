package io.torussm.dataplane;

/**
 * The messages of hosts, with destinations and times. The next message of a host is requested when the
 * previous one is queued. If a host has none, it is requested again when a message has arrived at that host.
 */
public interface Workload {
    /**
     * Returns the next message of a host.
     *
     * @param host number of the host, see {@link Hosts}
     * @param nowNs the time, in nanoseconds
     * @param message to be filled in
     * @return false if there is none now
     */
    boolean next(int host, long nowNs, Message message);

    /** Handles the arrival of the last packet of a message. */
    default void arrived(int host, int from, int bytes, long nowNs) {}

    /** Handles a packet that was lost on its path to a LID or a group. */
    default void lost(int from, int dlid, Drop reason) {}

    /** A message; reused for each. */
    final class Message {
        /** The destination: a host, or the MLID of a group (0xC000 and above). */
        public int to;

        public int bytes;

        /** Requested QoS level, 0 or 1. */
        public int level;

        /**
         * The time at which it is due, in picoseconds; if it is in the past, the message is sent as soon as
         * there is space.
         */
        public long atPs;
    }
}
