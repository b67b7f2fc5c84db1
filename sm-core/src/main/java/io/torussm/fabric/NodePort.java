package io.torussm.fabric;

import org.jspecify.annotations.Nullable;

/**
 * The identity of a port across fabrics, independent of indexes.
 *
 * @param nodeGuid NodeGUID of its node
 * @param portNum number on the node, 0 to 254, 0 for a switch's own; a number below 0 stands for the
 *     whole node
 */
public record NodePort(long nodeGuid, int portNum) implements Comparable<NodePort> {
    /** Compares by GUID, unsigned, then by number. */
    @Override
    public int compareTo(NodePort other) {
        int order = Long.compareUnsigned(nodeGuid, other.nodeGuid);
        return order != 0 ? order : Integer.compare(portNum, other.portNum);
    }

    /**
     * Compares by hand, like the next method: the code that the JVM generates for a record at its first use would delay
     * the second SMP.
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
