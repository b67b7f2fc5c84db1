package io.torussm.inventory;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.LinkWidth;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * The expected fabric: its devices and its cables. Both are sorted, so that equal fabrics are equal values in
 * any order of discovery.
 *
 * @param devices by GUID
 * @param cables by their nearer ends
 */
public record ExpectedFabric(List<Device> devices, List<Cable> cables) {
    /** The value before a fabric is accepted: nothing is expected. */
    public static final ExpectedFabric NONE = new ExpectedFabric(List.of(), List.of());

    /** The length of NodeDescription. */
    private static final int MAX_NAME_CHARS = 64;

    /** The type of a device. */
    public enum DeviceType {
        CA,
        SWITCH,
        ROUTER;

        /** Returns the type in NodeInfo; an unknown one counts as that of a CA. */
        public static DeviceType of(NodeInfo info) {
            return switch (info.nodeType()) {
                case NodeInfo.SWITCH -> SWITCH;
                case NodeInfo.ROUTER -> ROUTER;
                default -> CA;
            };
        }
    }

    /** The model of a device: NodeInfo's VendorID, DeviceID and Revision. */
    public record Model(int vendor, int device, int revision) {}

    /**
     * A device.
     *
     * @param guid NodeGUID
     * @param ports the highest number of its ports
     * @param name description, in printable ASCII
     */
    public record Device(long guid, DeviceType kind, int ports, Model model, String name) {
        /** Makes a one-line name without surrounding blanks out of any description. */
        public Device {
            String printable = name.replaceAll("[^ -~]", "?").strip();
            name = printable
                    .substring(0, Math.min(printable.length(), MAX_NAME_CHARS))
                    .strip();
        }
    }

    /**
     * A cable.
     *
     * @param near the smaller end
     * @param lanes lanes of the active width; 0 if unknown
     * @param speed speed of a lane, {@code ?} if unknown, else as {@link LinkSpeed#gbps}
     */
    public record Cable(NodePort near, NodePort far, int lanes, String speed) implements Comparable<Cable> {
        /** The text of an unknown speed. */
        static final String UNKNOWN = "?";

        /** Sorts the ends; either may be given first. */
        public Cable {
            if (near.compareTo(far) > 0) {
                NodePort swapped = near;
                near = far;
                far = swapped;
            }
        }

        @Override
        public int compareTo(Cable other) {
            return near.compareTo(other.near);
        }

        /** Checks whether both widths are known, and this one is wider. */
        boolean isWiderThan(Cable other) {
            return other.lanes > 0 && lanes > other.lanes;
        }

        /** Checks whether both speeds are known, and this one is faster. */
        boolean isFasterThan(Cable other) {
            return !other.speed.equals(UNKNOWN)
                    && !speed.equals(UNKNOWN)
                    && Double.parseDouble(speed) > Double.parseDouble(other.speed);
        }

        /** Returns the width and speed of a lane, as in the file. */
        String rate() {
            return (lanes == 0 ? UNKNOWN : lanes + "x") + " " + speed;
        }
    }

    /** Sorts the devices and cables. */
    public ExpectedFabric {
        devices = devices.stream()
                .sorted((a, b) -> Long.compareUnsigned(a.guid(), b.guid()))
                .toList();
        cables = cables.stream().sorted().toList();
    }

    /** Checks whether nothing is expected. */
    public boolean isEmpty() {
        return devices.isEmpty();
    }

    /** Returns the value of a found fabric. */
    public static ExpectedFabric of(Fabric fabric) {
        List<Device> devices = new ArrayList<>(fabric.nodeCount());
        for (int node = 0; node < fabric.nodeCount(); node++) {
            NodeInfo info = fabric.node(node).info();
            Model model = new Model((int) info.get(NodeInfo.VENDOR_ID), (int) info.get(NodeInfo.DEVICE_ID), (int)
                    info.get(NodeInfo.REVISION));
            devices.add(new Device(
                    info.nodeGuid(),
                    DeviceType.of(info),
                    fabric.numPorts(node),
                    model,
                    fabric.node(node).description()));
        }
        List<Cable> cables = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) > port) {
                cables.add(cable(fabric, port));
            }
        }
        return new ExpectedFabric(devices, cables);
    }

    private static Cable cable(Fabric fabric, int port) {
        int far = fabric.peer(port);
        PortInfo near = fabric.portInfo(port);
        PortInfo info = near == null ? fabric.portInfo(far) : near;
        return new Cable(
                fabric.nodePort(port),
                fabric.nodePort(far),
                info == null ? 0 : LinkWidth.of(info).map(LinkWidth::lanes).orElse(0),
                info == null ? Cable.UNKNOWN : info.speedText(Cable.UNKNOWN));
    }
}
