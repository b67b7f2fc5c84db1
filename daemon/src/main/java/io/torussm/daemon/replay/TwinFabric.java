package io.torussm.daemon.replay;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.recording.Entry;
import io.torussm.recording.NoteKind;
import io.torussm.recording.Recording;
import io.torussm.sim.RecordedFabric;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.SnapshotFile;
import io.torussm.transport.MadTransport;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The simulated fabric of a recording. Its devices have the registers of the recorded snapshot, or those of the first
 * recorded responses. The links of switches go down and come up when the recorded SM received the new state.
 */
final class TwinFabric {
    private final Recording recording;
    private final VirtualLoop clock;

    /** Topology and registers of the recording; null if they cannot be derived. */
    private final @Nullable RecordedFabric recorded;

    /** Simulated fabric; null without {@code recorded}. */
    private final @Nullable SimFabric fabric;

    /** One port of each link that is down. */
    private final Set<Topology.PortRef> downLinks = new HashSet<>();

    private TwinFabric(Recording recording, VirtualLoop clock, @Nullable RecordedFabric recorded) {
        this.recording = recording;
        this.clock = clock;
        this.recorded = recorded;
        this.fabric = recorded == null ? null : recorded.start(clock);
    }

    /**
     * Creates the twin of a recording. It has no devices if the recording has no snapshot and no fabric can be derived
     * from its MADs.
     *
     * @param name name of the file of the recording, for messages
     * @throws IOException if the recorded registers cannot be read
     */
    static TwinFabric of(Recording recording, String name, VirtualLoop clock) throws IOException {
        Optional<Entry.Note> snapshotNote = recording.notes(NoteKind.SNAPSHOT).findFirst();
        try {
            if (snapshotNote.isPresent()) {
                FabricSnapshot snapshot = SnapshotFile.read(
                        new ByteArrayInputStream(snapshotNote.get().content()), name);
                LaterCables later = new LaterCables(snapshot, recording);
                TwinFabric twin = new TwinFabric(recording, clock, RecordedFabric.of(later.snapshot()));
                later.cables().forEach(twin::pull);
                return twin;
            }
            List<byte[]> mads = new ArrayList<>();
            for (Entry entry : recording.entries()) {
                if (entry instanceof Entry.Sent sent && sent.frame().mad().length == MadHeader.MAD_SIZE) {
                    mads.add(sent.frame().mad());
                } else if (entry instanceof Entry.Received received
                        && received.frame().mad().length == MadHeader.MAD_SIZE) {
                    mads.add(received.frame().mad());
                }
            }
            return new TwinFabric(recording, clock, RecordedFabric.of(mads, name));
        } catch (TopologyException e) {
            if (snapshotNote.isPresent()) {
                throw new IOException(e.getMessage(), e);
            }
            return new TwinFabric(recording, clock, null); // a fabric without responses
        }
    }

    /** Removes a cable that was connected during the recording. */
    private void pull(FabricSnapshot.Cable cable) {
        Topology.Node node = recorded == null ? null : node(cable.a().nodeGuid());
        if (fabric != null && node != null) {
            downLinks.add(new Topology.PortRef(node, cable.a().portNum()));
            fabric.unlink(node.nodeGuid(), cable.a().portNum());
        }
    }

    private Topology.@Nullable Node node(long guid) {
        return recorded == null
                ? null
                : recorded.topology().nodes().stream()
                        .filter(each -> each.nodeGuid() == guid)
                        .findFirst()
                        .orElse(null);
    }

    /** Attaches the port of the SM; null if there is no simulated fabric. */
    @Nullable
    MadTransport port() {
        return fabric == null || recorded == null ? null : fabric.attach(recorded.portGuid());
    }

    /** Schedules the changes of links at the recorded times. */
    void scheduleLinkChanges() {
        for (Entry entry : recording.entries()) {
            if (entry instanceof Entry.Received received
                    && isPortInfo(received.frame().mad())) {
                byte[] mad = received.frame().mad();
                clock.schedule(Math.max(0, received.timeNs() - clock.nowNs()), () -> applyPortInfo(mad));
            }
        }
    }

    private static boolean isPortInfo(byte[] mad) {
        return mad.length == MadHeader.MAD_SIZE
                && MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && MadHeader.method(mad) == Method.GET_RESP
                && MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                && MadHeader.status(mad) == 0;
    }

    private void applyPortInfo(byte[] mad) {
        DrPath path = Smp.path(mad);
        Topology.Node node = path == null ? null : nodeAt(path);
        int portNum = MadHeader.attributeModifier(mad) & 0xff;
        if (fabric == null || node == null || !node.isSwitch() || portNum < 1 || portNum > node.numPorts()) {
            return;
        }
        Topology.PortRef peer = node.peer(portNum);
        boolean isDown = PortInfo.TYPE.read(mad, Smp.DATA_OFFSET).get(PortInfo.PORT_STATE) <= 1;
        Topology.PortRef near = new Topology.PortRef(node, portNum);
        if (peer != null && isDown && !downLinks.contains(near) && !downLinks.contains(peer)) {
            downLinks.add(near);
            fabric.unlink(node.nodeGuid(), portNum);
        } else if (peer != null && !isDown && (downLinks.remove(near) || downLinks.remove(peer))) {
            fabric.relink(node.nodeGuid(), portNum);
        }
    }

    /** Returns the device at the end of a route; null if a cable on the route is unknown. */
    private Topology.@Nullable Node nodeAt(DrPath path) {
        if (recorded == null) {
            return null;
        }
        long guid = recorded.portGuid();
        Topology.Node node = recorded.topology().nodes().stream()
                .filter(each -> hasPort(each, guid))
                .findFirst()
                .orElse(null);
        for (int hop = 0; hop < path.hops() && node != null; hop++) {
            int port = path.port(hop);
            Topology.PortRef peer = port >= 1 && port <= node.numPorts() ? node.peer(port) : null;
            node = peer == null ? null : peer.node();
        }
        return node;
    }

    private static boolean hasPort(Topology.Node node, long guid) {
        for (int port = node.isSwitch() ? 0 : 1; port <= node.numPorts(); port++) {
            if (node.portGuid(port) == guid) {
                return true;
            }
        }
        return false;
    }
}
