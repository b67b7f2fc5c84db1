package io.torussm.program;

import io.torussm.fabric.Fabric;
import org.jspecify.annotations.Nullable;

/** A port by what it is in every fabric: the GUID of its node, and its number. */
record PortName(long nodeGuid, int portNum) {
    static PortName of(Fabric fabric, int port) {
        return new PortName(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
    }

    /** Written out, like the next: what the JVM weaves for a record when it is first asked takes milliseconds of a start. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof PortName name && name.nodeGuid == nodeGuid && name.portNum == portNum;
    }

    @Override
    public int hashCode() {
        return 31 * Long.hashCode(nodeGuid) + portNum;
    }
}
