package io.torussm.dataplane;

/**
 * What hosts send to whom, and when. Asked for the next message of a host when the one before has been queued; a host
 * that has none for now is asked again when a message has arrived at it.
 */
public interface Workload {
    /**
     * The next message of a host.
     *
     * @param host number of the host, see {@link Hosts}
     * @param nowNs the time, in nanoseconds
     * @param message to be filled in
     * @return false if there is none for now
     */
    boolean next(int host, long nowNs, Message message);

    /** All of a message has arrived. */
    default void arrived(int host, int from, int bytes, long nowNs) {}

    /** A packet was lost on its way to a LID or a group. */
    default void lost(int from, int dlid, Drop reason) {}

    /** A message; filled in again for each. */
    final class Message {
        /** The host that it is for, or the MLID of a group (0xC000 and above) that it is sent to. */
        public int to;

        public int bytes;

        /** Wanted QoS level, 0 or 1. */
        public int level;

        /** When it is to be sent, in picoseconds; what is in the past is sent as soon as there is room. */
        public long atPs;
    }
}
