package io.torussm.daemon.dump;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.IbNetDiscoverFormat;
import io.torussm.multicast.MulticastView;
import io.torussm.routing.Plan;
import io.torussm.state.OwnDirectory;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The dump files of a view. All files are first written under temporary names, and then renamed. So a reader sees
 * complete files. They are of one sweep, unless the reader reads between two renames.
 *
 * <p>Their size grows with switches x LIDs, to gigabytes for the largest fabrics. So they are written only if
 * the operator names a directory.
 */
public final class Dumps {
    /** A writer of one file of a view. */
    private interface Writer {
        void write(PublishedView view, AsciiWriter text) throws IOException;
    }

    /** A writer of one file, with its own data. */
    private interface File {
        void write(AsciiWriter text) throws IOException;
    }

    private static final String TOPOLOGY = "fabric.topo";
    private static final String MULTICAST = "opensm.mcfdbs";

    /** A file with Q_Keys, which only its owner may read. */
    private static final String GROUPS = "opensm-sa.dump";

    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));

    private Dumps() {}

    /**
     * Writes all files, and creates the directory if necessary.
     *
     * @param groups multicast groups along the tree of the view
     * @throws IOException if a file cannot be written; all files keep their old content then
     */
    public static void write(PublishedView view, MulticastView groups, Path dir) throws IOException {
        Map<String, Writer> files = new LinkedHashMap<>();
        files.put("opensm-subnet.lst", LinkDump::subnetList);
        files.put("opensm.fdbs", ForwardingDump::fdbs);
        files.put(MULTICAST, multicast(groups));
        files.put("opensm-lfts.dump", ForwardingDump::lfts);
        files.put("opensm-sl2vl.dump", QosDump::sl2vl);
        files.put("opensm-path-sl.dump", QosDump::pathSls);
        files.put("opensm-torus.dump", TorusDump::places);
        files.put("opensm-ftree-ca-order.dump", ComputeOrderDump::hosts);
        files.put(TOPOLOGY, (of, text) -> topology(of.subnet().fabric(), text));
        files.put(GROUPS, groups(groups));
        replace(view, dir, files);
    }

    /**
     * Writes the data for a proof: links, forwarding tables, SL2VL tables, multicast tables, and the SLs of
     * all pairs of end ports, ports 0 of switches included.
     *
     * @param dir directory that does not exist yet
     * @throws IOException if a file cannot be written
     */
    public static void writeProvable(PublishedView view, MulticastView groups, Path dir) throws IOException {
        Map<String, Writer> files = new LinkedHashMap<>();
        files.put("opensm-subnet.lst", LinkDump::subnetList);
        files.put("opensm-lfts.dump", ForwardingDump::lfts);
        files.put("opensm-sl2vl.dump", QosDump::sl2vl);
        files.put("opensm-path-sl.dump", QosDump::allPathSls);
        files.put(MULTICAST, multicast(groups));
        replace(view, dir, files);
    }

    /**
     * Writes the two files that depend on the groups, which change between sweeps. Creates the directory if necessary.
     *
     * @throws IOException if a file cannot be written; both files keep their old content then
     */
    public static void writeMulticast(PublishedView view, MulticastView groups, Path dir) throws IOException {
        replace(view, dir, Map.of(MULTICAST, multicast(groups), GROUPS, groups(groups)));
    }

    /**
     * Writes the discovered topology before a subnet is up; creates the directory if necessary.
     *
     * @throws IOException if the file cannot be written; an old file stays unchanged then
     */
    public static void writeFound(Fabric found, Path dir) throws IOException {
        replace(dir, Map.of(TOPOLOGY, text -> topology(found, text)));
    }

    /**
     * Writes the SLs of all pairs of hosts; see {@link SlMap}.
     *
     * @param wanted requested SL, 0 to 15
     * @param sweep number of the plan's sweep; 0 for a planned fabric
     * @param file path of the map; an older SL map there is replaced
     * @throws IOException if the map cannot be written, or a file of another type has the name; an old file stays
     *     unchanged then
     */
    public static void writeSlMap(Plan plan, int wanted, long sweep, Path file) throws IOException {
        if (Files.exists(file) && !SlMap.isSlMap(file)) {
            throw new IOException("something else has this name");
        }
        SlMap map = new SlMap(plan, wanted);
        Path dir = file.toAbsolutePath().getParent();
        if (dir == null) {
            throw new IOException("this is the name of a directory");
        }
        replace(dir, Map.of(file.getFileName().toString(), text -> map.write(text, sweep)));
    }

    private static Writer multicast(MulticastView groups) {
        return (view, text) -> ForwardingDump.multicastFdbs(view, groups, text);
    }

    private static Writer groups(MulticastView groups) {
        return (view, text) -> GroupDump.groups(groups, text);
    }

    /** Writes the topology in the format of ibnetdiscover; ibsim and {@code --simulate} can read it. */
    private static void topology(Fabric fabric, AsciiWriter text) throws IOException {
        StringBuilder topology = new StringBuilder();
        IbNetDiscoverFormat.write(fabric, topology);
        text.put(topology.toString().replace('\t', ' '));
    }

    private static void replace(PublishedView view, Path dir, Map<String, Writer> writers) throws IOException {
        Map<String, File> files = new LinkedHashMap<>();
        writers.forEach((name, writer) -> files.put(name, text -> writer.write(view, text)));
        replace(dir, files);
    }

    private static void replace(Path dir, Map<String, File> files) throws IOException {
        OwnDirectory.create(dir);
        List<String> incomplete = new ArrayList<>();
        try {
            for (Map.Entry<String, File> file : files.entrySet()) {
                incomplete.add(file.getKey());
                try (AsciiWriter text = new AsciiWriter(open(dir, file.getKey()))) {
                    file.getValue().write(text);
                }
            }
            for (String name : files.keySet()) {
                Files.move(
                        temporaryPath(dir, name),
                        dir.resolve(name),
                        StandardCopyOption.ATOMIC_MOVE,
                        StandardCopyOption.REPLACE_EXISTING);
            }
        } catch (IOException e) {
            discard(dir, incomplete, e);
            throw e;
        }
    }

    private static OutputStream open(Path dir, String name) throws IOException {
        Path file = temporaryPath(dir, name);
        Files.deleteIfExists(file);
        return Files.newOutputStream(name.equals(GROUPS) ? Files.createFile(file, OWNER_ONLY) : Files.createFile(file));
    }

    /** Deletes incomplete files, so that they do not occupy a full disk. */
    private static void discard(Path dir, List<String> names, IOException cause) {
        for (String name : names) {
            try {
                Files.deleteIfExists(temporaryPath(dir, name));
            } catch (IOException e) {
                cause.addSuppressed(e);
            }
        }
    }

    private static Path temporaryPath(Path dir, String name) {
        return dir.resolve(name + ".tmp");
    }
}
