package io.torussm.dataplane;

/** The SLs of the packets of hosts. */
@FunctionalInterface
public interface SlChoice {
    /**
     * Returns the SL of packets from a host.
     *
     * @param from number of the host
     * @param dlid LID, or MLID of a group
     * @param level requested QoS level, 0 or 1
     * @return SL 0 to 15, or -1 if there is no path
     */
    int sl(int from, int dlid, int level);
}
