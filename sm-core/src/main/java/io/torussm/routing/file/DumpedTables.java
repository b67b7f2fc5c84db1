package io.torussm.routing.file;

import io.torussm.conf.ConfLines;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.EngineFile;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Forwarding tables in the format of OpenSM's {@code opensm-lfts.dump}. After a line {@code Unicast lids ...
 * guid 0x<NodeGUID> ...}, each line is an entry of that switch: {@code 0x<LID> <port> ... portguid 0x<port GUID>
 * ...}. Other lines, such as those of multicast tables, are ignored.
 */
public final class DumpedTables {
    private static final Pattern HEADER = Pattern.compile("Unicast lids .*?\\bguid (0x[0-9a-fA-F]{1,16})\\b.*");
    private static final Pattern ENTRY =
            Pattern.compile("(0x[0-9a-fA-F]{1,4})\\s+(\\d{1,3})\\b(?:.*?\\bportguid (0x[0-9a-fA-F]{1,16})\\b)?.*");

    private final ConfLines conf;
    private final List<Entry> entries = new ArrayList<>();

    /** The NodeGUID of the switch to which entries belong; 0 before the first header, and in other tables. */
    private long currentGuid;

    /** @param portGuid port GUID of the destination; 0 if the line does not contain it */
    private record Entry(int line, long switchGuid, int lid, int port, long portGuid) {}

    /**
     * Reads a file.
     *
     * @param key setting or option that names the file
     */
    public DumpedTables(EngineFile file, String key) {
        conf = new ConfLines(file.name(), SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING);
        String text = file.text();
        if (text == null) {
            conf.error(file.problem() + "; see " + key);
            return;
        }
        conf.readDump(text, "dump of forwarding tables", "it is no entry", line -> parse(line.strip()));
        if (entries.isEmpty() && conf.isClean()) {
            conf.error(0, "there is no table in it; one begins with \"Unicast lids\" and the GUID of its switch");
        }
    }

    private void parse(String line) {
        Matcher header = HEADER.matcher(line);
        if (header.matches()) {
            currentGuid = guid(header.group(1));
        } else if (line.startsWith("Unicast") || line.startsWith("Multicast")) {
            currentGuid = 0;
        } else if (currentGuid != 0 && line.startsWith("0x")) {
            addEntry(line);
        }
    }

    private void addEntry(String line) {
        Matcher entry = ENTRY.matcher(line);
        int port = entry.matches() ? Integer.parseInt(entry.group(2)) : LinearForwardingTable.NO_PATH + 1;
        if (port > LinearForwardingTable.NO_PATH) {
            conf.error(ConfLines.quote(line) + " is no entry; write a LID and a port, such as 0x0001 010");
            return;
        }
        int lid = Integer.parseInt(entry.group(1).substring(2), 16);
        long portGuid = entry.group(3) == null ? 0 : guid(entry.group(3));
        entries.add(new Entry(conf.line(), currentGuid, lid, port, portGuid));
    }

    static long guid(String text) {
        return Long.parseUnsignedLong(text.substring(2), 16);
    }

    /** Returns the errors of the file. */
    public List<Finding> findings() {
        return conf.findings();
    }

    /**
     * Returns tables {@code [switch][LID]} for a subnet: output port, {@link LinearForwardingTable#NO_PATH_ENTRY}
     * for an entry that the file does not contain. Entries of switches and LIDs that the subnet lacks are ignored.
     *
     * @param errors receives an error for each entry with a port that the switch does not have
     */
    public byte[][] tables(Subnet subnet, List<Finding> errors) {
        Fabric fabric = subnet.fabric();
        Map<Long, Integer> endports = endports(subnet);
        byte[][] lfts = new byte[fabric.switchCount()][subnet.topLid() + 1];
        Arrays.stream(lfts).forEach(lft -> Arrays.fill(lft, LinearForwardingTable.NO_PATH_ENTRY));
        for (Entry entry : entries) {
            int sw = fabric.nodeByGuid(entry.switchGuid);
            int lid = lid(subnet, endports.get(entry.portGuid), entry.lid);
            if (sw == Fabric.NONE || !fabric.isSwitch(sw) || subnet.switchOfLid(lid) == Fabric.NONE) {
                continue;
            }
            if (entry.port != LinearForwardingTable.NO_PATH && entry.port > fabric.numPorts(sw)) {
                errors.add(SmEvent.ROUTING_ERROR.finding(conf.position(entry.line) + fabric.name(sw) + " has no port "
                        + entry.port + "; these tables are of another fabric, make them again"));
            } else {
                lfts[sw][lid] = (byte) entry.port;
            }
        }
        return lfts;
    }

    /** Returns the present LID by LID of the dump; 0 for a LID without an entry, or that the subnet lacks. */
    public int[] lids(Subnet subnet) {
        Map<Long, Integer> endports = endports(subnet);
        int[] lids = new int[entries.stream().mapToInt(Entry::lid).max().orElse(0) + 1];
        entries.forEach(entry -> lids[entry.lid] = lid(subnet, endports.get(entry.portGuid), entry.lid));
        return lids;
    }

    /** Returns the indexes of end ports with LIDs by port GUID. */
    private static Map<Long, Integer> endports(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        Map<Long, Integer> endports = new HashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && subnet.lid(port) != 0) {
                endports.put(fabric.portGuid(port), port);
            }
        }
        return endports;
    }

    /**
     * Returns the present LID for a LID of the dump. If the end port has several LIDs, it is the LID at the same
     * distance from the base LID.
     *
     * @param endport port with the port GUID of the entry; null if the subnet lacks it
     */
    private static int lid(Subnet subnet, @Nullable Integer endport, int dumped) {
        if (endport == null) {
            return dumped <= subnet.topLid() ? dumped : 0;
        }
        int count = 1 << subnet.lmc(endport);
        int base = subnet.lid(endport);
        return dumped >= base && dumped < base + count ? dumped : base + dumped % count;
    }
}
