package io.torussm.daemon.console.fabric;

import io.torussm.fabric.NodePort;
import io.torussm.inventory.ExpectedFabric;
import io.torussm.inventory.ExpectedFabric.Cable;
import io.torussm.inventory.ExpectedFabric.Device;
import io.torussm.inventory.ExpectedFabric.DeviceType;
import io.torussm.inventory.ExpectedFabric.Model;
import io.torussm.inventory.Inventory;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.topology.Topology;
import io.torussm.sim.topology.TopologyException;
import io.torussm.sim.topology.TopologyText;
import io.torussm.state.BoundedFile;
import io.torussm.state.StateFile;
import java.io.IOException;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An expected fabric from a file: a topology as printed by ibnetdiscover, or the lines of the file {@code expected}.
 *
 * <p>The daemon reads the file with its own rights, and error messages quote it. So the file must be world-readable:
 * users of the console must not see secrets of the daemon.
 */
final class PlannedInventory {
    /** Limit of a topology file: several times that of the largest subnet in ibnetdiscover's format. */
    private static final long MAX_BYTES = 128L << 20;

    private static final Pattern EXPECTED_FABRIC =
            Pattern.compile("(# torus-sm expected |(switch|ca|router|cable) 0x).*", Pattern.DOTALL);

    private PlannedInventory() {}

    /** The rejection of a file, with position and reason. */
    static final class Unusable extends Exception {
        private static final long serialVersionUID = 1;

        private Unusable(String message) {
            super(message);
        }
    }

    /**
     * The fabric of a file.
     *
     * @param expected expected fabric
     * @param warning text about ignored lines of a topology; empty without such lines
     */
    record InventoryContent(ExpectedFabric expected, String warning) {}

    /** Reads a file. Its content determines its format. */
    static InventoryContent read(String name) throws Unusable {
        byte[] bytes;
        try {
            Path file = Path.of(name);
            if (!file.isAbsolute()) {
                throw new Unusable(name + ": give the whole path, from / on; the daemon has another working directory");
            }
            Path real = file.toRealPath();
            if (!Files.getPosixFilePermissions(real).contains(PosixFilePermission.OTHERS_READ)) {
                throw new Unusable(name + " is not readable by all users, so the daemon does not show its content;"
                        + " chmod o+r");
            }
            bytes = BoundedFile.bytes(real, MAX_BYTES);
        } catch (InvalidPathException | IOException e) {
            throw new Unusable("cannot read " + name + " (" + e + ")");
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        try {
            if (EXPECTED_FABRIC.matcher(text).matches()) {
                return new InventoryContent(Inventory.read(bytes), "");
            }
            Topology topology = topology(name, text);
            return new InventoryContent(expectedFabric(topology), topology.warning());
        } catch (StateFile.DamagedFileException e) {
            throw new Unusable(name + ": " + e.getMessage());
        }
    }

    private static Topology topology(String name, String text) throws Unusable {
        try {
            return TopologyText.read(name, new StringReader(text));
        } catch (TopologyException | IOException e) {
            throw new Unusable(String.valueOf(e.getMessage()));
        }
    }

    private static ExpectedFabric expectedFabric(Topology topology) {
        List<Device> devices = new ArrayList<>();
        List<Cable> cables = new ArrayList<>();
        for (Topology.Node node : topology.nodes()) {
            NodeInfo info = node.nodeInfo(1);
            devices.add(new Device(
                    node.nodeGuid(),
                    DeviceType.of(info),
                    node.numPorts(),
                    new Model((int) info.get(NodeInfo.VENDOR_ID), (int) info.get(NodeInfo.DEVICE_ID), 0),
                    node.description()));
            for (int portNum = 1; portNum <= node.numPorts(); portNum++) {
                Topology.PortRef far = node.peer(portNum);
                NodePort near = new NodePort(node.nodeGuid(), portNum);
                if (far != null && near.compareTo(new NodePort(far.node().nodeGuid(), far.portNum())) < 0) {
                    cables.add(cable(node.portInfo(portNum), near, far));
                }
            }
        }
        return new ExpectedFabric(devices, cables);
    }

    private static Cable cable(PortInfo info, NodePort near, Topology.PortRef far) {
        return new Cable(
                near,
                new NodePort(far.node().nodeGuid(), far.portNum()),
                LinkWidth.of(info).map(LinkWidth::lanes).orElse(0),
                info.speedText("?"));
    }
}
