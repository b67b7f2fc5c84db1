package io.torussm.daemon.replay;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.recording.Entry;
import io.torussm.recording.Recording;
import io.torussm.snapshot.DeviceRegisters;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.FabricSnapshot.Cable;
import io.torussm.snapshot.FabricSnapshot.PortRef;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The cables and devices that were not in the fabric when a recording began. They are derived from the recorded
 * responses.
 */
final class LaterCables {
    private final FabricSnapshot snapshot;

    /** Peer by port, for both ends of all cables. */
    private final Map<PortRef, PortRef> peers = new HashMap<>();

    /** Registers of all devices by NodeGUID. */
    private final Map<Long, DeviceRegisters> devices = new HashMap<>();

    private final List<Cable> cables = new ArrayList<>();

    /** @param snapshot fabric at the begin of the recording */
    LaterCables(FabricSnapshot snapshot, Recording recording) {
        this.snapshot = snapshot;
        snapshot.cables().forEach(this::link);
        snapshot.devices().values().forEach(device -> devices.put(device.guid(), device));
        for (Entry entry : recording.entries()) {
            if (entry instanceof Entry.Received received
                    && isNodeInfo(received.frame().mad())) {
                addCable(received.frame().mad());
            }
        }
    }

    private void link(Cable cable) {
        peers.put(cable.a(), cable.b());
        peers.put(cable.b(), cable.a());
    }

    private static boolean isNodeInfo(byte[] mad) {
        return mad.length == MadHeader.MAD_SIZE
                && MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && MadHeader.method(mad) == Method.GET_RESP
                && MadHeader.attributeId(mad) == NodeInfo.TYPE.id()
                && MadHeader.status(mad) == 0;
    }

    private void addCable(byte[] mad) {
        DrPath path = Smp.path(mad);
        PortRef near = path == null || path.hops() == 0 ? null : lastPort(path);
        NodeInfo info = NodeInfo.TYPE.read(mad, Smp.DATA_OFFSET);
        PortRef far = new PortRef(info.nodeGuid(), info.localPortNum());
        if (near != null && !peers.containsKey(near) && !peers.containsKey(far)) {
            Cable cable = Cable.between(near, far);
            link(cable);
            cables.add(cable);
            devices.computeIfAbsent(info.nodeGuid(), guid -> new DeviceRegisters.Builder(info).build());
        }
    }

    /** Returns the port through which a route enters its last cable; null if a previous cable is unknown. */
    private @Nullable PortRef lastPort(DrPath path) {
        long node = snapshot.local().nodeGuid();
        for (int hop = 0; hop < path.hops() - 1; hop++) {
            PortRef peer = peers.get(new PortRef(node, path.port(hop)));
            if (peer == null) {
                return null;
            }
            node = peer.nodeGuid();
        }
        return new PortRef(node, path.port(path.hops() - 1));
    }

    /** Returns the cables that are not in the snapshot. */
    List<Cable> cables() {
        return cables;
    }

    /** Copies the snapshot and adds the later cables and devices. */
    FabricSnapshot snapshot() {
        List<Cable> all = new ArrayList<>(snapshot.cables());
        all.addAll(cables);
        return new FabricSnapshot(
                snapshot.takenAt(), snapshot.local(), devices.values(), all, snapshot.managers(), snapshot.notes());
    }
}
