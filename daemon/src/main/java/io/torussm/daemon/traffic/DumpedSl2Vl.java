package io.torussm.daemon.traffic;

import io.torussm.conf.ConfLines;
import io.torussm.dataplane.ForwardingTables;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SL2VL rows as OpenSM dumps them in {@code opensm-sl2vl.dump}: after {@code Switch 0x<node GUID>} or {@code Channel Adapter 0x<port GUID>} lines of
 * input port, output port, a colon and sixteen VLs.
 */
final class DumpedSl2Vl {
    /** In place of a VL: there is no such row. */
    static final int NOT_DUMPED = -1;

    private static final int SLS = 16;
    private static final Pattern SWITCH = Pattern.compile("Switch 0x([0-9a-fA-F]{1,16})\\b.*");
    private static final Pattern ENDPORT = Pattern.compile("(?:Channel Adapter|Router) 0x([0-9a-fA-F]{1,16})\\b.*");
    private static final Pattern ROW = Pattern.compile("(\\d{1,3})\\s+(\\d{1,3})\\s*:((?:\\s*\\d{1,2}){" + SLS + "})");

    private final Fabric fabric;
    private final ConfLines conf;
    private final Map<Long, Integer> endports = new HashMap<>();

    /** By node, by input port times ports of the node, output port added. */
    private final long[][] rows;

    private final BitSet[] known;

    /** The node that rows are of, and its port if it is no switch; {@link Fabric#NONE} for one that is not there. */
    private int node = Fabric.NONE;

    private int port;

    DumpedSl2Vl(Fabric fabric, ConfLines conf) {
        this.fabric = fabric;
        this.conf = conf;
        rows = new long[fabric.nodeCount()][0];
        known = new BitSet[fabric.nodeCount()];
        for (int each = 0; each < fabric.portCount(); each++) {
            if (fabric.isEndport(each)) {
                endports.put(fabric.portGuid(each), each);
            }
        }
    }

    /** Takes a line. */
    void take(String line) {
        Matcher ofSwitch = SWITCH.matcher(line);
        Matcher ofEndport = ENDPORT.matcher(line);
        Matcher row = ROW.matcher(line.strip());
        if (ofSwitch.matches()) {
            node = DumpedFabric.switchOf(fabric, ofSwitch.group(1));
        } else if (ofEndport.matches()) {
            port = endports.getOrDefault(Long.parseUnsignedLong(ofEndport.group(1), 16), Fabric.NONE);
            node = port == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(port);
        } else if (row.matches()) {
            if (node != Fabric.NONE) {
                int out = fabric.isSwitch(node) ? Integer.parseInt(row.group(2)) : fabric.portNum(port);
                put(Integer.parseInt(row.group(1)), out, row.group(3).strip().split("\\s+"));
            }
        } else if (!line.isBlank() && !line.startsWith("#")) {
            conf.error(
                    ConfLines.quote(line) + " is no row; write ports in and out, a colon and a VL for each of 16 SLs");
        }
    }

    private void put(int in, int out, String[] words) {
        if (Math.max(in, out) > fabric.numPorts(node)) {
            conf.error(DumpedFabric.noPort(fabric, node, Math.max(in, out)));
            return;
        }
        int[] vls = new int[SLS];
        for (int sl = 0; sl < SLS; sl++) {
            vls[sl] = Integer.parseInt(words[sl]);
            if (vls[sl] > ForwardingTables.DROP_VL) {
                conf.error("there is no VL " + vls[sl] + "; VLs are 0 to 15");
                return;
            }
        }
        if (known[node] == null) {
            int ports = fabric.numPorts(node) + 1;
            rows[node] = new long[ports * ports];
            known[node] = new BitSet();
        }
        rows[node][place(in, out, node)] = SlToVlMappingTable.pack(vls);
        known[node].set(place(in, out, node));
    }

    private int place(int in, int out, int ofNode) {
        return in * (fabric.numPorts(ofNode) + 1) + out;
    }

    /** The VL of an SL; {@link #NOT_DUMPED} where there is no row. */
    int vl(int ofNode, int in, int out, int sl) {
        return known[ofNode] != null && known[ofNode].get(place(in, out, ofNode))
                ? SlToVlMappingTable.vl(rows[ofNode][place(in, out, ofNode)], sl)
                : NOT_DUMPED;
    }
}
