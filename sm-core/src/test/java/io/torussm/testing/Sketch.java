package io.torussm.testing;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;

/**
 * A builder of small and regular fabrics, for tests of stages after discovery. Switches have indexes in the
 * order in which they are added. By default all ports are in INITIALIZE with a VLCap of eight data VLs.
 */
public final class Sketch {
    private static final long SWITCH_GUID = 0x20_0000;
    private static final long HOST_GUID = 0x10_0000_0000L;

    private final FabricBuilder builder = new FabricBuilder();
    private int switches;
    private int hosts;
    private int vlCap = 4;
    private boolean slMapping = true;
    private int partitionCap;
    private int enforcementCap;

    /**
     * Returns a ring of switches with a host each: port 1 to the next, port 2 to the previous one, the host
     * at port 3.
     */
    public static Sketch ring(int switches) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < switches; sw++) {
            sketch.addSwitch("sw-" + sw, 4);
        }
        for (int sw = 0; sw < switches; sw++) {
            sketch.link(sw, 1, (sw + 1) % switches, 2);
            sketch.addHost(sw, 3);
        }
        return sketch;
    }

    /** Sets the VLCap of the ports of nodes that are added from now on, a code 1 to 5. */
    public Sketch vlCap(int code) {
        vlCap = code;
        return this;
    }

    /** Sets whether nodes that are added from now on have SL2VL tables. */
    public Sketch slMapping(boolean supported) {
        slMapping = supported;
        return this;
    }

    /**
     * Sets PartitionCap and, for switches, PartitionEnforcementCap of nodes that are added from now on; the
     * default is 0.
     */
    public Sketch partitionCaps(int ofEndports, int ofSwitchPorts) {
        partitionCap = ofEndports;
        enforcementCap = ofSwitchPorts;
        return this;
    }

    /** Adds a switch with port 0 enhanced; returns its index. */
    public int addSwitch(String name, int ports) {
        long guid = SWITCH_GUID + switches;
        addNode(NodeInfo.SWITCH, guid, guid, ports, name);
        builder.setSwitchInfo(
                guid,
                SwitchInfo.TYPE
                        .zero()
                        .with(SwitchInfo.ENHANCED_PORT0, 1)
                        .with(SwitchInfo.LINEAR_FDB_CAP, 0xBFFF)
                        .with(SwitchInfo.MULTICAST_FDB_CAP, 0x400)
                        .with(SwitchInfo.PARTITION_ENFORCEMENT_CAP, enforcementCap));
        for (int portNum = 0; portNum <= ports; portNum++) {
            builder.setPortInfo(guid, portNum, portInfo());
        }
        return switches++;
    }

    /** Adds a CA with one port to a switch. */
    public void addHost(int sw, int portNum) {
        addHost(new int[][] {{sw, portNum}});
    }

    /** Adds a router with one port to a switch. */
    public void addRouter(int sw, int portNum) {
        addHost(NodeInfo.ROUTER, new int[][] {{sw, portNum}});
    }

    /**
     * Adds a CA with one port or more.
     *
     * @param ends for each port a switch, and the number of the switch's port
     */
    public void addHost(int[][] ends) {
        addHost(NodeInfo.CHANNEL_ADAPTER, ends);
    }

    private void addHost(int type, int[][] ends) {
        long guid = HOST_GUID + ((long) hosts << 8);
        addNode(type, guid, guid + 1, ends.length, "host-" + hosts);
        for (int portNum = 1; portNum <= ends.length; portNum++) {
            builder.setPortGuid(guid, portNum, guid + portNum);
            builder.setPortInfo(guid, portNum, portInfo());
            builder.link(SWITCH_GUID + ends[portNum - 1][0], ends[portNum - 1][1], guid, portNum);
        }
        hosts++;
    }

    /** Adds two CAs with one port each, cabled to each other. */
    public void addHostPair() {
        long guid = HOST_GUID + ((long) hosts << 8);
        for (long each = guid; each <= guid + 0x100; each += 0x100) {
            addNode(NodeInfo.CHANNEL_ADAPTER, each, each + 1, 1, "host-" + hosts++);
            builder.setPortInfo(each, 1, portInfo());
        }
        builder.link(guid, 1, guid + 0x100, 1);
    }

    /** Connects two switches. */
    public void link(int swA, int portA, int swB, int portB) {
        builder.link(SWITCH_GUID + swA, portA, SWITCH_GUID + swB, portB);
    }

    /** Checks whether a port of a switch has a cable. */
    public boolean isLinked(int sw, int portNum) {
        return builder.isLinked(SWITCH_GUID + sw, portNum);
    }

    public Fabric build() {
        return builder.build();
    }

    private void addNode(int type, long nodeGuid, long portGuid, int ports, String name) {
        NodeInfo info = NodeInfo.TYPE
                .zero()
                .with(NodeInfo.NODE_TYPE, type)
                .with(NodeInfo.NUM_PORTS, ports)
                .with(NodeInfo.NODE_GUID, nodeGuid)
                .with(NodeInfo.PORT_GUID, portGuid)
                .with(NodeInfo.PARTITION_CAP, partitionCap)
                .with(NodeInfo.LOCAL_PORT_NUM, 1);
        builder.addNode(info, DrPath.LOCAL);
        builder.setDescription(nodeGuid, name);
    }

    private PortInfo portInfo() {
        return PortInfo.TYPE
                .zero()
                .with(PortInfo.PORT_STATE, PortInfo.STATE_INITIALIZE)
                .with(PortInfo.VL_CAP, vlCap)
                .with(PortInfo.CAPABILITY_MASK, slMapping ? PortInfo.CAP_SL_MAPPING : 0);
    }
}
