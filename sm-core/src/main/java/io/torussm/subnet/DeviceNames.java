package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The known devices and their descriptions, in a file of the state directory: one line
 * {@code 0x<port GUID> 0x<node GUID> <description>} for each end port. The file {@code names} has channel adapters and
 * routers, the file {@code switches} has switches. So the SM has the type and the name of a device that is absent at
 * its start.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class DeviceNames {
    /** The file of channel adapters and routers. */
    public static final StateFile HOSTS =
            StateFile.of("names", 1, 16L << 20, "hosts that are absent at the start have no names");

    /** The file of switches, whose names may be empty. */
    public static final StateFile SWITCHES =
            StateFile.of("switches", 1, 16L << 20, "switches that are absent at the start are not reported as lost");

    /**
     * The number of names above which the names of absent devices are dropped: twice the ports of the largest subnet.
     */
    private static final int MAX_NAMES = 2 * 0xbfff;

    /** Number of octets of a NodeDescription, and so max number of characters. */
    private static final int MAX_LENGTH = 64;

    private final StateDirectory directory;
    private final StateFile file;

    /** Devices by port GUID. */
    private Map<Long, Name> names;

    /** The node of a port, and its description without control characters. */
    public record Name(long nodeGuid, String description) {}

    /** Reads one of the two files, and receives later versions of another SM. */
    DeviceNames(StateDirectory directory, StateFile file) {
        this.directory = directory;
        this.file = file;
        this.names = directory.read(file, new NameLines()).orElse(Map.of());
        directory.register(file, NameLines::new, new NameSuccessor());
    }

    private boolean areSwitches() {
        return file.equals(SWITCHES);
    }

    /** A receiver of the names of another SM. */
    private final class NameSuccessor implements StateSuccessor<Map<Long, Name>> {
        @Override
        public void replace(Map<Long, Name> adopted) {
            names = adopted;
        }

        /** Adds devices that this SM does not have. */
        @Override
        public void complete(Map<Long, Name> adopted) {
            Map<Long, Name> both = new TreeMap<>(Long::compareUnsigned);
            both.putAll(adopted);
            both.putAll(names);
            replaceNames(both);
        }
    }

    /** Stores the devices of a fabric in addition to absent devices; writes the file soon after a change. */
    public void remember(Fabric fabric) {
        Map<Long, Name> news = new HashMap<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int node = fabric.nodeOf(port);
            if (fabric.isSwitch(node) == areSwitches() && fabric.isEndport(port)) {
                Name known = names.get(fabric.portGuid(port));
                String text = fabric.node(node).description();
                if (known == null
                        || known.nodeGuid() != fabric.nodeGuid(node)
                        || !known.description().equals(text)) {
                    news.put(fabric.portGuid(port), new Name(fabric.nodeGuid(node), printable(text)));
                }
            }
        }
        news.entrySet()
                .removeIf(each -> each.getValue().description().isEmpty()
                        && (!areSwitches() || names.containsKey(each.getKey())));
        if (!names.entrySet().containsAll(news.entrySet())) {
            Map<Long, Name> next = new TreeMap<>(Long::compareUnsigned);
            next.putAll(names.size() > MAX_NAMES ? Map.of() : names);
            next.putAll(news);
            replaceNames(next);
        }
    }

    private void replaceNames(Map<Long, Name> next) {
        names = next;
        directory.write(file, () -> next.entrySet().stream()
                .map(entry -> Guid.format(entry.getKey()) + " "
                        + Guid.format(entry.getValue().nodeGuid()) + " "
                        + entry.getValue().description()));
    }

    private static String printable(String description) {
        return description.replaceAll("\\p{Cntrl}", " ").strip();
    }

    /** Returns the device of an end port; null if the port was never discovered. */
    public @Nullable Name name(long portGuid) {
        return names.get(portGuid);
    }

    /** The reader of the file. */
    private final class NameLines implements StateFile.Parser<Map<Long, Name>> {
        private final Map<Long, Name> names = new HashMap<>();

        @Override
        public String parseLine(String line) {
            String[] words = line.split(" ", 3);
            boolean isNameless = words.length == 2 || (words.length > 2 && words[2].isBlank());
            if (words.length < 2
                    || (isNameless && !areSwitches())
                    || (words.length > 2 && words[2].length() > MAX_LENGTH)) {
                return "expected a port GUID, a node GUID and a description";
            }
            try {
                Name name = new Name(Guid.parse(words[1]), isNameless ? "" : words[2]);
                return names.put(Guid.parse(words[0]), name) == null ? "" : "the GUID appears twice";
            } catch (NumberFormatException e) {
                return "not a GUID: " + e.getMessage();
            }
        }

        @Override
        public Map<Long, Name> value() {
            return names;
        }
    }
}
