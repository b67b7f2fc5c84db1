package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.transport.Outcome;
import org.jspecify.annotations.Nullable;

/** The advice to the operator for a device that does not respond, if an M_Key is a likely cause. */
public final class MKeyHint {
    private static final String REMEDY = "enter its port GUID and key into guid2mkey while this SM is stopped, or wait"
            + " for its lease to run out, or reset the device (see protection.md)";

    private MKeyHint() {}

    /** Returns the hint about a request that failed; empty unless it failed by a time-out. */
    public static String ofSilence(Outcome<?> outcome) {
        return outcome instanceof Outcome.Failure<?> failure && failure.reason() == Outcome.FailureReason.TIMEOUT
                ? ". Either it hangs, or it is protected by an M_Key that this SM does not know: " + REMEDY
                : "";
    }

    /** Returns the hint about a node that responded to reads, but not to writes; empty if no port hides an M_Key. */
    public static String of(Fabric fabric, int node) {
        boolean hides = false;
        for (int portNum = 0; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            hides |= fabric.isEndport(port) && hides(fabric.portInfo(port));
        }
        return hides ? ". It is protected by an M_Key that this SM does not know: " + REMEDY : "";
    }

    /** Checks whether a port hides its M_Key: it reports 0, and protection bits. */
    private static boolean hides(@Nullable PortInfo read) {
        return read != null && read.get(PortInfo.M_KEY) == 0 && read.get(PortInfo.M_KEY_PROTECT_BITS) != 0;
    }
}
