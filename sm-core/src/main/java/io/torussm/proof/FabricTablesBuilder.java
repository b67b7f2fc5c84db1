package io.torussm.proof;

import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.proof.FabricTables.EndPort;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A builder of {@link FabricTables} from the contents of files: nodes and LIDs first, then tables. Each method throws
 * {@link IllegalArgumentException}, with a text for the operator, for a contradiction or a value out of range, and then
 * changes nothing. Not thread-safe.
 */
public final class FabricTablesBuilder {
    /** The highest unicast LID (IBA 4.1.3). */
    public static final int TOP_LID = 0xbfff;

    private static final int FIRST_MLID = 0xc000;
    private static final int LAST_MLID = 0xfffe;
    private static final int MAX_NODES = 1 << 17;
    private static final int MAX_LMC = 7;
    private static final int NONE = FabricTables.NONE;

    private final Map<Long, Node> nodes = new HashMap<>();
    private final Map<Long, List<CableEnd>> endsByGuid = new HashMap<>();
    private final List<Node> switches = new ArrayList<>();
    private final List<CableEnd> ends = new ArrayList<>();
    private final CableEnd[] ownerOfLid = new CableEnd[TOP_LID + 1];
    private final byte[][] sls = new byte[TOP_LID + 1][];
    private final SortedMap<Integer, Map<Node, long[]>> groups = new TreeMap<>();
    private boolean isPairListed;
    private boolean isSwitchPairListed;
    private int hostSl = NONE;
    private int switchSl = NONE;
    private int groupSls = 1;
    private int topLid;

    private static final class Node {
        final long guid;
        final int ports;
        final boolean isSwitch;
        final String name;
        final @Nullable Node[] peers;
        final int[] peerPorts;
        final @Nullable CableEnd[] ends;
        int index;
        byte[] lft = new byte[0];
        long @Nullable [] rows;
        final BitSet suppliedRows = new BitSet();

        Node(long guid, int ports, boolean isSwitch, String name) {
            this.guid = guid;
            this.ports = ports;
            this.isSwitch = isSwitch;
            this.name = name;
            peers = new Node[ports + 1];
            peerPorts = new int[ports + 1];
            ends = new CableEnd[ports + 1];
        }
    }

    private static final class CableEnd {
        final Node node;
        final int portNum;
        final int index;
        long guid;
        int lid;
        int lmc;

        CableEnd(Node node, int portNum, long guid, int index) {
            this.node = node;
            this.portNum = portNum;
            this.guid = guid;
            this.index = index;
        }
    }

    /**
     * Adds a node, unless it is known.
     *
     * @param ports number of external ports, 1 to 254
     */
    public void node(long guid, int ports, boolean isSwitch, String name) {
        if (ports < 1 || ports > NodeInfo.MAX_PORT_NUM) {
            throw error(name + " has " + ports + " ports; nodes have 1 to " + NodeInfo.MAX_PORT_NUM);
        }
        Node known = nodes.get(guid);
        if (known == null) {
            if (nodes.size() == MAX_NODES) {
                throw error("there are more than " + MAX_NODES + " nodes; a subnet has fewer LIDs");
            }
            Node node = new Node(guid, ports, isSwitch, name);
            nodes.put(guid, node);
            if (isSwitch) {
                switches.add(node);
                end(node, 0, guid);
            }
        } else if (known.isSwitch != isSwitch || known.ports != ports) {
            throw error(hex(guid) + " was " + (known.isSwitch ? "a switch" : "a host") + " with " + known.ports
                    + " ports before; each node needs a unique GUID");
        }
    }

    /** Checks whether a node is known. */
    public boolean knows(long guid) {
        return nodes.containsKey(guid);
    }

    /** Connects two ports, unless this cable is known. */
    public void addCable(long guid, int portNum, long farGuid, int farPortNum) {
        Node node = node(guid);
        Node far = node(farGuid);
        Node previous = node.peers[requireExternal(node, portNum)];
        Node farBefore = far.peers[requireExternal(far, farPortNum)];
        boolean isSame = previous == far && node.peerPorts[portNum] == farPortNum;
        if ((previous != null && !isSame) || (farBefore != null && !isSame)) {
            throw error("a port has two cables: " + node.name + " port " + portNum + " or " + far.name + " port "
                    + farPortNum);
        }
        node.peers[portNum] = far;
        node.peerPorts[portNum] = farPortNum;
        far.peers[farPortNum] = node;
        far.peerPorts[farPortNum] = portNum;
    }

    private static int requireExternal(Node node, int portNum) {
        if (portNum < 1 || portNum > node.ports) {
            throw error(node.name + " has no port " + portNum + " for a cable; it has ports 1 to " + node.ports);
        }
        return portNum;
    }

    /**
     * Assigns LIDs to an end port, unless the port has them.
     *
     * @param portNum port number, 0 for a switch
     * @param portGuid PortGUID of the port; 0 if unknown
     * @param lid the base LID; 0 without a LID
     */
    public void setLid(long nodeGuid, int portNum, long portGuid, int lid, int lmc) {
        Node node = node(nodeGuid);
        if (node.isSwitch ? portNum != 0 : portNum < 1 || portNum > node.ports) {
            throw error(node.name + " has no end port " + portNum);
        }
        if (lmc < 0 || lmc > MAX_LMC || lid < 0 || lid + (1 << lmc) - 1 > TOP_LID) {
            throw error("LID " + lid + " with LMC " + lmc + " is none; LIDs are 1 to " + TOP_LID + ", LMCs 0 to "
                    + MAX_LMC);
        }
        CableEnd end = end(node, portNum, portGuid);
        if (lid == 0 || (end.lid == lid && end.lmc >= lmc)) {
            return;
        }
        if (end.lid != 0 && end.lid != lid) {
            throw error(node.name + " port " + portNum + " has LID " + end.lid + " already, not " + lid);
        }
        for (int each = lid; each < lid + (1 << lmc); each++) {
            assignLid(each, end);
        }
        end.lid = lid;
        end.lmc = lmc;
    }

    /** Adds a LID to the end port with a PortGUID, if exactly one such port is known. */
    public void addLid(long portGuid, int lid) {
        List<CableEnd> found = endsByGuid.getOrDefault(portGuid, List.of());
        if (found.size() == 1) {
            assignLid(requireUnicast(lid), found.get(0));
        }
    }

    private void assignLid(int lid, CableEnd end) {
        CableEnd owner = ownerOfLid[lid];
        if (owner != null && owner != end) {
            throw error("LID " + lid + " belongs to " + owner.node.name + " and to " + end.node.name);
        }
        ownerOfLid[lid] = end;
        topLid = Math.max(topLid, lid);
    }

    /** Sets the LMC of all end ports whose base LID is aligned for it and whose further LIDs are unused. */
    public void applyLmc(int lmc) {
        for (CableEnd end : ends) {
            boolean isFree = end.lid != 0 && end.lid % (1 << lmc) == 0 && end.lid + (1 << lmc) - 1 <= TOP_LID;
            for (int i = 1; isFree && i < 1 << lmc; i++) {
                isFree = ownerOfLid[end.lid + i] == null || ownerOfLid[end.lid + i] == end;
            }
            if (isFree) {
                setLid(end.node.guid, end.portNum, 0, end.lid, lmc);
            }
        }
    }

    private CableEnd end(Node node, int portNum, long portGuid) {
        CableEnd end = node.ends[portNum];
        if (end == null) {
            end = new CableEnd(node, portNum, portGuid == 0 ? node.guid : portGuid, ends.size());
            node.ends[portNum] = end;
            ends.add(end);
            endsByGuid.computeIfAbsent(end.guid, any -> new ArrayList<>()).add(end);
        } else if (portGuid != 0 && portGuid != end.guid) {
            endsByGuid.computeIfAbsent(portGuid, any -> new ArrayList<>()).add(end);
            end.guid = portGuid;
        }
        return end;
    }

    /** Checks whether a GUID is the NodeGUID of a known switch. */
    public boolean isSwitch(long guid) {
        Node node = nodes.get(guid);
        return node != null && node.isSwitch;
    }

    /** Adds an entry of a linear forwarding table; port number 255 stands for no path. */
    public void setEntry(long switchGuid, int lid, int port) {
        Node sw = switchNode(switchGuid);
        if (port < 0 || port > 0xff || (port > sw.ports && port != LinearForwardingTable.NO_PATH)) {
            throw error(sw.name + " has no port " + port + "; these tables are of another fabric");
        }
        if (requireUnicast(lid) >= sw.lft.length) {
            int before = sw.lft.length;
            sw.lft = Arrays.copyOf(sw.lft, Math.min(TOP_LID + 1, Math.max(Math.max(lid, topLid) + 1, before * 3 / 2)));
            Arrays.fill(sw.lft, before, sw.lft.length, LinearForwardingTable.NO_PATH_ENTRY);
        }
        sw.lft[lid] = (byte) port;
    }

    /**
     * Adds a row of an SL2VL table of a switch, for a pair of port numbers.
     *
     * @param packed VLs as in {@link io.torussm.mad.smp.SlToVlMappingTable#packed()}
     */
    public void setRow(long switchGuid, int in, int out, long packed) {
        Node sw = switchNode(switchGuid);
        if (Math.min(in, out) < 0 || Math.max(in, out) > sw.ports) {
            throw error(sw.name + " has no port " + Math.max(in, out) + "; these tables are of another fabric");
        }
        if (sw.rows == null) {
            sw.rows = new long[(sw.ports + 1) * (sw.ports + 1)];
            Arrays.fill(sw.rows, FabricTables.IDENTITY);
        }
        sw.rows[in * (sw.ports + 1) + out] = packed;
        sw.suppliedRows.set(in * (sw.ports + 1) + out);
    }

    /**
     * Adds ports to a multicast forwarding entry.
     *
     * @param ports four words with a bit for each port number
     */
    public void addGroupPorts(long switchGuid, int mlid, long[] ports) {
        Node sw = switchNode(switchGuid);
        if (mlid < FIRST_MLID || mlid > LAST_MLID) {
            throw error(String.format("0x%04X is no MLID; these are 0xC000 to 0xFFFE", mlid));
        }
        long[] mask = groups.computeIfAbsent(mlid, any -> new HashMap<>()).computeIfAbsent(sw, any -> new long[4]);
        for (int word = 0; word < mask.length; word++) {
            mask[word] |= ports[word];
        }
        for (int port = sw.ports + 1; port < 4 * Long.SIZE; port++) {
            if ((mask[port >> 6] >> port & 1) != 0) {
                throw error(sw.name + " has no port " + port + "; these tables are of another fabric");
            }
        }
    }

    /** Declares that files list the SLs of pairs, even if no pair follows. */
    public void listPairs() {
        isPairListed = true;
    }

    /**
     * Sets the SL of packets from a node or an end port to a LID. An unassigned LID is ignored.
     *
     * @param guid NodeGUID, for all ports of the node, or PortGUID of one end port
     */
    public void setPairSl(long guid, int lid, int sl) {
        if (sl < 0 || sl > 15) {
            throw error("there is no SL " + sl + "; SLs are 0 to 15");
        }
        Node node = nodes.get(guid);
        List<CableEnd> sources = node != null
                ? Arrays.stream(node.ends)
                        .filter(each -> each != null)
                        .map(CableEnd.class::cast)
                        .toList()
                : endsByGuid.getOrDefault(guid, List.of());
        if (sources.isEmpty()) {
            throw error("there is no node or end port " + hex(guid) + "; the SLs are of another fabric");
        }
        CableEnd destination = ownerOfLid[requireUnicast(lid)];
        isPairListed = true;
        for (CableEnd source : sources) {
            if (destination != null) {
                if (sls[lid] == null || sls[lid].length < ends.size()) {
                    int before = sls[lid] == null ? 0 : sls[lid].length;
                    sls[lid] = sls[lid] == null ? new byte[ends.size()] : Arrays.copyOf(sls[lid], ends.size());
                    Arrays.fill(sls[lid], before, ends.size(), ListedSls.UNLISTED);
                }
                isSwitchPairListed |= source.node.isSwitch || destination.node.isSwitch;
                sls[lid][source.index] = (byte) sl;
            }
        }
    }

    /**
     * Sets the SL of pairs of hosts that are not listed (default: -1, so that such pairs do not send if any pair is
     * listed, and use SL 0 otherwise).
     */
    public void setHostSl(int sl) {
        hostSl = sl;
    }

    /**
     * Sets the SL of pairs with a port 0 of a switch that are not listed (default: -1, so that such SLs are unknown if
     * any pair is listed, and as for hosts otherwise).
     */
    public void setSwitchSl(int sl) {
        switchSl = sl;
    }

    /** Sets the SLs of groups (bit n: SL n; default: SL 0). */
    public void setGroupSls(int mask) {
        groupSls = mask;
    }

    private static int requireUnicast(int lid) {
        if (lid < 1 || lid > TOP_LID) {
            throw error("there is no unicast LID " + lid + "; these are 1 to " + TOP_LID);
        }
        return lid;
    }

    private Node node(long guid) {
        Node node = nodes.get(guid);
        if (node == null) {
            throw error("there is no node " + hex(guid) + "; files of one fabric are needed");
        }
        return node;
    }

    private Node switchNode(long guid) {
        Node node = nodes.get(guid);
        if (node == null || !node.isSwitch) {
            throw error("there is no switch " + hex(guid) + "; files of one fabric are needed");
        }
        return node;
    }

    private static String hex(long guid) {
        return "0x" + Long.toHexString(guid);
    }

    private static IllegalArgumentException error(String message) {
        return new IllegalArgumentException(message);
    }

    /** Returns the tables, with switches in ascending order of their GUIDs. */
    public FabricTables build() {
        switches.sort((one, other) -> Long.compareUnsigned(one.guid, other.guid));
        int[] firstPort = new int[switches.size() + 1];
        for (int sw = 0; sw < switches.size(); sw++) {
            switches.get(sw).index = sw;
            firstPort[sw + 1] = firstPort[sw] + switches.get(sw).ports + 1;
        }
        int[] owners = new int[topLid + 1];
        for (int lid = 0; lid < owners.length; lid++) {
            owners[lid] = ownerOfLid[lid] == null ? NONE : ownerOfLid[lid].index;
        }
        SortedMap<Integer, long[] @Nullable []> entries = new TreeMap<>();
        groups.forEach((mlid, bySwitch) -> {
            long[][] masks = new long[switches.size()][];
            bySwitch.forEach((sw, mask) -> masks[sw.index] = mask);
            entries.put(mlid, masks);
        });
        return new FabricTables(
                switches.stream().mapToLong(sw -> sw.guid).toArray(),
                switches.stream().map(sw -> sw.name).toArray(String[]::new),
                firstPort,
                farPorts(firstPort),
                ends.stream().map(FabricTablesBuilder::toEndPort).toArray(EndPort[]::new),
                owners,
                switches.stream().map(sw -> sw.lft).toArray(byte[][]::new),
                switches.stream().map(sw -> sw.rows).toArray(long[][]::new),
                new ListedSls(
                        isPairListed ? Arrays.copyOf(sls, topLid + 1) : new byte[0][],
                        isPairListed || hostSl != NONE ? hostSl : 0,
                        isPairListed || switchSl != NONE ? switchSl : Math.max(0, hostSl),
                        !isPairListed || isSwitchPairListed || switchSl != NONE || switches.isEmpty()),
                entries,
                groupSls,
                assumedRows());
    }

    /** Returns the number of missing rows between two ports with a peer, or from port 0 to a port with a peer. */
    private long assumedRows() {
        long assumed = 0;
        for (Node sw : switches) {
            for (int in = 0; in <= sw.ports; in++) {
                for (int out = 1; out <= sw.ports; out++) {
                    boolean isUsed = in != out && sw.peers[out] != null && (in == 0 || sw.peers[in] != null);
                    assumed += isUsed && !sw.suppliedRows.get(in * (sw.ports + 1) + out) ? 1 : 0;
                }
            }
        }
        return assumed;
    }

    private int[] farPorts(int[] firstPort) {
        int[] far = new int[firstPort[switches.size()]];
        Arrays.fill(far, NONE);
        for (Node sw : switches) {
            for (int port = 1; port <= sw.ports; port++) {
                Node peer = sw.peers[port];
                if (peer != null && peer.isSwitch) {
                    far[firstPort[sw.index] + port] = firstPort[peer.index] + sw.peerPorts[port];
                }
            }
        }
        return far;
    }

    private static EndPort toEndPort(CableEnd end) {
        Node node = end.node;
        Node sw = node.isSwitch ? node : node.peers[end.portNum];
        boolean isAttached = sw != null && sw.isSwitch;
        int switchPort = node.isSwitch || !isAttached ? 0 : node.peerPorts[end.portNum];
        CableEnd far = sw == null || isAttached ? null : sw.ends[node.peerPorts[end.portNum]];
        return new EndPort(
                node.guid,
                end.guid,
                node.name,
                end.portNum,
                isAttached ? sw.index : NONE,
                switchPort,
                far == null ? NONE : far.index,
                node.isSwitch);
    }
}
