package io.torussm.routing.file;

import io.torussm.conf.ConfLines;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineFile;
import io.torussm.routing.balance.Links;
import io.torussm.routing.balance.NextHops;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * How far it is by each port, as OpenSM dumps it: after {@code Switch: guid 0x<NodeGUID>} a row for each LID
 * of a switch, {@code 0x<LID>: <hops> ... # portguid 0x<port GUID>}, hops in hexadecimal by port number,
 * {@code ff} where there is no way.
 */
final class DumpedHops {
    private static final int NO_WAY = 0xff;
    private static final Pattern HEADER = Pattern.compile("Switch\\b.* guid (0x[0-9a-fA-F]{1,16})\\b.*");
    private static final Pattern ROW = Pattern.compile(
            "(0x[0-9a-fA-F]{1,4}):((?: [0-9a-fA-F]{2}){1,256})\\s*(?:#(?:.*\\bportguid (0x[0-9a-fA-F]{1,16})\\b)?.*)?");

    private final ConfLines conf;
    private final List<Row> rows = new ArrayList<>();
    private long current;

    /**
     * A row.
     *
     * @param portGuid PortGUID of the destination switch; 0 if the line does not contain it
     * @param hops by port number
     */
    private record Row(long switchGuid, int lid, long portGuid, byte[] hops) {}

    /** Reads a file, for the setting {@code key}. */
    DumpedHops(EngineFile file, String key) {
        conf = new ConfLines(file.name(), SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING);
        String text = file.text();
        if (text == null) {
            conf.error(file.problem() + "; see " + key);
            return;
        }
        conf.readDump(text, "dump of a LID matrix", "no switch has so many ports", line -> parse(line.strip()));
        if (rows.isEmpty() && conf.isClean()) {
            conf.error(0, "it has no row; the rows of a switch begin with \"Switch: guid\" and its GUID");
        }
    }

    private void parse(String line) {
        Matcher header = HEADER.matcher(line);
        if (header.matches()) {
            current = DumpedTables.guid(header.group(1));
        } else if (line.startsWith("Switch")) {
            current = 0;
        } else if (current != 0 && line.startsWith("0x")) {
            row(line);
        }
    }

    private void row(String line) {
        Matcher row = ROW.matcher(line);
        if (!row.matches()) {
            conf.error(
                    ConfLines.quote(line) + " is no row; write a LID and the hops by port, such as 0x0002: 00 01 ff");
            return;
        }
        String[] words = row.group(2).strip().split(" ", -1);
        byte[] hops = new byte[words.length];
        for (int i = 0; i < words.length; i++) {
            hops[i] = (byte) Integer.parseInt(words[i], 16);
        }
        int lid = Integer.parseInt(row.group(1).substring(2), 16);
        rows.add(new Row(current, lid, row.group(3) == null ? 0 : DumpedTables.guid(row.group(3)), hops));
    }

    /** Returns the errors of the file. */
    List<Finding> findings() {
        return conf.findings();
    }

    /**
     * Returns the nearest ports among those that lead to a switch; a switch is found by its port GUID, or
     * else by its LID.
     */
    NextHops in(Subnet subnet, Links links) {
        Fabric fabric = subnet.fabric();
        Map<Long, Integer> byPortGuid = new HashMap<>();
        Map<Integer, Integer> byLid = new HashMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            byPortGuid.put(fabric.portGuid(fabric.port(sw, 0)), sw);
            byLid.put(subnet.lid(fabric.port(sw, 0)), sw);
        }
        byte @Nullable [][][] hops = new byte[fabric.switchCount()][fabric.switchCount()][];
        for (Row row : rows) {
            Integer to = byPortGuid.getOrDefault(row.portGuid, byLid.get(row.lid));
            int sw = fabric.nodeByGuid(row.switchGuid);
            if (to != null && sw != Fabric.NONE && fabric.isSwitch(sw)) {
                hops[sw][to] = row.hops;
            }
        }
        return (sw, to, into) -> nearest(fabric, links, sw, hops[sw][to], into);
    }

    private static int nearest(Fabric fabric, Links links, int sw, byte @Nullable [] hops, int[] into) {
        int least = NO_WAY;
        int count = 0;
        for (int portNum = 1; hops != null && portNum < hops.length && portNum <= fabric.numPorts(sw); portNum++) {
            int far = links.behind(fabric.port(sw, portNum)) == Fabric.NONE ? NO_WAY : hops[portNum] & 0xff;
            if (far < least) {
                least = far;
                count = 0;
            }
            if (far == least && far != NO_WAY) {
                into[count++] = portNum;
            }
        }
        return count;
    }
}
