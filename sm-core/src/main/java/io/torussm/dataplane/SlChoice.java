package io.torussm.dataplane;

/** Which SL hosts give to what they send. */
@FunctionalInterface
public interface SlChoice {
    /**
     * The SL of packets from a host.
     *
     * @param from number of the host
     * @param dlid LID, or MLID of a group
     * @param level wanted QoS level, 0 or 1
     * @return SL 0 to 15, or -1 if nothing can be sent there
     */
    int sl(int from, int dlid, int level);
}
