package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.SimFabric;
import io.torussm.sim.topology.Topology;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** The contents of the devices of an embedded fabric, and the requests to them. */
public final class Devices {
    private Devices() {}

    /** Returns the PortInfo of a device. */
    public static PortInfo portInfo(SweepHarness harness, Fabric seen, int port) {
        return harness.fabric.portInfo(seen.nodeGuid(seen.nodeOf(port)), seen.portNum(port));
    }

    /** Returns ports to which switches forward a group, as {@code node GUID:port}. */
    static Set<String> groupEntries(SweepHarness harness, int mlid) {
        Set<String> entries = new TreeSet<>();
        harness.topology.nodes().stream().filter(Topology.Node::isSwitch).forEach(node -> {
            long[] mask = harness.fabric.mft(node.nodeGuid(), mlid);
            for (int port = 0; port <= node.numPorts(); port++) {
                if ((mask[port >> 6] >> port & 1) != 0) {
                    entries.add(Long.toHexString(node.nodeGuid()) + ":" + port);
                }
            }
        });
        return entries;
    }

    /** Returns all programmed attributes of all devices. */
    static List<Object> snapshot(SweepHarness harness) {
        SimFabric fabric = harness.fabric;
        List<Object> all = new ArrayList<>();
        for (Topology.Node node : harness.topology.nodes()) {
            long guid = node.nodeGuid();
            int first = node.isSwitch() ? 0 : 1;
            if (first == 0) {
                all.add(Arrays.toString(fabric.lft(guid)));
                all.add(fabric.switchInfo(guid));
            }
            for (int portNum = first; portNum <= node.numPorts(); portNum++) {
                all.add(fabric.portInfo(guid, portNum));
                for (int in = first; in <= node.numPorts(); in++) {
                    all.add(fabric.sl2vl(guid, in, portNum));
                }
                all.add(Arrays.toString(fabric.pKeys(guid, portNum)));
                all.add(fabric.vlArbitration(guid, portNum, 1));
                all.add(fabric.vlArbitration(guid, portNum, 3));
            }
        }
        return all;
    }

    /** Returns the PortState of a Set(PortInfo); -1 for another MAD. */
    static int wantedState(byte[] mad) {
        boolean isSet = MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == PortInfo.TYPE.id();
        return isSet ? PortInfo.TYPE.read(mad, Smp.DATA_OFFSET).portState() : -1;
    }
}
