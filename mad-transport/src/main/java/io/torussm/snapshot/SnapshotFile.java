package io.torussm.snapshot;

import io.torussm.mad.smp.NodeInfo;
import io.torussm.snapshot.FabricSnapshot.Cable;
import io.torussm.snapshot.FabricSnapshot.Manager;
import io.torussm.snapshot.FabricSnapshot.PortRef;
import io.torussm.transport.InputFile;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot in a file: lines of text, compressed with gzip. It contains the responses of devices, with M_Keys, so the
 * writer must make it readable by its owner only.
 *
 * <pre>
 * taken TIME                               time of the snapshot (ISO 8601)
 * from NODEGUID PORT                       port from which it was taken
 * node NODEINFO                            a device; the next lines r and x belong to it
 * r ATTRIBUTE MODIFIER PORT VALUE          a register
 * x ATTRIBUTE MODIFIER PORT STATUS         a request that was rejected or not answered
 * cable NODEGUID PORT NODEGUID PORT        a cable
 * sm PORTGUID LID PRIORITY STATE ACTCOUNT  a subnet manager
 * note TEXT                                a note
 * </pre>
 *
 * <p>The number and the length of lines are bounded. A file with an invalid line, or without its last line, is rejected
 * as a whole.
 */
public final class SnapshotFile {
    private static final String FIRST_LINE = "# torus-sm snapshot version 1";
    private static final String LAST_LINE = "# end";
    private static final int MAX_LINE = 4_096;
    private static final int MAX_LINES = 1 << 25;
    private static final HexFormat HEX = HexFormat.of();

    private final String name;
    private final Map<Long, DeviceRegisters.Builder> devices = new HashMap<>();
    private final List<Cable> cables = new ArrayList<>();
    private final List<Manager> managers = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private Instant takenAt = Instant.EPOCH;
    private @Nullable PortRef local;

    /** The device of the last line {@code node}, to which registers belong. */
    private DeviceRegisters.@Nullable Builder current;

    private SnapshotFile(String name) {
        this.name = name;
    }

    /** Checks whether a file begins like a snapshot. Returns false if the file cannot be read. */
    public static boolean isSnapshot(Path file) {
        try (InputStream in = InputFile.unzipped(InputFile.open(file), file.toString())) {
            byte[] first = FIRST_LINE.getBytes(StandardCharsets.UTF_8);
            return Arrays.equals(in.readNBytes(first.length), first);
        } catch (IOException e) {
            return false;
        }
    }

    /**
     * Reads the snapshot in a file.
     *
     * @throws IOException if the file is no snapshot, or cannot be read; the message names file and reason
     */
    public static FabricSnapshot read(Path file) throws IOException {
        try (InputStream in = InputFile.open(file)) {
            return read(in, file.toString());
        }
    }

    /** Writes a snapshot. The stream stays open. */
    public static void write(FabricSnapshot snapshot, OutputStream out) throws IOException {
        GZIPOutputStream zipped = new GZIPOutputStream(out, 1 << 16);
        Writer writer = new BufferedWriter(new OutputStreamWriter(zipped, StandardCharsets.UTF_8));
        line(writer, FIRST_LINE);
        line(writer, "taken " + snapshot.takenAt());
        line(writer, "from " + port(snapshot.local()));
        for (DeviceRegisters device : snapshot.devices().values()) {
            line(writer, "node " + hex(device.nodeInfo().toBytes()));
            List<String> lines = new ArrayList<>();
            device.forEach((id, value) -> lines.add("r " + id(id) + " " + hex(value)));
            device.failures().forEach((id, status) -> lines.add("x " + id(id) + " " + status));
            for (String registerLine : lines) {
                line(writer, registerLine);
            }
        }
        for (Cable cable : snapshot.cables()) {
            line(writer, "cable " + port(cable.a()) + " " + port(cable.b()));
        }
        for (Manager sm : snapshot.managers()) {
            line(
                    writer,
                    String.format(
                            "sm %x %d %d %d %d", sm.portGuid(), sm.lid(), sm.priority(), sm.state(), sm.actCount()));
        }
        for (String note : snapshot.notes()) {
            String oneLine = note.replaceAll("[\\p{Cc}\\p{Zl}\\p{Zp}]", " ");
            line(writer, "note " + oneLine.substring(0, Math.min(oneLine.length(), MAX_LINE / 4)));
        }
        line(writer, LAST_LINE);
        writer.flush();
        zipped.finish();
    }

    private static void line(Writer writer, String text) throws IOException {
        writer.write(text);
        writer.write('\n');
    }

    private static String port(PortRef port) {
        return Long.toHexString(port.nodeGuid()) + " " + port.portNum();
    }

    /** Returns attribute ID and modifier in hexadecimal, and the port. */
    private static String id(RegisterId id) {
        return Integer.toHexString(id.attributeId()) + " " + Integer.toHexString(id.modifier()) + " " + id.port();
    }

    /**
     * Returns a register in hexadecimal without the zeros at its end, which most registers have; "-" if all are zero.
     */
    private static String hex(byte[] value) {
        int length = value.length;
        while (length > 0 && value[length - 1] == 0) {
            length--;
        }
        return length == 0 ? "-" : HEX.formatHex(value, 0, length);
    }

    /**
     * Reads a snapshot.
     *
     * @param name name of the file, for messages
     * @throws IOException if the stream is no snapshot; the message names file, line and reason
     */
    public static FabricSnapshot read(InputStream in, String name) throws IOException {
        SnapshotFile file = new SnapshotFile(name);
        BufferedReader reader =
                new BufferedReader(new InputStreamReader(InputFile.unzipped(in, name), StandardCharsets.UTF_8));
        if (!FIRST_LINE.equals(file.nextLine(reader))) {
            throw new IOException(name + " is no snapshot of this version; it would begin with \"" + FIRST_LINE + "\"");
        }
        for (int number = 2; number < MAX_LINES; number++) {
            String line = file.nextLine(reader);
            if (line == null) {
                throw new IOException(name + " ends at line " + number + ", before its last line; it was cut off");
            } else if (line.equals(LAST_LINE)) {
                return file.snapshot();
            }
            try {
                file.parseLine(line.split(" ", -1), line);
            } catch (IllegalArgumentException | DateTimeException | IndexOutOfBoundsException e) {
                throw new IOException(name + " line " + number + " cannot be used: " + e.getMessage(), e);
            }
        }
        throw new IOException(name + " has more lines than any fabric needs");
    }

    /** Returns the next line; null at the end of the file, even within the compressed data. */
    private @Nullable String nextLine(BufferedReader reader) throws IOException {
        StringBuilder line = new StringBuilder();
        try {
            int c = reader.read();
            if (c < 0) {
                return null;
            }
            while (c >= 0 && c != '\n') {
                if (line.length() == MAX_LINE) {
                    throw new IOException(
                            name + ": a line of more than " + MAX_LINE + " characters; this is no snapshot");
                }
                line.append((char) c);
                c = reader.read();
            }
        } catch (EOFException e) { // the end of the gzip stream is missing
            return null;
        }
        return line.toString();
    }

    private void parseLine(String[] words, String line) {
        switch (words[0]) {
            case "taken" -> takenAt = Instant.parse(words[1]);
            case "from" -> local = port(words, 1);
            case "node" -> node(NodeInfo.TYPE.read(value(words[1]), 0));
            case "r" -> device().put(id(words), value(words[4]));
            case "x" ->
                device().putFailure(
                                id(words),
                                requireInRange(Integer.parseInt(words[4]), DeviceRegisters.NO_ANSWER, 0x7fff));
            case "cable" -> cables.add(Cable.between(port(words, 1), port(words, 3)));
            case "sm" ->
                managers.add(new Manager(
                        Long.parseUnsignedLong(words[1], 16),
                        Integer.parseInt(words[2]),
                        Integer.parseInt(words[3]),
                        Integer.parseInt(words[4]),
                        Long.parseLong(words[5])));
            case "note" -> notes.add(line.substring("note ".length()));
            default -> throw new IllegalArgumentException("there is no such line");
        }
    }

    private void node(NodeInfo info) {
        if (info.nodeGuid() == 0 || info.numPorts() < 1 || info.numPorts() > NodeInfo.MAX_PORT_NUM) {
            throw new IllegalArgumentException("a device without GUID or ports");
        }
        DeviceRegisters.Builder builder = new DeviceRegisters.Builder(info);
        if (devices.putIfAbsent(info.nodeGuid(), builder) != null) {
            throw new IllegalArgumentException("a second device with the GUID of another");
        }
        current = builder;
    }

    private DeviceRegisters.Builder device() {
        if (current == null) {
            throw new IllegalArgumentException("a register before its device");
        }
        return current;
    }

    private static RegisterId id(String[] words) {
        return new RegisterId(
                requireInRange(Integer.parseInt(words[1], 16), 0, 0xffff),
                Integer.parseUnsignedInt(words[2], 16),
                requireInRange(Integer.parseInt(words[3]), 0, NodeInfo.MAX_PORT_NUM));
    }

    private static int requireInRange(int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(value + " is not in " + min + " to " + max);
        }
        return value;
    }

    private static byte[] value(String word) {
        byte[] bytes = word.equals("-") ? new byte[0] : HEX.parseHex(word);
        if (bytes.length > DeviceRegisters.REGISTER_BYTES) {
            throw new IllegalArgumentException("more than " + DeviceRegisters.REGISTER_BYTES + " bytes");
        }
        return Arrays.copyOf(bytes, DeviceRegisters.REGISTER_BYTES);
    }

    /**
     * Returns the port in two words: NodeGUID in hexadecimal and port number.
     *
     * @param index index of the first word
     */
    private static PortRef port(String[] words, int index) {
        return new PortRef(Long.parseUnsignedLong(words[index], 16), Integer.parseInt(words[index + 1]));
    }

    private boolean isPort(PortRef port) {
        DeviceRegisters.Builder device = devices.get(port.nodeGuid());
        return device != null && port.portNum() >= 1 && port.portNum() <= device.numPorts();
    }

    /** Returns the snapshot after the last line. Checks that its ports exist. */
    private FabricSnapshot snapshot() throws IOException {
        PortRef localPort = local;
        DeviceRegisters.Builder own = localPort == null ? null : devices.get(localPort.nodeGuid());
        if (localPort == null || own == null || localPort.portNum() < 0 || localPort.portNum() > own.numPorts()) {
            throw new IOException(name + " does not say which port it was taken from");
        }
        for (Cable cable : cables) {
            if (!isPort(cable.a()) || !isPort(cable.b())) {
                throw new IOException(name + " has a cable at a port that it does not have");
            }
        }
        return new FabricSnapshot(
                takenAt,
                localPort,
                devices.values().stream().map(DeviceRegisters.Builder::build).toList(),
                cables,
                managers,
                notes);
    }
}
