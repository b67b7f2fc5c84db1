package io.torussm.inventory;

import io.torussm.fabric.NodePort;
import io.torussm.inventory.ExpectedFabric.Cable;
import io.torussm.inventory.ExpectedFabric.Device;
import io.torussm.inventory.ExpectedFabric.DeviceType;
import io.torussm.inventory.ExpectedFabric.Model;
import io.torussm.mad.Guid;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The format of the file {@code expected}: a line for each device, then one for each cable.
 *
 * <pre>
 * switch 0x0002c90300000001 36 ports 0x0002c9 0xcb20 0x000000a0 leaf-1
 * cable 0x0002c90300000001/1 0x0002c90300000002/1 4x 25
 * </pre>
 */
final class ExpectedFile {
    static final int MAX_DEVICES = 1 << 16;
    static final int MAX_CABLES = 1 << 20;

    /** Operators may edit it: its first and last lines may be missing. */
    static final StateFile FILE = StateFile.of(
                    "expected", 1, 128L << 20, "nothing is compared until a fabric is accepted again")
            .sharedWithOpenSm();

    private static final Pattern DEVICE = Pattern.compile("(ca|switch|router) (0x[0-9a-f]{16}) ([0-9]{1,3}) ports"
            + " 0x([0-9a-f]{6}) 0x([0-9a-f]{4}) 0x([0-9a-f]{8})(?: ([ -~]{0,64}))?");
    private static final Pattern CABLE = Pattern.compile(
            "cable (0x[0-9a-f]{16})/([0-9]{1,3}) (0x[0-9a-f]{16})/([0-9]{1,3}) (\\?|1x|2x|4x|8x|12x) (\\?|[0-9.]{1,4})");
    private static final Set<String> SPEEDS = Set.of("?", "2.5", "5", "10", "14", "25", "50", "100", "200");
    private static final int MAX_PORTS = 255;

    private ExpectedFile() {}

    /** Returns the lines. */
    static Stream<String> lines(ExpectedFabric fabric) {
        return Stream.concat(
                fabric.devices().stream().map(ExpectedFile::line),
                fabric.cables().stream()
                        .map(cable -> "cable " + end(cable.near()) + " " + end(cable.far()) + " " + cable.rate()));
    }

    private static String line(Device device) {
        Model model = device.model();
        return String.format(
                        Locale.ROOT,
                        "%s %s %d ports 0x%06x 0x%04x 0x%08x %s",
                        device.kind().name().toLowerCase(Locale.ROOT),
                        Guid.format(device.guid()),
                        device.ports(),
                        model.vendor(),
                        model.device(),
                        model.revision(),
                        device.name())
                .strip();
    }

    private static String end(NodePort end) {
        return Guid.format(end.nodeGuid()) + "/" + end.portNum();
    }

    /** The parser of the lines. */
    static final class ExpectedLines implements StateFile.Parser<ExpectedFabric> {
        private final Map<Long, Device> devices = new HashMap<>();
        private final List<Cable> cables = new ArrayList<>();
        private final Set<NodePort> usedPorts = new HashSet<>();

        @Override
        public String parseLine(String line) {
            Matcher device = DEVICE.matcher(line);
            Matcher cable = CABLE.matcher(line);
            if (device.matches()) {
                return device(device);
            }
            return cable.matches() ? cable(cable) : line.startsWith("#") ? "" : "neither a device nor a cable";
        }

        private String device(Matcher line) {
            int ports = Integer.parseInt(line.group(3));
            if (ports > MAX_PORTS) {
                return "a device has at most " + MAX_PORTS + " ports";
            }
            if (devices.size() == MAX_DEVICES) {
                return "more than " + MAX_DEVICES + " devices";
            }
            Model model = new Model(
                    Integer.parseInt(line.group(4), 16),
                    Integer.parseInt(line.group(5), 16),
                    Integer.parseUnsignedInt(line.group(6), 16));
            String name = line.group(7) == null ? "" : line.group(7);
            DeviceType kind = DeviceType.valueOf(line.group(1).toUpperCase(Locale.ROOT));
            long guid = Guid.parse(line.group(2));
            boolean isNew = devices.putIfAbsent(guid, new Device(guid, kind, ports, model, name)) == null;
            return isNew ? "" : "the device is there twice";
        }

        private String cable(Matcher line) {
            if (cables.size() == MAX_CABLES) {
                return "more than " + MAX_CABLES + " cables";
            }
            NodePort near = new NodePort(Guid.parse(line.group(1)), Integer.parseInt(line.group(2)));
            NodePort far = new NodePort(Guid.parse(line.group(3)), Integer.parseInt(line.group(4)));
            for (NodePort end : List.of(near, far)) {
                Device device = devices.get(end.nodeGuid());
                if (device == null) {
                    return "no line before it has the device " + Guid.format(end.nodeGuid());
                }
                if (end.portNum() == 0 || end.portNum() > device.ports()) {
                    return "the device has no port " + end.portNum();
                }
                if (!usedPorts.add(end)) {
                    return "port " + end(end) + " has two cables";
                }
            }
            String width = line.group(5);
            int lanes = width.equals("?") ? 0 : Integer.parseInt(width.substring(0, width.length() - 1));
            cables.add(new Cable(near, far, lanes, line.group(6)));
            return SPEEDS.contains(line.group(6)) ? "" : "no speed is " + line.group(6);
        }

        @Override
        public ExpectedFabric value() {
            return new ExpectedFabric(List.copyOf(devices.values()), cables);
        }
    }
}
