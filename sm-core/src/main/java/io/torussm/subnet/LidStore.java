package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.Lids;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The LIDs of ports seen so far, in the file {@code guid2lid} of the state directory: one line
 * {@code 0x<port GUID> 0x<first LID> 0x<last LID>} each, the format that OpenSM keeps too.
 *
 * <p>Written aside, synced and renamed. A file with any line that cannot be true is set aside as {@code guid2lid.bad} and
 * never trusted; the fabric itself still tells the LIDs of every port that is up.
 */
public final class LidStore {
    private static final Logger LOG = LoggerFactory.getLogger(LidStore.class);
    private static final long MAX_FILE_BYTES = 16L << 20;

    private final Path file;
    private final Map<Long, Integer> lids = new HashMap<>();
    private String written = "";

    private LidStore(Path file) {
        this.file = file;
    }

    /**
     * Opens the store of a state directory, which is made if it is not there.
     *
     * @throws IOException if the directory cannot be made or the file not be read
     */
    public static LidStore open(Path stateDir) throws IOException {
        Files.createDirectories(stateDir);
        LidStore store = new LidStore(stateDir.resolve("guid2lid"));
        store.load();
        return store;
    }

    /** Base LID by port GUID. */
    public Map<Long, Integer> lids() {
        return Map.copyOf(lids);
    }

    /**
     * Remembers the LIDs of a subnet beside those of ports that are absent now, and writes the file if that changed it.
     *
     * @throws IOException if the file cannot be replaced; the old one is then still whole
     */
    public void remember(Subnet subnet) throws IOException {
        Fabric fabric = subnet.fabric();
        Map<Long, Integer> now = new HashMap<>();
        Map<Long, Integer> last = new TreeMap<>(Long::compareUnsigned);
        Set<Integer> inUse = new HashSet<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            int base = subnet.lid(port);
            if (base != 0) {
                int end = base + (1 << subnet.lmc(port)) - 1;
                now.put(fabric.portGuid(port), base);
                last.put(fabric.portGuid(port), end);
                for (int lid = base; lid <= end; lid++) {
                    inUse.add(lid);
                }
            }
        }
        lids.values().removeIf(inUse::contains);
        lids.forEach(last::putIfAbsent);
        lids.putAll(now);
        StringBuilder text = new StringBuilder();
        last.forEach((guid, end) ->
                text.append(String.format("%s 0x%04x 0x%04x%n", Guid.format(guid), lids.get(guid), end)));
        replace(text.toString());
    }

    private void replace(String text) throws IOException {
        if (text.equals(written)) {
            return;
        }
        Path aside = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(aside, text);
        try (FileChannel channel = FileChannel.open(aside, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        written = text;
    }

    private void load() throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        String problem = Files.size(file) > MAX_FILE_BYTES ? "it is larger than any fabric needs" : parse();
        if (!problem.isEmpty()) {
            lids.clear();
            Path bad = file.resolveSibling(file.getFileName() + ".bad");
            Files.move(file, bad, StandardCopyOption.REPLACE_EXISTING);
            LOG.error("{} is damaged and set aside as {}: {}; LIDs are taken from the fabric", file, bad, problem);
        }
    }

    private String parse() throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.ISO_8859_1);
        Set<Integer> seen = new HashSet<>();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i).strip();
            if (line.isEmpty()) {
                continue;
            }
            String problem = parseLine(line, seen);
            if (!problem.isEmpty()) {
                return "line " + (i + 1) + " \"" + line + "\": " + problem;
            }
        }
        return "";
    }

    private String parseLine(String line, Set<Integer> seen) {
        String[] words = line.split("\\s+", -1);
        if (words.length != 3) {
            return "expected a port GUID, its first and its last LID";
        }
        long guid;
        int first;
        int last;
        try {
            guid = Guid.parse(words[0]);
            first = Integer.decode(words[1]);
            last = Integer.decode(words[2]);
        } catch (NumberFormatException e) {
            return "not a number: " + e.getMessage();
        }
        int size = last - first + 1;
        if (guid == 0 || !Lids.isUnicast(first) || !Lids.isUnicast(last)) {
            return "GUID or LID out of range";
        }
        if (size < 1 || size > 128 || Integer.bitCount(size) != 1 || first % size != 0) {
            return "not an aligned range of 1 to 128 LIDs";
        }
        for (int lid = first; lid <= last; lid++) {
            if (!seen.add(lid)) {
                return "LID " + lid + " appears twice";
            }
        }
        return lids.putIfAbsent(guid, first) == null ? "" : "the GUID appears twice";
    }
}
