package io.torussm.view;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.names.Names;
import io.torussm.testing.Subnets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

/** A fabric of switches with a host each, any of which may be off, as an SM at host 0 discovers it. */
final class LossFabric {
    static final int PORTS = 40;
    private static final int HOST_PORT = PORTS;
    private static final long SWITCH_GUID = 0x20_0000;
    private static final long HOST_GUID = 0x10_0000_0000L;

    final int switches;
    final List<Cable> cables = new ArrayList<>();

    /** Switches that are off, and cables that are unplugged. */
    final Set<Object> down = new HashSet<>();

    /** Switches whose agents do not respond. */
    final Set<Integer> silent = new HashSet<>();

    Names names = Names.NONE;

    /** A cable between two switches. */
    record Cable(int a, int portA, int b, int portB) {}

    LossFabric(int switches) {
        this.switches = switches;
    }

    /** Returns a connected graph with twice as many cables as switches. */
    static LossFabric random(Random random, int switches) {
        LossFabric fabric = new LossFabric(switches);
        for (int sw = 1; sw < switches; sw++) {
            fabric.link(sw, random.nextInt(sw));
        }
        for (int more = 0; more < switches; more++) {
            fabric.link(random.nextInt(switches), random.nextInt(switches));
        }
        return fabric;
    }

    /** Returns a tree of leaves 0 to leaves - 1, each with a cable to each spine. */
    static LossFabric tree(int leaves, int spines) {
        LossFabric fabric = new LossFabric(leaves + spines);
        for (int leaf = 0; leaf < leaves; leaf++) {
            for (int spine = 0; spine < spines; spine++) {
                fabric.link(leaf, leaves + spine);
            }
        }
        return fabric;
    }

    void link(int a, int b) {
        int portA = freePort(a);
        int portB = freePort(b);
        if (a != b && portA < HOST_PORT && portB < HOST_PORT) {
            cables.add(a < b ? new Cable(a, portA, b, portB) : new Cable(b, portB, a, portA));
        }
    }

    private int freePort(int sw) {
        return 1
                + (int) cables.stream()
                        .filter(cable -> cable.a == sw || cable.b == sw)
                        .count();
    }

    Cable cable(int a, int b) {
        return cables.stream()
                .filter(cable -> cable.a == Math.min(a, b) && cable.b == Math.max(a, b))
                .findFirst()
                .orElseThrow();
    }

    static long guid(int sw) {
        return SWITCH_GUID + sw;
    }

    /** Checks whether the link of a cable is up. */
    private boolean isUp(Cable cable) {
        return !down.contains(cable) && !down.contains(cable.a) && !down.contains(cable.b);
    }

    /** Returns the switches that respond. */
    Set<Integer> respondingSwitches() {
        Set<Integer> seen = new HashSet<>(Set.of(0));
        Deque<Integer> todo = new ArrayDeque<>(seen);
        while (!todo.isEmpty()) {
            int sw = todo.remove();
            for (Cable cable : cables) {
                int far = cable.a == sw ? cable.b : cable.b == sw ? cable.a : sw;
                if (far != sw && isUp(cable) && !silent.contains(far) && seen.add(far)) {
                    todo.add(far);
                }
            }
        }
        return seen;
    }

    /** Returns the lost switches, as numbers, and cables. */
    Set<Object> lostParts() {
        Set<Integer> seen = respondingSwitches();
        Set<Object> lost = new HashSet<>();
        for (int sw = 0; sw < switches; sw++) {
            if (!seen.contains(sw)) {
                lost.add(sw);
            }
        }
        for (Cable cable : cables) {
            if (!isUp(cable) || !seen.contains(cable.a) || !seen.contains(cable.b)) {
                lost.add(cable);
            }
        }
        return lost;
    }

    /** Returns the subnet as the SM finds it. */
    PlacedSubnet found() {
        FabricBuilder builder = new FabricBuilder();
        Set<Integer> seen = respondingSwitches();
        for (int sw = 0; sw < switches; sw++) {
            if (seen.contains(sw)) {
                add(builder, NodeInfo.SWITCH, guid(sw), PORTS, "sw-" + sw);
                add(builder, NodeInfo.CHANNEL_ADAPTER, HOST_GUID + sw, 1, "host-" + sw);
                join(builder, guid(sw), HOST_PORT, HOST_GUID + sw, 1, true);
            }
        }
        for (Cable cable : cables) {
            boolean isSeen = seen.contains(cable.a) && seen.contains(cable.b);
            if (isUp(cable) && seen.contains(cable.a)) {
                port(builder, guid(cable.a), cable.portA, true);
            }
            if (isUp(cable) && seen.contains(cable.b)) {
                port(builder, guid(cable.b), cable.portB, true);
            }
            if (isUp(cable) && isSeen) {
                join(builder, guid(cable.a), cable.portA, guid(cable.b), cable.portB, true);
            }
        }
        Fabric fabric = builder.build().with(names);
        return PlacedSubnet.at(Map.of(), Subnets.of(fabric));
    }

    private static void add(FabricBuilder builder, int type, long guid, int ports, String name) {
        builder.addNode(
                NodeInfo.TYPE
                        .zero()
                        .with(NodeInfo.NODE_TYPE, type)
                        .with(NodeInfo.NUM_PORTS, ports)
                        .with(NodeInfo.NODE_GUID, guid)
                        .with(NodeInfo.PORT_GUID, guid)
                        .with(NodeInfo.LOCAL_PORT_NUM, 1),
                DrPath.LOCAL);
        builder.setDescription(guid, name);
        for (int portNum = 0; portNum <= ports; portNum++) {
            port(builder, guid, portNum, false);
        }
    }

    private static void port(FabricBuilder builder, long guid, int portNum, boolean isUp) {
        builder.setPortInfo(
                guid,
                portNum,
                PortInfo.TYPE.zero().with(PortInfo.PORT_STATE, isUp ? PortInfo.STATE_INITIALIZE : PortInfo.STATE_DOWN));
    }

    private static void join(FabricBuilder builder, long a, int portA, long b, int portB, boolean isUp) {
        port(builder, a, portA, isUp);
        port(builder, b, portB, isUp);
        builder.link(a, portA, b, portB);
    }
}
