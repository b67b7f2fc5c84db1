package io.torussm.daemon.traffic;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** SL2VL rows that were dumped; see {@link io.torussm.daemon.tables.Sl2VlLines}. */
final class DumpedSl2Vl {
    /** The value in place of a VL if the dump has no such row. */
    static final int NOT_DUMPED = -1;

    private final Fabric fabric;
    private final Map<Long, Integer> endports = new HashMap<>();

    /** Packed VLs, as {@code [node][input * (n + 1) + output]} with port numbers 0 to n of the node. */
    private final long[][] rows;

    private final BitSet[] known;

    DumpedSl2Vl(Fabric fabric) {
        this.fabric = fabric;
        rows = new long[fabric.nodeCount()][0];
        known = new BitSet[fabric.nodeCount()];
        for (int each = 0; each < fabric.portCount(); each++) {
            if (fabric.isEndport(each)) {
                endports.put(fabric.portGuid(each), each);
            }
        }
    }

    /** Takes a row. A row of a node outside the fabric is ignored. */
    void add(boolean isOfSwitch, long guid, int in, int out, int[] vls) {
        int port = isOfSwitch ? Fabric.NONE : endports.getOrDefault(guid, Fabric.NONE);
        int node = isOfSwitch ? DumpedFabric.switchOf(fabric, guid) : port == Fabric.NONE ? port : fabric.nodeOf(port);
        if (node == Fabric.NONE) {
            return;
        }
        int leaving = fabric.isSwitch(node) ? out : fabric.portNum(port);
        if (Math.max(in, leaving) > fabric.numPorts(node)) {
            throw new IllegalArgumentException(DumpedFabric.noPortError(fabric, node, Math.max(in, leaving)));
        }
        if (known[node] == null) {
            int ports = fabric.numPorts(node) + 1;
            rows[node] = new long[ports * ports];
            known[node] = new BitSet();
        }
        rows[node][index(in, leaving, node)] = SlToVlMappingTable.pack(vls);
        known[node].set(index(in, leaving, node));
    }

    private int index(int in, int out, int ofNode) {
        return in * (fabric.numPorts(ofNode) + 1) + out;
    }

    /** Returns the VL of an SL; {@link #NOT_DUMPED} if the dump has no such row. */
    int vl(int ofNode, int in, int out, int sl) {
        return known[ofNode] != null && known[ofNode].get(index(in, out, ofNode))
                ? SlToVlMappingTable.vl(rows[ofNode][index(in, out, ofNode)], sl)
                : NOT_DUMPED;
    }
}
