package io.torussm.daemon;

import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.sim.SimFabric;
import io.torussm.sim.Topology;
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
 * What an embedded fabric would do to packets at one moment, read from its devices alone: slow, obvious, and without a
 * line of the SM. Only links that are ACTIVE at both ends carry packets.
 */
final class FabricJudge {
    static final int NO_PATH = 255;
    private static final int VLS = 16;
    private static final int VL_DISCARD = 15;

    private final SimFabric fabric;
    private final List<Topology.Node> nodes;
    private final Map<Long, Integer> indexes = new HashMap<>();
    private final int stride;
    private final int[] peers;
    private final boolean[] active;
    private final boolean[] trained;
    private final byte[][] lfts;
    /** By node: SL2VL rows by ports, as far as they were needed. */
    private final @Nullable Long[][] rows;

    private final BitSet[] wanted;
    private final Map<Long, Integer> portOfGuid = new HashMap<>();

    /** LIDs by port GUID, of ports that have one. */
    final Map<Long, Integer> lids = new TreeMap<>();

    /** Who holds a LID; the last one if several do. */
    private final Map<Integer, Integer> portOfLid = new HashMap<>();

    /** Looks at everything once. */
    FabricJudge(Topology topology, SimFabric fabric) {
        this.fabric = fabric;
        nodes = topology.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            indexes.put(nodes.get(i).nodeGuid(), i);
        }
        stride = 1 + nodes.stream().mapToInt(Topology.Node::numPorts).max().orElse(0);
        active = new boolean[nodes.size() * stride];
        trained = new boolean[nodes.size() * stride];
        lfts = new byte[nodes.size()][0];
        rows = new Long[nodes.size()][0];
        wanted = new BitSet[nodes.size() * stride * VLS];
        peers = new int[nodes.size() * stride];
        Arrays.fill(peers, -1);
        boolean[] isUp = new boolean[active.length];
        for (Topology.Node node : nodes) {
            if (node.isSwitch()) {
                lfts[index(node)] = fabric.lft(node.nodeGuid());
            }
            for (int portNum = node.isSwitch() ? 0 : 1; portNum <= node.numPorts(); portNum++) {
                int port = port(node, portNum);
                peers[port] = findPeer(node, portNum);
                PortInfo info = fabric.portInfo(node.nodeGuid(), portNum);
                active[port] = info.portState() == PortInfo.STATE_ACTIVE;
                isUp[port] = info.portPhysicalState() == PortInfo.PHYS_LINK_UP;
                if (!node.isSwitch() || portNum == 0) {
                    portOfGuid.put(node.portGuid(portNum), port);
                    if (info.lid() != 0) {
                        lids.put(node.portGuid(portNum), info.lid());
                        portOfLid.put(info.lid(), port);
                    }
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

    private int index(Topology.Node node) {
        return indexes.getOrDefault(node.nodeGuid(), -1);
    }

    private int port(Topology.Node node, int portNum) {
        return index(node) * stride + portNum;
    }

    private Topology.Node node(int port) {
        return nodes.get(port / stride);
    }

    /** The other end of the cable that the topology shows; -1 if there is none. */
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

    private String guidName(long guid) {
        return node(portOfGuid.getOrDefault(guid, 0)).description();
    }

    /** Two ports with one LID; empty if there are none. */
    String doubleLid() {
        Map<Integer, Long> owners = new HashMap<>();
        for (Map.Entry<Long, Integer> each : lids.entrySet()) {
            Long other = owners.put(each.getValue(), each.getKey());
            if (other != null) {
                return guidName(other) + " and " + guidName(each.getKey()) + " both have LID " + each.getValue();
            }
        }
        return "";
    }

    /** Port GUIDs of all end ports that trained links lead to from one of them, itself included. */
    Set<Long> connectedTo(long portGuid) {
        BitSet seen = new BitSet();
        ArrayDeque<Integer> open = new ArrayDeque<>(List.of(portOfGuid.getOrDefault(portGuid, 0) / stride));
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
        Set<Long> guids = new java.util.TreeSet<>();
        portOfGuid.forEach((guid, port) -> {
            if (seen.get(port / stride)) {
                guids.add(guid);
            }
        });
        return guids;
    }

    /** Those of end ports that belong to hosts. */
    List<Long> hosts(Set<Long> guids) {
        return guids.stream()
                .filter(guid -> !node(portOfGuid.getOrDefault(guid, 0)).isSwitch())
                .toList();
    }

    /** A trained link next to a node of a set that carries no packets; empty if there is none. */
    String idleLink(Set<Long> guids) {
        for (long guid : guids) {
            Topology.Node node = node(portOfGuid.getOrDefault(guid, 0));
            for (int portNum = 1; portNum <= node.numPorts(); portNum++) {
                if (trained[port(node, portNum)] && !active[port(node, portNum)]) {
                    return "the link of " + name(port(node, portNum)) + " is up but not ACTIVE";
                }
            }
        }
        return "";
    }

    private long row(int in, int out) {
        Long[] known = rows[in / stride];
        if (known.length == 0) {
            known = new Long[stride * stride];
            rows[in / stride] = known;
        }
        int index = in % stride * stride + out % stride;
        Long row = known[index];
        if (row == null) {
            row = fabric.sl2vl(node(in).nodeGuid(), in % stride, out % stride);
            known[index] = row;
        }
        return row;
    }

    /** The channel by which packets leave a switch; -1 if it drops them. */
    private int channel(int in, int out, int sl) {
        int vl = active[out] ? SlToVlMappingTable.vl(row(in, out), sl) : VL_DISCARD;
        return vl == VL_DISCARD ? -1 : out * VLS + vl;
    }

    private void waits(int held, int next) {
        if (held >= 0) {
            if (wanted[held] == null) {
                wanted[held] = new BitSet();
            }
            wanted[held].set(next);
        }
    }

    /**
     * Sends a packet, and notes which channel waits for which on its way.
     *
     * @return what became of it; empty if it arrived
     */
    String send(long sourceGuid, long destinationGuid, int dlid, int sl) {
        int source = portOfGuid.getOrDefault(sourceGuid, 0);
        int goal = portOfGuid.getOrDefault(destinationGuid, 0);
        int held = -1;
        int at = active[source] ? peer(source) : -1;
        for (int hops = 0; at >= 0 && node(at).isSwitch(); hops++) {
            byte[] lft = lfts[at / stride];
            int out = dlid < lft.length ? lft[dlid] & 0xff : NO_PATH;
            if (out == 0) {
                return goal / stride == at / stride ? "" : "ends at " + name(at);
            }
            if (out == NO_PATH || out > node(at).numPorts()) {
                return "no way on at " + name(at);
            }
            int next = at / stride * stride + out;
            int channel = channel(at, next, sl);
            if (channel < 0) {
                return "dropped by " + name(next);
            }
            waits(held, channel);
            if (hops > 2 * nodes.size()) {
                return "for ever round at " + name(at);
            }
            held = channel;
            at = peer(next);
        }
        return at == goal ? "" : at < 0 ? "no link at its source" : "ends at " + name(at);
    }

    /**
     * Sends a packet to a group, and notes which channel waits for which.
     *
     * @return how often each end port of a host gets it, by port GUID
     */
    Map<Long, Integer> spread(long sourceGuid, int mlid, int sl) {
        record Step(int in, int held) {}
        Map<Long, Integer> copies = new TreeMap<>();
        int source = portOfGuid.getOrDefault(sourceGuid, 0);
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
                    waits(step.held(), channel);
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

    /** A ring of channels that wait for each other, among all packets that were sent; empty if there is none. */
    String creditLoop() {
        int[] colour = new int[wanted.length];
        int[] next = new int[wanted.length];
        List<Integer> way = new ArrayList<>();
        for (int start = 0; start < wanted.length; start++) {
            if (wanted[start] == null || colour[start] != 0) {
                continue;
            }
            way.add(start);
            colour[start] = 1;
            while (!way.isEmpty()) {
                int at = way.get(way.size() - 1);
                int to = wanted[at] == null ? -1 : wanted[at].nextSetBit(next[at]);
                if (to < 0) {
                    colour[at] = 2;
                    way.remove(way.size() - 1);
                    continue;
                }
                next[at] = to + 1;
                if (colour[to] == 1) {
                    return words(way.subList(way.indexOf(to), way.size()));
                }
                if (colour[to] == 0) {
                    colour[to] = 1;
                    way.add(to);
                }
            }
        }
        return "";
    }

    private String words(List<Integer> ring) {
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
     * What a switch holds.
     *
     * @param lft without the entries at its end that lead nowhere
     * @param rows SL2VL, by input port and output port
     */
    record Tables(String name, byte[] lft, long[][] rows) {
        static Tables of(Topology.Node sw, SimFabric fabric) {
            byte[] lft = fabric.lft(sw.nodeGuid());
            int end = lft.length;
            while (end > 0 && lft[end - 1] == (byte) NO_PATH) {
                end--;
            }
            long[][] rows = new long[sw.numPorts() + 1][sw.numPorts() + 1];
            for (int in = 0; in <= sw.numPorts(); in++) {
                for (int out = 1; out <= sw.numPorts(); out++) {
                    rows[in][out] = fabric.sl2vl(sw.nodeGuid(), in, out);
                }
            }
            return new Tables(sw.description(), Arrays.copyOf(lft, end), rows);
        }

        int port(int lid) {
            return lid < lft.length ? lft[lid] & 0xff : NO_PATH;
        }

        /**
         * In words; empty if there is no difference.
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
