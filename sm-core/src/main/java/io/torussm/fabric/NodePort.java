package io.torussm.fabric;

import org.jspecify.annotations.Nullable;

/**
 * A port by what it is in every fabric, whatever its index there.
 *
 * @param nodeGuid NodeGUID of its node
 * @param portNum its number on the node, 0 to 254, 0 being a switch's own; or a number below 0 by which the node as a whole is meant
 */
public record NodePort(long nodeGuid, int portNum) implements Comparable<NodePort> {
    /** By GUID, unsigned, then by number. */
    @Override
    public int compareTo(NodePort other) {
        int order = Long.compareUnsigned(nodeGuid, other.nodeGuid);
        return order != 0 ? order : Integer.compare(portNum, other.portNum);
    }

    /** Written out, like the next: what the JVM weaves for a record when it is first asked would keep the second SMP waiting. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof NodePort that && that.nodeGuid == nodeGuid && that.portNum == portNum;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(nodeGuid) + portNum;
    }
}
