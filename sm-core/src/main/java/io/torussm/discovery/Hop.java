package io.torussm.discovery;

import org.jspecify.annotations.Nullable;

/** A port of a node: the one that a request left through, or port 0 for a switch as a whole. */
record Hop(long nodeGuid, int portNum) {
    /** Written out, like the next: what the JVM weaves for a record when it is first asked would keep the second SMP waiting. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Hop hop && hop.nodeGuid == nodeGuid && hop.portNum == portNum;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(nodeGuid) + portNum;
    }
}
