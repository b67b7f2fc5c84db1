package io.torussm.program;

import io.torussm.fabric.Fabric;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Links that rose and have not been seen steady since. One of them may have gone down and up again in the course of the
 * sweep that brought it up, and then looks as it did before. So if a switch there reports a change, however late, devices
 * at both ends may have been restarted after they were written. Owner thread: the loop.
 */
final class UnconfirmedLinks {
    private final Map<Long, Set<Long>> farEnds = new HashMap<>();

    /** Ports of a fabric became ACTIVE. */
    void rose(Fabric fabric, BitSet ports) {
        for (int port = ports.nextSetBit(0); port >= 0; port = ports.nextSetBit(port + 1)) {
            int far = fabric.peer(port);
            if (far != Fabric.NONE) {
                long guid = fabric.nodeGuid(fabric.nodeOf(port));
                long farGuid = fabric.nodeGuid(fabric.nodeOf(far));
                farEnds.computeIfAbsent(guid, any -> new HashSet<>()).add(farGuid);
                farEnds.computeIfAbsent(farGuid, any -> new HashSet<>()).add(guid);
            }
        }
    }

    /** NodeGUIDs of devices that may hold something else than was written to them, if a switch reports a change. */
    Set<Long> suspects(long switchGuid) {
        Set<Long> suspects = new HashSet<>(farEnds.getOrDefault(switchGuid, Set.of()));
        if (!suspects.isEmpty()) {
            suspects.add(switchGuid);
        }
        return suspects;
    }

    /** A switch was read, and whatever it had to report has been dealt with. */
    void seen(long switchGuid) {
        farEnds.remove(switchGuid);
    }

    void clear() {
        farEnds.clear();
    }
}
