package io.torussm.daemon;

import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.sim.SimFabric;
import io.torussm.sim.topology.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The fate of packets in an embedded fabric at one moment, read from its devices alone: slow, simple, and
 * without code of the SM. Only links that are ACTIVE at both ends carry packets.
 */
final class FabricJudge {
    static final int NO_PATH = 255;
    private static final int VLS = 16;
    private static final int VL_DISCARD = 15;

    private final SimFabric fabric;
    private final List<Topology.Node> nodes;
    private final int stride;
    /** Nodes by port. */
    private final int[] owners;

    private final int[] peers;
    private final boolean[] active;
    private final boolean[] trained;
    private final byte[][] lfts;
    /** By node: SL2VL rows by ports, as far as they were needed. */
    private final long[][][] rows;

    /** By channel: its successors, counted from the first channel of the switch at its far end. */
    private final @Nullable BitSet[] dependencies;

    /** By port and SL: the kind of the last packet. */
    private final int[] lastKind;

    /** LIDs by node; 0 for a node without one. */
    final int[] lids;

    /** Reads all devices once. */
    FabricJudge(Topology topology, SimFabric fabric) {
        this.fabric = fabric;
        nodes = topology.nodes();
        stride = 1 + nodes.stream().mapToInt(Topology.Node::numPorts).max().orElse(0);
        active = new boolean[nodes.size() * stride];
        trained = new boolean[nodes.size() * stride];
        lfts = new byte[nodes.size()][0];
        rows = new long[nodes.size()][0][0];
        lids = new int[nodes.size()];
        dependencies = new BitSet[nodes.size() * stride * VLS];
        lastKind = new int[dependencies.length];
        owners = new int[nodes.size() * stride];
        Arrays.setAll(owners, port -> port / stride);
        peers = new int[owners.length];
        Arrays.fill(peers, -1);
        boolean[] isUp = new boolean[active.length];
        for (Topology.Node node : nodes) {
            if (node.isSwitch()) {
                lfts[node.index()] = fabric.lft(node.nodeGuid());
            }
            for (int portNum = node.isSwitch() ? 0 : 1; portNum <= node.numPorts(); portNum++) {
                int port = port(node, portNum);
                peers[port] = findPeer(node, portNum);
                PortInfo info = fabric.portInfo(node.nodeGuid(), portNum);
                active[port] = info.portState() == PortInfo.STATE_ACTIVE;
                isUp[port] = info.portPhysicalState() == PortInfo.PHYS_LINK_UP;
                if (port == endport(node.index())) {
                    lids[node.index()] = info.lid();
                }
            }
        }
        boolean[] alone = active.clone();
        for (int port = 0; port < active.length; port++) {
            int far = peer(port);
            trained[port] = far >= 0 && isUp[port] && isUp[far];
            active[port] = trained[port] && alone[port] && alone[far];
        }
    }

    private int port(Topology.Node node, int portNum) {
        return node.index() * stride + portNum;
    }

    private Topology.Node node(int port) {
        return nodes.get(owners[port]);
    }

    /** Returns the far end of the cable in the topology; -1 if there is none. */
    private int peer(int port) {
        return peers[port];
    }

    private int findPeer(Topology.Node node, int portNum) {
        Topology.PortRef far = portNum == 0 ? null : node.peer(portNum);
        return far == null ? -1 : port(far.node(), far.portNum());
    }

    String name(int port) {
        return node(port).description() + ":" + port % stride;
    }

    /** Returns the port with the LID of a node: port 0 of a switch, port 1 of a host. */
    private int endport(int node) {
        return node * stride + (nodes.get(node).isSwitch() ? 0 : 1);
    }

    /** Returns two ports with one LID; empty if there are none. */
    String doubleLid() {
        Map<Integer, Integer> owners = new HashMap<>();
        for (int node = 0; node < lids.length; node++) {
            Integer other = lids[node] == 0 ? null : owners.put(lids[node], node);
            if (other != null) {
                return nodes.get(other) + " and " + nodes.get(node) + " both have LID " + lids[node];
            }
        }
        return "";
    }

    /**
     * Returns a LID that differs from the first one; empty if there is none.
     *
     * @param first first LIDs by node; new ones are added
     */
    String changedLid(int[] first) {
        for (int node = 0; node < lids.length; node++) {
            first[node] = first[node] == 0 ? lids[node] : first[node];
            if (lids[node] != 0 && lids[node] != first[node]) {
                return "the LID of " + nodes.get(node) + " was " + first[node] + " and is " + lids[node];
            }
        }
        return "";
    }

    /** Returns all inputs to the fate of packets, except for their SLs; for {@link Arrays#deepEquals}. */
    Object[] state(List<Integer> mlids) {
        List<long[]> masks = new ArrayList<>();
        for (Topology.Node node : nodes) {
            if (node.isSwitch()) {
                row(port(node, 1), port(node, 1));
                mlids.forEach(mlid -> masks.add(fabric.mft(node.nodeGuid(), mlid)));
            }
        }
        return new Object[] {active, trained, lids, lfts, rows, masks.toArray()};
    }

    /** Returns all nodes that are connected to one of them by trained links, itself included. */
    BitSet connectedTo(int node) {
        BitSet seen = new BitSet();
        ArrayDeque<Integer> open = new ArrayDeque<>(List.of(node));
        seen.set(open.peek());
        while (!open.isEmpty()) {
            Topology.Node at = nodes.get(open.poll());
            for (int portNum = 1; portNum <= at.numPorts(); portNum++) {
                int far = peer(port(at, portNum));
                if (trained[port(at, portNum)] && !seen.get(far / stride)) {
                    seen.set(far / stride);
                    open.add(far / stride);
                }
            }
        }
        return seen;
    }

    /** Returns a trained link next to a node of a set that carries no packets; empty if there is none. */
    String idleLink(BitSet among) {
        for (int index = among.nextSetBit(0); index >= 0; index = among.nextSetBit(index + 1)) {
            Topology.Node node = nodes.get(index);
            for (int portNum = 1; portNum <= node.numPorts(); portNum++) {
                if (trained[port(node, portNum)] && !active[port(node, portNum)]) {
                    return "the link of " + name(port(node, portNum)) + " is up but not ACTIVE";
                }
            }
        }
        return "";
    }

    private long row(int in, int out) {
        int sw = owners[in];
        if (rows[sw].length == 0) {
            rows[sw] = fabric.sl2vl(nodes.get(sw).nodeGuid());
        }
        return rows[sw][in - sw * stride][out - sw * stride];
    }

    /** Returns the channel by which packets leave a switch; -1 if it drops them. */
    private int channel(int in, int out, int sl) {
        int vl = active[out] ? SlToVlMappingTable.vl(row(in, out), sl) : VL_DISCARD;
        return vl == VL_DISCARD ? -1 : out * VLS + vl;
    }

    private void addDependency(int held, int next) {
        if (held >= 0) {
            if (dependencies[held] == null) {
                dependencies[held] = new BitSet(stride * VLS);
            }
            dependencies[held].set(next - firstBehind(held));
        }
    }

    /** Returns the first channel of the switch at the far end of a channel. */
    private int firstBehind(int channel) {
        return owners[peer(channel / VLS)] * stride * VLS;
    }

    /**
     * Sends a packet from one node to another, and records the dependencies of its channels.
     *
     * @return why it did not arrive; empty if it did
     */
    String send(int from, int to, int dlid, int sl) {
        return send(from, to, dlid, sl, 0);
    }

    /**
     * Sends one of many packets. If a packet with its LID and SL has passed a port, it takes the same path,
     * and is not followed.
     *
     * @param kind a number for that LID that differs from those of earlier packets; 0 to follow the packet to
     *     its end
     */
    String send(int from, int to, int dlid, int sl, int kind) {
        int source = endport(from);
        int goal = endport(to);
        int held = -1;
        int at = active[source] ? peer(source) : -1;
        for (int hops = 0; at >= 0 && node(at).isSwitch(); hops++) {
            int sw = owners[at];
            byte[] lft = lfts[sw];
            int out = dlid < lft.length ? lft[dlid] & 0xff : NO_PATH;
            if (out == 0) {
                return owners[goal] == sw ? "" : "ends at " + name(at);
            }
            if (out == NO_PATH || out > node(at).numPorts()) {
                return "no way on at " + name(at);
            }
            int next = sw * stride + out;
            int channel = channel(at, next, sl);
            if (channel < 0) {
                return "dropped by " + name(next);
            }
            addDependency(held, channel);
            if (kind != 0 && lastKind[next * VLS + sl] == kind) {
                return "";
            }
            lastKind[next * VLS + sl] = kind;
            if (hops > 2 * nodes.size()) {
                return "for ever round at " + name(at);
            }
            held = channel;
            at = peer(next);
        }
        return at == goal ? "" : at < 0 ? "no link at its source" : "ends at " + name(at);
    }

    /**
     * Sends a packet from a node to a group, and records the dependencies of its channels.
     *
     * @return number of copies at each end port of a host, by port GUID
     */
    Map<Long, Integer> sendToGroup(int from, int mlid, int sl) {
        record Step(int in, int held) {}
        Map<Long, Integer> copies = new TreeMap<>();
        int source = endport(from);
        ArrayDeque<Step> open = new ArrayDeque<>();
        BitSet seen = new BitSet();
        if (active[source]) {
            open.add(new Step(peer(source), -1));
        }
        while (!open.isEmpty()) {
            Step step = open.poll();
            Topology.Node sw = node(step.in());
            if (!sw.isSwitch()) {
                copies.merge(sw.portGuid(step.in() % stride), 1, Integer::sum);
                continue;
            }
            long[] mask = fabric.mft(sw.nodeGuid(), mlid);
            for (int portNum = 1; portNum <= sw.numPorts(); portNum++) {
                boolean isOut = (mask[portNum >> 6] >> portNum & 1) != 0 && portNum != step.in() % stride;
                int channel = isOut ? channel(step.in(), port(sw, portNum), sl) : -1;
                if (channel >= 0) {
                    addDependency(step.held(), channel);
                    int far = peer(port(sw, portNum));
                    if (!seen.get(far)) {
                        seen.set(far);
                        open.add(new Step(far, channel));
                    } else {
                        copies.merge(-1L, 1, Integer::sum);
                    }
                }
            }
        }
        return copies;
    }

    /** Returns a cycle of channels that wait for each other, among all packets so far; empty if there is none. */
    String creditLoop() {
        int[] colour = new int[dependencies.length];
        int[] next = new int[dependencies.length];
        List<Integer> way = new ArrayList<>();
        for (int start = 0; start < dependencies.length; start++) {
            if (dependencies[start] == null || colour[start] != 0) {
                continue;
            }
            way.add(start);
            colour[start] = 1;
            while (!way.isEmpty()) {
                int at = way.get(way.size() - 1);
                BitSet waitedFor = dependencies[at];
                int bit = waitedFor == null ? -1 : waitedFor.nextSetBit(next[at]);
                if (bit < 0) {
                    colour[at] = 2;
                    way.remove(way.size() - 1);
                    continue;
                }
                next[at] = bit + 1;
                int to = firstBehind(at) + bit;
                if (colour[to] == 1) {
                    return loopText(way.subList(way.indexOf(to), way.size()));
                }
                if (colour[to] == 0) {
                    colour[to] = 1;
                    way.add(to);
                }
            }
        }
        return "";
    }

    private String loopText(List<Integer> ring) {
        StringBuilder text = new StringBuilder("credit loop:");
        for (int channel : ring) {
            text.append(' ')
                    .append(name(channel / VLS))
                    .append(" VL ")
                    .append(channel % VLS)
                    .append(',');
        }
        return text.toString();
    }

    /**
     * The tables of a switch.
     *
     * @param lft table without trailing entries without a path
     * @param rows SL2VL, by input port and output port
     */
    record Tables(String name, byte[] lft, long[][] rows) {
        static Tables of(Topology.Node sw, SimFabric fabric) {
            byte[] lft = fabric.lft(sw.nodeGuid());
            int end = lft.length;
            while (end > 0 && lft[end - 1] == (byte) NO_PATH) {
                end--;
            }
            return new Tables(sw.description(), Arrays.copyOf(lft, end), fabric.sl2vl(sw.nodeGuid()));
        }

        int port(int lid) {
            return lid < lft.length ? lft[lid] & 0xff : NO_PATH;
        }

        /**
         * Describes the difference; empty if there is none.
         *
         * @param ignored LIDs whose entries do not count
         */
        String differenceFrom(Tables other, Set<Integer> ignored) {
            StringBuilder text = new StringBuilder();
            for (int lid = 0; lid < Math.max(lft.length, other.lft.length); lid++) {
                text.append(
                        port(lid) == other.port(lid) || ignored.contains(lid)
                                ? ""
                                : ", LID " + lid + " by port " + other.port(lid) + ", then " + port(lid));
            }
            for (int in = 0; in < rows.length; in++) {
                for (int out = 0; out < rows.length; out++) {
                    text.append(
                            rows[in][out] == other.rows[in][out]
                                    ? ""
                                    : String.format(
                                            ", SL2VL from port %d to %d %016x, then %016x",
                                            in, out, other.rows[in][out], rows[in][out]));
                }
            }
            return text.isEmpty() ? "" : name + text;
        }
    }
}
