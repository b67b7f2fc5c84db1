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
 * The hops from each switch to the others by output port, in the format of OpenSM's {@code
 * opensm-lid-matrix.dump}. After a line {@code Switch: guid 0x<NodeGUID>}, a row for each LID of a switch
 * follows: {@code 0x<LID>: <hops> ... # portguid 0x<port GUID>}. Hops are hexadecimal, by port number from 0 on,
 * {@code ff} for no path.
 */
final class DumpedHops {
    /** The hops of a port without a path. */
    private static final int NO_PATH = 0xff;

    private static final Pattern HEADER = Pattern.compile("Switch\\b.* guid (0x[0-9a-fA-F]{1,16})\\b.*");
    private static final Pattern ROW = Pattern.compile(
            "(0x[0-9a-fA-F]{1,4}):((?: [0-9a-fA-F]{2}){1,256})\\s*(?:#(?:.*\\bportguid (0x[0-9a-fA-F]{1,16})\\b)?.*)?");

    private final ConfLines conf;
    private final List<Row> rows = new ArrayList<>();
    /** The NodeGUID of the switch to which rows belong; 0 before the first header. */
    private long currentGuid;

    /**
     * A row of the file.
     *
     * @param switchGuid NodeGUID of the switch at which packets are
     * @param lid LID of the destination switch when the file was written
     * @param portGuid PortGUID of the destination switch; 0 if the line does not contain it
     * @param hops hops by port number
     */
    private record Row(long switchGuid, int lid, long portGuid, byte[] hops) {}

    /**
     * Reads a file.
     *
     * @param key setting that names the file
     */
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
            currentGuid = DumpedTables.guid(header.group(1));
        } else if (line.startsWith("Switch")) {
            currentGuid = 0;
        } else if (currentGuid != 0 && line.startsWith("0x")) {
            addRow(line);
        }
    }

    private void addRow(String line) {
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
        rows.add(new Row(currentGuid, lid, row.group(3) == null ? 0 : DumpedTables.guid(row.group(3)), hops));
    }

    /** Returns the errors of the file. */
    List<Finding> findings() {
        return conf.findings();
    }

    /**
     * Returns the next hops in a subnet: the ports with the fewest hops among those that lead to another switch. A
     * destination switch is found by the port GUID in the row, or else by the LID.
     */
    NextHops nextHops(Subnet subnet, Links links) {
        Fabric fabric = subnet.fabric();
        Map<Long, Integer> byPortGuid = new HashMap<>();
        Map<Integer, Integer> byLid = new HashMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            byPortGuid.put(fabric.portGuid(fabric.port(sw, 0)), sw);
            byLid.put(subnet.lid(fabric.port(sw, 0)), sw);
        }
        byte[][] @Nullable [] hops = new byte[fabric.switchCount()][fabric.switchCount()][];
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
        int minHops = NO_PATH;
        int count = 0;
        for (int portNum = 1; hops != null && portNum < hops.length && portNum <= fabric.numPorts(sw); portNum++) {
            int far = links.farSwitch(fabric.port(sw, portNum)) == Fabric.NONE ? NO_PATH : hops[portNum] & 0xff;
            if (far < minHops) {
                minHops = far;
                count = 0;
            }
            if (far == minHops && far != NO_PATH) {
                into[count++] = portNum;
            }
        }
        return count;
    }
}
