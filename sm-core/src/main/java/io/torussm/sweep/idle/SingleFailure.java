package io.torussm.sweep.idle;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import io.torussm.mad.Field;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The loss of one cable between switches, or of one switch with the hosts that are attached only to it.
 *
 * @param at the end of the cable with the lower port index; port 0 of the switch if that fails as a whole
 */
record SingleFailure(NodePort at) {
    /** No loss. */
    static final SingleFailure NONE = new SingleFailure(new NodePort(0, 0));

    /** The fields of PortInfo of a port with a cable on which routes may depend. */
    private static final List<Field> LINK_FIELDS = List.of(
            PortInfo.CAPABILITY_MASK,
            PortInfo.CAPABILITY_MASK2,
            PortInfo.VL_CAP,
            PortInfo.OPERATIONAL_VLS,
            PortInfo.MTU_CAP,
            PortInfo.NEIGHBOR_MTU,
            PortInfo.LINK_WIDTH_ACTIVE,
            PortInfo.LINK_SPEED_ACTIVE,
            PortInfo.LINK_SPEED_EXT_ACTIVE,
            PortInfo.LINK_SPEED_EXT_ACTIVE2);

    /** The step between successive failures: a prime, so that they are far apart and in different directions. */
    private static final int STRIDE = 7919;

    /** Returns all failures after which this SM is still in the fabric: cables, then switches. */
    static List<SingleFailure> of(Fabric fabric) {
        List<SingleFailure> all = new ArrayList<>();
        int[] cables = cables(fabric);
        for (int i = 0; i < cables.length; i++) {
            int port = cables[permuted(i, cables.length)];
            all.add(new SingleFailure(fabric.nodePort(port)));
        }
        for (int i = 0; i < fabric.switchCount(); i++) {
            int sw = permuted(i, fabric.switchCount());
            if (!isLocal(fabric, sw)) {
                all.add(new SingleFailure(fabric.nodePort(fabric.port(sw, 0))));
            }
        }
        return all;
    }

    /** Returns element i of a permutation of 0 to {@code count - 1}, in which successive elements are far apart. */
    static int permuted(int i, int count) {
        // A prime step visits each index once, unless it divides the count.
        return count % STRIDE == 0 ? i : (int) ((long) i * STRIDE % count);
    }

    /** Returns the cables between switches, each as the lower of the port indexes of its ends, ascending. */
    static int[] cables(Fabric fabric) {
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.peer(port) > port)
                .filter(port -> fabric.isSwitch(fabric.nodeOf(port)))
                .filter(port -> fabric.isSwitch(fabric.nodeOf(fabric.peer(port))))
                .toArray();
    }

    /** Checks whether the SM is at or attached to a switch. */
    private static boolean isLocal(Fabric fabric, int sw) {
        int local = fabric.localPort();
        int far = fabric.peer(local);
        return fabric.nodeOf(local) == sw || (far != Fabric.NONE && fabric.nodeOf(far) == sw);
    }

    /** Checks whether a whole switch is lost. */
    boolean isOfSwitch() {
        return at.portNum() == 0;
    }

    /** Returns the fabric after this failure; null if it cannot occur, or would separate the SM from the fabric. */
    @Nullable
    Fabric applyTo(Fabric wholeFabric) {
        int node = wholeFabric.nodeByGuid(at.nodeGuid());
        if (node == Fabric.NONE || !wholeFabric.isSwitch(node) || (isOfSwitch() && isLocal(wholeFabric, node))) {
            return null;
        }
        FabricBuilder builder = FabricBuilder.of(wholeFabric);
        for (int portNum = 1; portNum <= wholeFabric.numPorts(node); portNum++) {
            if ((isOfSwitch() || at.portNum() == portNum)
                    && wholeFabric.peer(wholeFabric.port(node, portNum)) != Fabric.NONE) {
                builder.unlink(at.nodeGuid(), portNum);
            }
        }
        builder.retrace();
        return builder.build();
    }

    /**
     * Returns the failure by which a subnet differs from another. All other inputs of routes must be equal:
     * nodes, cables, LIDs (also of virtual ports), capabilities, VLs, widths and speeds.
     *
     * @param wholeSubnet subnet before the failure
     * @param found subnet after the failure
     * @return failure; {@link #NONE} if nothing is lost; null for a larger loss or another difference
     */
    static @Nullable SingleFailure between(Subnet wholeSubnet, Subnet found) {
        SingleFailure failure = new Comparison(wholeSubnet, found).failure();
        boolean areVPortsSame = failure == null
                || (wholeSubnet.vportLids().isEmpty() && found.vportLids().isEmpty())
                || wholeSubnet.restrictedTo(found.fabric()).vportLids().equals(found.vportLids());
        return areVPortsSame ? failure : null;
    }

    /** The comparison of two subnets. */
    private static final class Comparison {
        private final Subnet wholeSubnet;
        private final Subnet found;
        private final Fabric oldFabric;
        private final Fabric newFabric;

        /** Node index in the found subnet, by node index of the whole subnet; NONE if the node is lost. */
        private final int[] nodes;

        private int lostSwitch = Fabric.NONE;
        private int lostSwitches;
        private int lostPort = Fabric.NONE;

        /** Number of ports that have lost their cable; a cable between found nodes has two. */
        private int lostEnds;

        Comparison(Subnet wholeSubnet, Subnet found) {
            this.wholeSubnet = wholeSubnet;
            this.found = found;
            oldFabric = wholeSubnet.fabric();
            newFabric = found.fabric();
            nodes = new int[oldFabric.nodeCount()];
            Arrays.fill(nodes, Fabric.NONE);
        }

        @Nullable
        SingleFailure failure() {
            boolean isComparable = wholeSubnet.gidPrefix() == found.gidPrefix() && matchNodes() && lostSwitches <= 1;
            for (int node = 0; isComparable && node < nodes.length; node++) {
                isComparable = nodes[node] == Fabric.NONE ? isExpectedLoss(node) : isSameNode(node, nodes[node]);
            }
            if (!isComparable || counterpart(oldFabric.localPort()) != newFabric.localPort()) {
                return null;
            }
            if (lostSwitch != Fabric.NONE) {
                return lostEnds == 0 ? new SingleFailure(oldFabric.nodePort(oldFabric.port(lostSwitch, 0))) : null;
            }
            if (lostEnds == 0) {
                return NONE;
            }
            int node = oldFabric.nodeOf(lostPort);
            boolean isCable = lostEnds == 2
                    && oldFabric.isSwitch(node)
                    && oldFabric.isSwitch(oldFabric.nodeOf(oldFabric.peer(lostPort)));
            return isCable ? new SingleFailure(oldFabric.nodePort(lostPort)) : null;
        }

        /**
         * Matches the nodes of both fabrics, which ascend by GUID, switches first.
         *
         * @return false if the found subnet has a node that the whole subnet lacks
         */
        private boolean matchNodes() {
            int matched = 0;
            for (int node = 0; node < nodes.length && matched < newFabric.nodeCount(); node++) {
                if (oldFabric.nodeGuid(node) == newFabric.nodeGuid(matched)
                        && oldFabric.isSwitch(node) == newFabric.isSwitch(matched)) {
                    nodes[node] = matched++;
                }
            }
            for (int sw = 0; sw < oldFabric.switchCount(); sw++) {
                if (nodes[sw] == Fabric.NONE) {
                    lostSwitch = sw;
                    lostSwitches++;
                }
            }
            return matched == newFabric.nodeCount();
        }

        /** Checks whether an absent node is the lost switch, or a host that was attached only to that switch. */
        private boolean isExpectedLoss(int node) {
            boolean isAlone = lostSwitch != Fabric.NONE;
            for (int port = oldFabric.port(node, 1);
                    !oldFabric.isSwitch(node) && port <= oldFabric.port(node, oldFabric.numPorts(node));
                    port++) {
                isAlone &= oldFabric.peer(port) == Fabric.NONE || oldFabric.nodeOf(oldFabric.peer(port)) == lostSwitch;
            }
            return isAlone;
        }

        private boolean isSameNode(int node, int foundNode) {
            Fabric.Node oldValue = oldFabric.node(node);
            Fabric.Node newValue = newFabric.node(foundNode);
            boolean isSame = oldFabric.numPorts(node) == newFabric.numPorts(foundNode)
                    && oldValue.info().nodeType() == newValue.info().nodeType()
                    && oldValue.info().systemImageGuid() == newValue.info().systemImageGuid()
                    && isSameSwitch(oldValue.switchInfo(), newValue.switchInfo());
            for (int portNum = 0; isSame && portNum <= oldFabric.numPorts(node); portNum++) {
                isSame = isSamePort(oldFabric.port(node, portNum), newFabric.port(foundNode, portNum));
            }
            return isSame;
        }

        private static boolean isSameSwitch(@Nullable SwitchInfo oldValue, @Nullable SwitchInfo newValue) {
            return Objects.equals(oldValue, newValue)
                    || (oldValue != null
                            && newValue != null
                            && oldValue.linearFdbCap() == newValue.linearFdbCap()
                            && oldValue.multicastFdbCap() == newValue.multicastFdbCap()
                            && oldValue.enhancedPort0() == newValue.enhancedPort0());
        }

        private boolean isSamePort(int port, int foundPort) {
            int peer = counterpart(oldFabric.peer(port));
            if (peer != newFabric.peer(foundPort)) {
                if (newFabric.peer(foundPort) != Fabric.NONE) {
                    return false;
                }
                lostPort = lostPort == Fabric.NONE ? port : lostPort;
                lostEnds++;
            }
            boolean isUsed = newFabric.peer(foundPort) != Fabric.NONE || newFabric.portNum(foundPort) == 0;
            return wholeSubnet.lid(port) == found.lid(foundPort)
                    && wholeSubnet.lmc(port) == found.lmc(foundPort)
                    && oldFabric.portGuid(port) == newFabric.portGuid(foundPort)
                    && (!isUsed || isSameLink(oldFabric.portInfo(port), newFabric.portInfo(foundPort)));
        }

        /** Returns the index of a port in the found subnet; NONE if the port is NONE or its node is lost. */
        private int counterpart(int port) {
            int node = port == Fabric.NONE ? Fabric.NONE : nodes[oldFabric.nodeOf(port)];
            return node == Fabric.NONE ? Fabric.NONE : newFabric.port(node, oldFabric.portNum(port));
        }

        private static boolean isSameLink(@Nullable PortInfo oldValue, @Nullable PortInfo newValue) {
            return Objects.equals(oldValue, newValue)
                    || (oldValue != null
                            && newValue != null
                            && oldValue.isArmedOrActive() == newValue.isArmedOrActive()
                            && LINK_FIELDS.stream().allMatch(field -> oldValue.get(field) == newValue.get(field)));
        }
    }
}
