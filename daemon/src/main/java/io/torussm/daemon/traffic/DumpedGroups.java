package io.torussm.daemon.traffic;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Multicast forwarding tables that were dumped; see {@link io.torussm.daemon.tables.GroupLines}. */
final class DumpedGroups {
    private final Fabric fabric;

    /** Masks of port numbers (bit p % 64 of word p / 64), by switch index, then by MLID. */
    private final List<Map<Integer, long[]>> masks = new ArrayList<>();

    DumpedGroups(Fabric fabric) {
        this.fabric = fabric;
        for (int each = 0; each < fabric.switchCount(); each++) {
            masks.add(new HashMap<>());
        }
    }

    /** Takes an entry. An entry of a switch outside the fabric is ignored. */
    void add(long switchGuid, int mlid, long[] ports) {
        int sw = DumpedFabric.switchOf(fabric, switchGuid);
        if (sw == Fabric.NONE) {
            return;
        }
        for (int port = fabric.numPorts(sw) + 1; port < ports.length * Long.SIZE; port++) {
            if ((ports[port >> 6] >> port & 1) != 0) {
                throw new IllegalArgumentException(DumpedFabric.noPortError(fabric, sw, port));
            }
        }
        masks.get(sw).put(mlid, ports);
    }

    /** Returns the mask of the ports to which a switch sends a group; empty if the switch has no entry. */
    long[] ports(int ofSwitch, int mlid) {
        return masks.get(ofSwitch).getOrDefault(mlid, new long[0]);
    }

    /** Checks whether any switch has an entry for a group. */
    boolean has(int mlid) {
        return masks.stream().anyMatch(ofSwitch -> ofSwitch.containsKey(mlid));
    }
}
