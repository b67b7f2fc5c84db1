package io.torussm.dataplane;

/**
 * The source of the messages that hosts send. The simulator requests the next message of a host when the previous one
 * is queued. After a request without a message, it requests one again when a message has arrived at that host.
 */
public interface Workload {
    /**
     * Returns the next message of a host.
     *
     * @param host number of the host, see {@link Hosts}
     * @param nowNs the time, in nanoseconds
     * @param message receives the message
     * @return false if the host has no message now
     */
    boolean next(int host, long nowNs, Message message);

    /**
     * Handles the arrival of the last packet of a message.
     *
     * @param host number of the destination
     * @param from number of the source
     */
    default void arrived(int host, int from, int bytes, long nowNs) {}

    /**
     * Checks whether messages never end. If congestion control slows a flow down and its queue is full, such a
     * workload loses messages, as an application sends less then. Other workloads wait.
     */
    default boolean isEndless() {
        return false;
    }

    /**
     * Handles the loss of a packet.
     *
     * @param from number of the source host
     * @param dlid LID or MLID of the destination
     */
    default void lost(int from, int dlid, Drop reason) {}

    /** A message; reused for each. */
    final class Message {
        /** The destination: a host, or the MLID of a group (0xC000 and above). */
        public int to;

        public int bytes;

        /** Requested QoS level, 0 or 1. */
        public int level;

        /**
         * The time at which the message is due, in picoseconds. If the time is in the past, the message is sent as soon
         * as there is space.
         */
        public long atPs;
    }
}
