package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * An extended generalized fat tree, XGFT(h; m1..mh; w1..wh), of switches: each switch of level i has m(i) switches
 * below it, and each of level i - 1 has w(i) above it. Level 0 are the leaves. A k-ary n-tree has k for all of them,
 * and n - 1 levels above the leaves.
 */
final class TestTree {
    /** A cable that goes up, by switch and port number. */
    record Cable(int below, int belowPort, int above, int abovePort) {}

    private final int[] down;
    private final int[] up;
    private final int hosts;

    /** By level: the first of its switches, the top first; the number of all switches is the last entry. */
    private final int[] first;

    private final List<Cable> cables = new ArrayList<>();

    TestTree(int[] down, int[] up, int hosts) {
        this.down = down;
        this.up = up;
        this.hosts = hosts;
        int levels = down.length + 1;
        first = new int[levels + 1];
        for (int level = levels - 1; level >= 0; level--) {
            int at = levels - 1 - level;
            first[at + 1] = first[at] + size(level);
        }
        int[] ports = new int[switches()];
        for (int level = 1; level < levels; level++) {
            link(level, ports);
        }
    }

    /** Returns a k-ary n-tree. */
    static TestTree kAry(int k, int n) {
        int[] all = new int[n - 1];
        Arrays.fill(all, k);
        return new TestTree(all, all, k);
    }

    private void link(int level, int[] ports) {
        int ofBelow = upProduct(level - 1);
        int ofAbove = ofBelow * up[level - 1];
        for (int below = 0; below < size(level - 1); below++) {
            int pod = below / ofBelow / down[level - 1];
            for (int i = 0; i < up[level - 1]; i++) {
                int above = pod * ofAbove + i * ofBelow + below % ofBelow;
                int low = at(level - 1) + below;
                int high = at(level) + above;
                cables.add(new Cable(low, ++ports[low], high, ++ports[high]));
            }
        }
    }

    private int size(int level) {
        int size = upProduct(level);
        for (int i = level; i < down.length; i++) {
            size *= down[i];
        }
        return size;
    }

    private int upProduct(int level) {
        int product = 1;
        for (int i = 0; i < level; i++) {
            product *= up[i];
        }
        return product;
    }

    private int at(int level) {
        return first[down.length - level];
    }

    int switches() {
        return first[first.length - 1];
    }

    /** Switches of the highest level, which come first. */
    int spines() {
        return first[1];
    }

    List<Cable> cables() {
        return cables;
    }

    /** Returns the number of leaves. */
    int leaves() {
        return size(0);
    }

    /** Returns the switch index of the first leaf; the others follow. */
    int firstLeaf() {
        return at(0);
    }

    /** Returns the rank of a switch, 0 at the top. */
    int rank(int sw) {
        int rank = 0;
        while (first[rank + 1] <= sw) {
            rank++;
        }
        return rank;
    }

    /** Returns the rank of leaves. */
    int leafRank() {
        return down.length;
    }

    /** Returns the whole tree. */
    Fabric fabric() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < switches(); sw++) {
            sketch.addSwitch("sw-" + sw, 64);
        }
        cables.forEach(cable -> sketch.link(cable.below, cable.belowPort, cable.above, cable.abovePort));
        for (int leaf = firstLeaf(); leaf < switches(); leaf++) {
            for (int i = 0; i < hosts; i++) {
                sketch.addHost(leaf, 64 - hosts + 1 + i);
            }
        }
        return sketch.build();
    }

    /**
     * Returns the subnet without some cables, and without some switches with their cables and hosts. LIDs do not
     * change.
     */
    Subnet without(Subnet whole, BitSet lostCables, BitSet lostSwitches) {
        Fabric fabric = whole.fabric();
        BitSet lost = new BitSet();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            int sw = fabric.isSwitch(node) ? node : fabric.switchOf(fabric.port(node, 1));
            lost.set(node, lostSwitches.get(sw));
        }
        return withoutNodes(whole, lostCables, lost);
    }

    /** Returns the subnet without the hosts of a leaf. LIDs do not change. */
    Subnet withoutHosts(Subnet whole, int leaf) {
        Fabric fabric = whole.fabric();
        BitSet lost = new BitSet();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            lost.set(node, !fabric.isSwitch(node) && fabric.switchOf(fabric.port(node, 1)) == leaf);
        }
        return withoutNodes(whole, new BitSet(), lost);
    }

    private Subnet withoutNodes(Subnet whole, BitSet lostCables, BitSet lost) {
        Fabric fabric = whole.fabric();
        FabricBuilder builder = new FabricBuilder();
        for (int node = lost.nextClearBit(0); node < fabric.nodeCount(); node = lost.nextClearBit(node + 1)) {
            long guid = fabric.nodeGuid(node);
            builder.addNode(fabric.node(node).info(), fabric.node(node).path());
            builder.setDescription(guid, fabric.node(node).description());
            SwitchInfo info = fabric.node(node).switchInfo();
            if (info != null) {
                builder.setSwitchInfo(guid, info);
            }
            for (int portNum = 0; portNum <= fabric.numPorts(node); portNum++) {
                PortInfo port = fabric.portInfo(fabric.port(node, portNum));
                if (port != null) {
                    builder.setPortInfo(guid, portNum, port);
                }
                builder.setPortGuid(guid, portNum, fabric.portGuid(fabric.port(node, portNum)));
            }
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            if (far > port
                    && !lost.get(fabric.nodeOf(port))
                    && !lost.get(fabric.nodeOf(far))
                    && !isLost(fabric, port, far, lostCables)) {
                builder.link(
                        fabric.nodeGuid(fabric.nodeOf(port)),
                        fabric.portNum(port),
                        fabric.nodeGuid(fabric.nodeOf(far)),
                        fabric.portNum(far));
            }
        }
        Fabric left = builder.build();
        int[] lids = new int[left.portCount()];
        byte[] lmcs = new byte[lids.length];
        for (int port = 0; port < lids.length; port++) {
            int before = fabric.port(left.nodePort(port));
            lids[port] = whole.lid(before);
            lmcs[port] = (byte) whole.lmc(before);
        }
        return new Subnet(left, lids, lmcs, whole.gidPrefix());
    }

    private boolean isLost(Fabric fabric, int port, int far, BitSet lostCables) {
        return lostCables.stream().anyMatch(i -> {
            int low = fabric.port(cables.get(i).below, cables.get(i).belowPort);
            return low == port || low == far;
        });
    }
}
