package io.torussm.daemon.traffic;

import io.torussm.conf.ConfLines;
import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Multicast forwarding tables as OpenSM dumps them in {@code opensm.mcfdbs}: after {@code Switch 0x<node GUID>} lines of MLID, colon and ports.
 */
final class DumpedGroups {
    private static final Pattern SWITCH = Pattern.compile("Switch 0x([0-9a-fA-F]{1,16})\\b.*");
    private static final Pattern GROUP = Pattern.compile("0x([0-9a-fA-F]{4})\\s*:((?:\\s*0x[0-9a-fA-F]{3})*)");

    private final Fabric fabric;
    private final ConfLines conf;

    /** By switch, then by MLID: a bit for each port. */
    private final List<Map<Integer, long[]>> masks = new ArrayList<>();

    /** The switch that entries are of; {@link Fabric#NONE} for one that is not there. */
    private int sw = Fabric.NONE;

    DumpedGroups(Fabric fabric, ConfLines conf) {
        this.fabric = fabric;
        this.conf = conf;
        for (int each = 0; each < fabric.switchCount(); each++) {
            masks.add(new HashMap<>());
        }
    }

    /** Takes a line. */
    void take(String line) {
        Matcher ofSwitch = SWITCH.matcher(line);
        Matcher group = GROUP.matcher(line.strip());
        if (ofSwitch.matches()) {
            sw = DumpedFabric.switchOf(fabric, ofSwitch.group(1));
        } else if (group.matches()) {
            if (sw != Fabric.NONE) {
                put(Integer.parseInt(group.group(1), 16), group.group(2).strip());
            }
        } else if (!line.isBlank() && !line.startsWith("LID")) {
            conf.error(ConfLines.quote(line) + " is no entry; write an MLID and ports, such as 0xC000 : 0x001 0x003");
        }
    }

    private void put(int mlid, String ports) {
        long[] mask = new long[4];
        for (String word : ports.isEmpty() ? new String[0] : ports.split("\\s+")) {
            int port = Integer.parseInt(word.substring(2), 16);
            if (port > fabric.numPorts(sw)) {
                conf.error(DumpedFabric.noPort(fabric, sw, port));
                return;
            }
            mask[port >> 6] |= 1L << port;
        }
        masks.get(sw).put(mlid, mask);
    }

    /** A bit for each port that a switch sends to; empty if it has no entry. */
    long[] ports(int ofSwitch, int mlid) {
        return masks.get(ofSwitch).getOrDefault(mlid, new long[0]);
    }

    /** Whether some switch has an entry. */
    boolean has(int mlid) {
        return masks.stream().anyMatch(ofSwitch -> ofSwitch.containsKey(mlid));
    }
}
