package io.torussm.fabric;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a port, which is valid in all fabrics.
 *
 * @param nodeGuid NodeGUID of its node
 * @param portNum port number, 0 to 254, 0 for the port of a switch itself; a number below 0 denotes the whole
 *     node
 */
public record NodePort(long nodeGuid, int portNum) implements Comparable<NodePort> {
    /** Compares by GUID (unsigned), then by port number. */
    @Override
    public int compareTo(NodePort other) {
        int order = Long.compareUnsigned(nodeGuid, other.nodeGuid);
        return order != 0 ? order : Integer.compare(portNum, other.portNum);
    }

    /**
     * Compares without the code that the JVM generates for a record at its first use, because this would delay the
     * second SMP at the start. {@link #hashCode} is written out for the same reason.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodePort that && that.nodeGuid == nodeGuid && that.portNum == portNum;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(nodeGuid) + portNum;
    }
}
