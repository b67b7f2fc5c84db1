package io.torussm.daemon.recorder;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeDescription;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.RegisterId;
import io.torussm.view.PublishedView;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The registers of devices that an SM has read or written in a sweep: NodeInfo, NodeDescription, SwitchInfo, PortInfo
 * and linear forwarding tables. In the snapshot the other tables have the content after power-up, so an SM that starts
 * with the snapshot writes them again.
 */
final class KnownRegisters {
    private KnownRegisters() {}

    /**
     * Creates the snapshot of a programmed subnet.
     *
     * @param timeNs time of the snapshot in ns since 1970
     */
    static FabricSnapshot snapshot(PublishedView view, long timeNs) {
        Fabric fabric = view.subnet().fabric();
        List<DeviceRegisters> devices = new ArrayList<>();
        List<FabricSnapshot.Cable> cables = new ArrayList<>();
        for (int node = 0; node < fabric.nodeCount(); node++) {
            devices.add(device(view, node));
        }
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) > port) {
                cables.add(FabricSnapshot.Cable.between(portRef(fabric, port), portRef(fabric, fabric.peer(port))));
            }
        }
        return new FabricSnapshot(
                Instant.ofEpochSecond(0, timeNs),
                portRef(fabric, fabric.localPort()),
                devices,
                cables,
                List.of(),
                List.of());
    }

    private static FabricSnapshot.PortRef portRef(Fabric fabric, int port) {
        return new FabricSnapshot.PortRef(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
    }

    private static DeviceRegisters device(PublishedView view, int node) {
        Fabric fabric = view.subnet().fabric();
        Fabric.Node known = fabric.node(node);
        DeviceRegisters.Builder device = new DeviceRegisters.Builder(known.info());
        boolean isSwitch = fabric.isSwitch(node);
        SwitchInfo switchInfo = known.switchInfo();
        if (switchInfo != null) {
            device.put(RegisterId.of(SwitchInfo.TYPE, 0, 0), switchInfo.toBytes());
        }
        for (int portNum = isSwitch ? 0 : 1; portNum <= fabric.numPorts(node); portNum++) {
            int port = fabric.port(node, portNum);
            PortInfo info = fabric.portInfo(port);
            int inPort = isSwitch ? 0 : portNum;
            if (info != null) {
                device.put(RegisterId.of(PortInfo.TYPE, portNum, inPort), info.toBytes());
            }
            if (info != null && fabric.isEndport(port)) {
                NodeInfo identity = known.info()
                        .with(NodeInfo.LOCAL_PORT_NUM, inPort)
                        .with(NodeInfo.PORT_GUID, fabric.portGuid(port));
                device.put(RegisterId.of(NodeInfo.TYPE, 0, inPort), identity.toBytes());
                byte[] description = known.description().getBytes(StandardCharsets.UTF_8);
                device.put(
                        RegisterId.of(NodeDescription.TYPE, 0, inPort),
                        Arrays.copyOf(description, DeviceRegisters.REGISTER_BYTES));
            }
        }
        if (isSwitch && node < view.plan().subnet().fabric().switchCount()) {
            forwarding(device, view, node);
        }
        return device.build();
    }

    private static void forwarding(DeviceRegisters.Builder device, PublishedView view, int sw) {
        byte[] lft = view.plan().lft(sw);
        int size = LinearForwardingTable.LIDS_PER_BLOCK;
        for (int block = 0; block * size <= view.subnet().topLid(); block++) {
            byte[] ports = new byte[size];
            Arrays.fill(ports, LinearForwardingTable.NO_PATH_ENTRY);
            int length = Math.min(size, lft.length - block * size);
            if (length > 0) {
                System.arraycopy(lft, block * size, ports, 0, length);
            }
            device.put(RegisterId.of(LinearForwardingTable.TYPE, block, 0), ports);
        }
    }
}
