package io.torussm.program.port;

import io.torussm.fabric.Fabric;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The links that became ACTIVE and were not yet read again. Such a link may have gone down and up again during the
 * sweep that activated it, which leaves no trace. If a switch at the link reports a change later, the devices at both
 * ends may have restarted after they were written. Owner thread: the loop.
 */
public final class UnconfirmedLinks {
    /** By NodeGUID: NodeGUIDs of the devices at the far ends of such links. */
    private final Map<Long, Set<Long>> farEnds = new HashMap<>();

    /** Records ports of a fabric, by index, that became ACTIVE. */
    public void addActivated(Fabric fabric, BitSet ports) {
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

    /** Returns the NodeGUIDs of devices that may have lost their tables if a switch reports a change; may be empty. */
    public Set<Long> suspects(long switchGuid) {
        Set<Long> suspects = new HashSet<>(farEnds.getOrDefault(switchGuid, Set.of()));
        if (!suspects.isEmpty()) {
            suspects.add(switchGuid);
        }
        return suspects;
    }

    /** Removes the links of a switch, which was read and whose reported changes were handled. */
    public void removeSwitch(long switchGuid) {
        farEnds.remove(switchGuid);
    }

    /** Removes all links. */
    public void clear() {
        farEnds.clear();
    }
}
