package io.torussm.inventory;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.NodePort;
import io.torussm.mad.smp.LinkSpeed;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import java.util.ArrayList;
import java.util.List;

/**
 * What a fabric is meant to be: its devices and its cables, sorted, so that equal fabrics are equal values whatever order
 * they were discovered in.
 *
 * @param devices by GUID
 * @param cables by their nearer ends
 */
public record ExpectedFabric(List<Device> devices, List<Cable> cables) {
    /** Nothing is expected, as long as nobody accepted anything. */
    public static final ExpectedFabric NONE = new ExpectedFabric(List.of(), List.of());

    /** NodeDescription has no more. */
    private static final int MAX_NAME = 64;

    /** What a device is. */
    public enum Kind {
        CA,
        SWITCH,
        ROUTER;

        private static Kind of(NodeInfo info) {
            return switch (info.nodeType()) {
                case NodeInfo.SWITCH -> SWITCH;
                case NodeInfo.ROUTER -> ROUTER;
                default -> CA;
            };
        }
    }

    /** What a device is made as: NodeInfo's VendorID, DeviceID and Revision. */
    public record Model(int vendor, int device, int revision) {}

    /**
     * A device.
     *
     * @param guid its NodeGUID
     * @param ports the highest number of its ports
     * @param name its description, in printable ASCII
     */
    public record Device(long guid, Kind kind, int ports, Model model, String name) {
        /** Whatever a device calls itself, in one line and without blanks around it. */
        public Device {
            String printable = name.replaceAll("[^ -~]", "?").strip();
            name = printable
                    .substring(0, Math.min(printable.length(), MAX_NAME))
                    .strip();
        }
    }

    /**
     * A cable.
     *
     * @param near the smaller end
     * @param lanes of the active width; 0 if it is not known
     * @param speed of a lane, {@code ?} if it is not known, else as {@link LinkSpeed#gbps}
     */
    public record Cable(NodePort near, NodePort far, int lanes, String speed) implements Comparable<Cable> {
        /** What stands for a speed that is not known. */
        static final String UNKNOWN = "?";

        /** Either end may be given first. */
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

        /** Whether both know their widths, and this one is wider. */
        boolean isWiderThan(Cable other) {
            return other.lanes > 0 && lanes > other.lanes;
        }

        /** Whether both know their speeds, and this one is faster. */
        boolean isFasterThan(Cable other) {
            return !other.speed.equals(UNKNOWN)
                    && !speed.equals(UNKNOWN)
                    && Double.parseDouble(speed) > Double.parseDouble(other.speed);
        }

        /** Width and speed of a lane, as the file has them. */
        String rate() {
            return (lanes == 0 ? UNKNOWN : lanes + "x") + " " + speed;
        }
    }

    /** Sorts what is given. */
    public ExpectedFabric {
        devices = devices.stream()
                .sorted((a, b) -> Long.compareUnsigned(a.guid(), b.guid()))
                .toList();
        cables = cables.stream().sorted().toList();
    }

    /** Whether nothing is expected. */
    public boolean isEmpty() {
        return devices.isEmpty();
    }

    /** A fabric as it was found. */
    public static ExpectedFabric of(Fabric fabric) {
        List<Device> devices = new ArrayList<>(fabric.nodeCount());
        for (int node = 0; node < fabric.nodeCount(); node++) {
            NodeInfo info = fabric.node(node).info();
            Model model = new Model((int) info.get(NodeInfo.VENDOR_ID), (int) info.get(NodeInfo.DEVICE_ID), (int)
                    info.get(NodeInfo.REVISION));
            devices.add(new Device(
                    info.nodeGuid(),
                    Kind.of(info),
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
        String width = info == null ? Cable.UNKNOWN : info.widthText(Cable.UNKNOWN);
        return new Cable(
                fabric.nodePort(port),
                fabric.nodePort(far),
                width.equals(Cable.UNKNOWN) ? 0 : Integer.parseInt(width.substring(0, width.length() - 1)),
                info == null ? Cable.UNKNOWN : info.speedText(Cable.UNKNOWN));
    }
}
