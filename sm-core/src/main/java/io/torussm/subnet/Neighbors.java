package io.torussm.subnet;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The last known far end of each cable, in the file {@code neighbors} of the state directory: one line {@code 0x<port
 * GUID>:<port> 0x<port GUID>:<port>} for each end, as in OpenSM. All ports of a switch have the GUID of its port 0.
 *
 * <p>{@link MKeyStore} uses it to predict the device at the far end of a port, and so its M_Key, before the first
 * response of the device.
 *
 * <p>Owner thread: the loop of the SM.
 */
public final class Neighbors {
    /** The file of the state directory. */
    public static final StateFile FILE = StateFile.of(
                    "neighbors", 1, 128L << 20, "devices that hide behind an M_Key of their own are not found")
            .sharedWithOpenSm();

    private static final EventLog EVENTS = EventLog.of(Neighbors.class);

    /**
     * The number of port GUIDs above which absent ports are dropped: twice the ports of the largest subnet.
     */
    private static final int MAX_GUIDS = 2 * 0xbfff;

    private final StateDirectory directory;

    /**
     * By port GUID: [port number] far end of the cable; null without a known cable. Arrays are replaced, never written.
     */
    private Map<Long, @Nullable CableEnd[]> ends;

    /** True if the file was written in this run. */
    private boolean isWritten;

    /**
     * One end of a cable.
     *
     * @param portGuid GUID of the port; the GUID of port 0 for a port of a switch
     * @param portNum 1 to 254
     */
    public record CableEnd(long portGuid, int portNum) {
        /**
         * Compares the components in plain code, as {@link #hashCode} does, because the code that the JVM generates for
         * a record at its first use costs milliseconds at start-up.
         */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof CableEnd end && end.portGuid == portGuid && end.portNum == portNum;
        }

        @Override
        public int hashCode() {
            return 31 * Long.hashCode(portGuid) + portNum;
        }

        @Override
        public String toString() {
            return Guid.format(portGuid) + ":" + portNum;
        }
    }

    /** Reads the neighbours of a state directory. */
    public Neighbors(StateDirectory directory) {
        this.directory = directory;
        this.ends = directory.read(FILE, new CableLines()).orElse(Map.of());
        directory.register(FILE, CableLines::new, new CableSuccessor());
    }

    /** A receiver of the cables of another SM. */
    private final class CableSuccessor implements StateSuccessor<Map<Long, @Nullable CableEnd[]>> {
        @Override
        public void replace(Map<Long, @Nullable CableEnd[]> adopted) {
            ends = adopted;
        }

        /** Adds cables between ports whose cables this SM does not have. */
        @Override
        public void complete(Map<Long, @Nullable CableEnd[]> adopted) {
            Map<Long, @Nullable CableEnd[]> next = new HashMap<>(ends);
            forEachCableEnd(adopted, (near, far) -> {
                if (at(ends, near.portGuid(), near.portNum()) == null
                        && at(ends, far.portGuid(), far.portNum()) == null) {
                    put(next, near, far);
                }
            });
            replaceCables(next);
        }
    }

    /** Returns the far end of the last known cable of a port; null if unknown. */
    public @Nullable CableEnd far(long portGuid, int portNum) {
        return at(ends, portGuid, portNum);
    }

    /** Checks whether a port with this GUID was ever discovered with a cable. */
    public boolean knows(long portGuid) {
        return ends.containsKey(portGuid);
    }

    /** Returns every cable once, as a pair of ends: first the end with the lower port GUID, then port number. */
    public List<Map.Entry<CableEnd, CableEnd>> cables() {
        List<Map.Entry<CableEnd, CableEnd>> cables = new ArrayList<>();
        forEachCableEnd(ends, (near, far) -> {
            int order = Long.compareUnsigned(near.portGuid(), far.portGuid());
            if (order < 0 || (order == 0 && near.portNum() <= far.portNum())) {
                cables.add(Map.entry(near, far));
            }
        });
        return cables;
    }

    /** Stores the cables of a fabric in addition to those of absent ports; writes the file soon after a change. */
    public void remember(Fabric fabric) {
        Map<Long, @Nullable CableEnd[]> next = ends.size() > MAX_GUIDS ? new HashMap<>() : new HashMap<>(ends);
        boolean isNews = !isWritten || next.size() != ends.size();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.peer(port) != Fabric.NONE) {
                isNews |= link(next, end(fabric, port), end(fabric, fabric.peer(port)));
            }
        }
        if (isNews) {
            replaceCables(next);
        }
    }

    private void replaceCables(Map<Long, @Nullable CableEnd[]> next) {
        ends = next;
        isWritten = true;
        directory.write(FILE, () -> lines(next));
    }

    private static CableEnd end(Fabric fabric, int port) {
        int node = fabric.nodeOf(port);
        long guid = fabric.portGuid(fabric.isSwitch(node) ? fabric.port(node, 0) : port);
        return new CableEnd(guid, fabric.portNum(port));
    }

    /** Adds a cable, and removes previous cables of both ends. Returns true if this is a change. */
    private static boolean link(Map<Long, @Nullable CableEnd[]> ends, CableEnd near, CableEnd far) {
        if (far.equals(at(ends, near.portGuid(), near.portNum()))) {
            return false;
        }
        unlink(ends, near);
        unlink(ends, far);
        put(ends, near, far);
        put(ends, far, near);
        return true;
    }

    private static void unlink(Map<Long, @Nullable CableEnd[]> ends, CableEnd near) {
        CableEnd far = at(ends, near.portGuid(), near.portNum());
        if (far != null) {
            put(ends, near, null);
            put(ends, far, null);
        }
    }

    private static @Nullable CableEnd at(Map<Long, @Nullable CableEnd[]> ends, long portGuid, int portNum) {
        @Nullable CableEnd[] farEnds = ends.get(portGuid);
        return farEnds == null || portNum >= farEnds.length ? null : farEnds[portNum];
    }

    private static void put(Map<Long, @Nullable CableEnd[]> ends, CableEnd near, @Nullable CableEnd far) {
        @Nullable CableEnd[] old = ends.get(near.portGuid());
        int ports = Math.max(old == null ? 0 : old.length, near.portNum() + 1);
        @Nullable CableEnd[] changed = old == null ? new CableEnd[ports] : Arrays.copyOf(old, ports);
        changed[near.portNum()] = far;
        ends.put(near.portGuid(), changed);
    }

    /** Enumerates the near and far end of each cable, at both ends, ascending by GUID and port number. */
    private static void forEachCableEnd(Map<Long, @Nullable CableEnd[]> ends, BiConsumer<CableEnd, CableEnd> then) {
        Map<Long, @Nullable CableEnd[]> sorted = new TreeMap<>(Long::compareUnsigned);
        sorted.putAll(ends);
        sorted.forEach((guid, far) -> {
            for (int portNum = 0; portNum < far.length; portNum++) {
                CableEnd end = far[portNum];
                if (end != null) {
                    then.accept(new CableEnd(guid, portNum), end);
                }
            }
        });
    }

    private static Stream<String> lines(Map<Long, @Nullable CableEnd[]> ends) {
        Stream.Builder<String> lines = Stream.builder();
        forEachCableEnd(ends, (near, far) -> lines.add(near + " " + far));
        return lines.build();
    }

    /** The reader of the file. */
    private static final class CableLines implements StateFile.Parser<Map<Long, @Nullable CableEnd[]>> {
        private final Map<Long, @Nullable CableEnd[]> ends = new HashMap<>();

        @Override
        public String parseLine(String line) {
            String[] words = line.split("\\s+", -1);
            if (words.length != 2) {
                return "expected the two ends of a cable";
            }
            try {
                CableEnd near = end(words[0]);
                CableEnd far = end(words[1]);
                if (at(ends, near.portGuid(), near.portNum()) != null) {
                    return "the port appears twice";
                }
                put(ends, near, far);
                return "";
            } catch (NumberFormatException e) {
                return "not an end of a cable: " + e.getMessage();
            }
        }

        private static CableEnd end(String word) {
            int colon = word.indexOf(':');
            if (colon < 0) {
                throw new NumberFormatException("no port number");
            }
            CableEnd end =
                    new CableEnd(Guid.parse(word.substring(0, colon)), Integer.parseInt(word.substring(colon + 1)));
            if (end.portGuid() == 0 || end.portNum() < 1 || end.portNum() > NodeInfo.MAX_PORT_NUM) {
                throw new NumberFormatException("GUID or port number out of range");
            }
            return end;
        }

        /** Returns the cables. An end whose far end names another cable is removed and reported. */
        @Override
        public Map<Long, @Nullable CableEnd[]> value() {
            List<CableEnd> contradicted = new ArrayList<>();
            forEachCableEnd(ends, (near, far) -> {
                if (!near.equals(at(ends, far.portGuid(), far.portNum()))) {
                    contradicted.add(near);
                }
            });
            contradicted.forEach(near -> put(ends, near, null));
            if (!contradicted.isEmpty()) {
                EVENTS.report(
                        SmEvent.CABLES_FORGOTTEN,
                        EventField.COUNT.of(contradicted.size()),
                        EventField.FILE.of(FILE.name()),
                        EventField.NAME.of(DeviceText.ofDevice(
                                contradicted.get(0).toString(),
                                EventField.GUID.of(contradicted.get(0).portGuid()),
                                EventField.PORT.of(contradicted.get(0).portNum()))));
            }
            return ends;
        }
    }
}
