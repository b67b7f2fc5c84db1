package io.torussm.daemon.proof;

import io.torussm.conf.ConfLines;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.tables.DatabaseLines;
import io.torussm.daemon.tables.ForwardingLines;
import io.torussm.daemon.tables.GroupLines;
import io.torussm.daemon.tables.LinkLines;
import io.torussm.daemon.tables.PathSlLines;
import io.torussm.daemon.tables.Sl2VlLines;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.proof.FabricTables;
import io.torussm.proof.FabricTablesBuilder;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/** The files that describe one fabric, by role. {@link #read} reads each file once, from its beginning to its end. */
public final class FabricFiles {
    private static final long MAX_BYTES = 16L << 30;

    private final Map<Role, Path> files = new EnumMap<>(Role.class);

    /** The role of a file, and the names that programs give to files of this role. */
    public enum Role {
        LINKS("links", "opensm-subnet.lst, subnet.lst, osm-subnet.lst, ibdiagnet2.db_csv, ibdiagnet2.lst"),
        TABLES("tables", "opensm-lfts.dump, opensm.fdbs, osm.fdbs, fdbs, ibdiagnet2.fdbs"),
        SL2VL("sl2vl", "opensm-sl2vl.dump, slvl, ibdiagnet2.slvl"),
        SLS("sls", "opensm-path-sl.dump, psl"),
        GROUPS("groups", "opensm.mcfdbs, osm.mcfdbs, mcfdbs, ibdiagnet2.mcfdbs"),
        NETWORK("network", "");

        private final String word;
        private final String names;

        Role(String word, String names) {
            this.word = word;
            this.names = names;
        }

        /** Returns the word for this role in options and certificates. */
        public String word() {
            return word;
        }

        /** Returns the default names of files of this role, in order of preference. */
        public List<String> names() {
            return names.isEmpty() ? List.of() : List.of(names.split(", ", -1));
        }
    }

    /**
     * The digest of a file.
     *
     * @param role role of the file
     * @param name name of the file without its directory
     * @param sha256 SHA-256 of its content, in hexadecimal
     */
    public record Digest(Role role, String name, String sha256) {}

    /** The tables of a fabric, and the digests of the files that they were read from. */
    public record Content(FabricTables tables, List<Digest> digests) {}

    /**
     * Collects the files of a directory that have default names.
     *
     * @param directory directory; empty if all files are named
     * @param filesByRole files that are used in place of those of the directory
     * @throws ConfigurationException if the file of links or of forwarding tables is missing
     */
    public FabricFiles(Optional<Path> directory, Map<Role, Path> filesByRole) throws ConfigurationException {
        for (Role role : Role.values()) {
            Optional<Path> defaultFile = directory.flatMap(dir -> role.names().stream()
                    .map(dir::resolve)
                    .filter(Files::isRegularFile)
                    .findFirst());
            Optional.ofNullable(filesByRole.get(role)).or(() -> defaultFile).ifPresent(file -> files.put(role, file));
        }
        for (Role role : List.of(Role.LINKS, Role.TABLES)) {
            if (!files.containsKey(role)) {
                throw new ConfigurationException(
                        List.of(directory.map(dir -> dir + " has no file of ").orElse("no file of ")
                                + role.word() + ", such as " + String.join(", ", role.names()) + "; name one with --"
                                + role.word()));
            }
        }
    }

    /** Returns the file of a role; empty if there is no such file. */
    public Optional<Path> file(Role role) {
        return Optional.ofNullable(files.get(role));
    }

    /** Checks whether there is a file of a role. */
    public boolean has(Role role) {
        return files.containsKey(role);
    }

    /**
     * Reads all files.
     *
     * @throws ConfigurationException with file and line of the fault
     */
    public Content read(Assumptions assumptions) throws ConfigurationException {
        FabricTablesBuilder fabric = new FabricTablesBuilder();
        List<Digest> digests = new ArrayList<>();
        boolean isDatabase = has(Role.LINKS) && path(Role.LINKS).toString().endsWith(".db_csv");
        digests.add(read(Role.LINKS, conf -> isDatabase ? database(conf, fabric) : links(conf, fabric)));
        if (assumptions.lmc() > 0) {
            fabric.applyLmc(assumptions.lmc());
        }
        fabric.setGroupSls(assumptions.groupSls());
        assumptions.sl().ifPresent(fabric::setHostSl);
        assumptions.switchSl().ifPresent(fabric::setSwitchSl);
        digests.add(read(
                Role.TABLES,
                conf -> new ForwardingLines(conf, (sw, lid, port, portGuid) -> {
                    if (portGuid != 0) {
                        fabric.addLid(portGuid, lid);
                    }
                    fabric.setEntry(sw, lid, port);
                })));
        if (has(Role.SL2VL)) {
            digests.add(read(
                    Role.SL2VL,
                    conf -> new Sl2VlLines(conf, (isOfSwitch, guid, in, out, vls) -> {
                        if (isOfSwitch) {
                            fabric.setRow(guid, in, out, SlToVlMappingTable.pack(vls));
                        }
                    })));
        }
        if (has(Role.SLS)) {
            fabric.listPairs();
            digests.add(read(Role.SLS, conf -> new PathSlLines(conf, fabric::setPairSl)));
        }
        if (has(Role.GROUPS)) {
            digests.add(read(Role.GROUPS, conf -> new GroupLines(conf, fabric::addGroupPorts)));
        }
        return new Content(fabric.build(), List.copyOf(digests));
    }

    /**
     * Returns the digests of all files, without parsing them.
     *
     * @throws IOException if a file cannot be read
     */
    public List<Digest> digests() throws IOException {
        List<Digest> digests = new ArrayList<>();
        for (Map.Entry<Role, Path> file : files.entrySet()) {
            MessageDigest sha256 = sha256();
            try (InputStream in = new DigestInputStream(open(file.getValue()), sha256)) {
                in.transferTo(OutputStream.nullOutputStream());
            }
            digests.add(digest(file.getKey(), file.getValue(), sha256));
        }
        return digests;
    }

    private static Digest digest(Role role, Path file, MessageDigest sha256) {
        return new Digest(
                role, String.valueOf(file.getFileName()), HexFormat.of().formatHex(sha256.digest()));
    }

    private Path path(Role role) {
        Path file = files.get(role);
        if (file == null) {
            throw new IllegalStateException("there is no file of " + role.word());
        }
        return file;
    }

    private static Consumer<String> links(ConfLines conf, FabricTablesBuilder fabric) {
        return new LinkLines(conf, (one, other) -> {
            add(one, fabric);
            add(other, fabric);
            fabric.addCable(one.nodeGuid(), one.portNum(), other.nodeGuid(), other.portNum());
        });
    }

    private static void add(LinkLines.LinkEnd end, FabricTablesBuilder fabric) {
        fabric.node(end.nodeGuid(), end.ports(), end.isSwitch(), end.name());
        fabric.setLid(end.nodeGuid(), end.isSwitch() ? 0 : end.portNum(), end.portGuid(), end.lid(), 0);
    }

    private static Consumer<String> database(ConfLines conf, FabricTablesBuilder fabric) {
        return new DatabaseLines(conf, new DatabaseLines.Sink() {
            @Override
            public void node(long guid, int ports, boolean isSwitch, String name) {
                fabric.node(guid, ports, isSwitch, name);
            }

            @Override
            public void port(long nodeGuid, int portNum, long portGuid, int lid, int lmc) {
                boolean isSwitch = fabric.isSwitch(nodeGuid);
                fabric.setLid(nodeGuid, isSwitch ? 0 : portNum, isSwitch ? 0 : portGuid, lid, isSwitch ? 0 : lmc);
            }

            @Override
            public void link(long guid, int portNum, long farGuid, int farPortNum) {
                fabric.addCable(guid, portNum, farGuid, farPortNum);
            }
        });
    }

    private Digest read(Role role, Function<ConfLines, Consumer<String>> grammar) throws ConfigurationException {
        Path file = path(role);
        ConfLines conf = new ConfLines(file.toString(), SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING);
        Consumer<String> lines = grammar.apply(conf);
        MessageDigest sha256 = sha256();
        try (InputStream in = new DigestInputStream(open(file), sha256)) {
            conf.readDump(in, "it is no line of such a file", line -> {
                try {
                    lines.accept(line.endsWith("\r") ? line.substring(0, line.length() - 1) : line);
                } catch (IllegalArgumentException e) {
                    conf.error(String.valueOf(e.getMessage()));
                }
            });
        } catch (IOException e) {
            throw new ConfigurationException(List.of("cannot read " + file + ": " + FileErrors.describe(e)));
        }
        if (!conf.isClean()) {
            throw new ConfigurationException(
                    conf.findings().stream().map(Finding::text).toList());
        }
        return digest(role, file, sha256);
    }

    private static InputStream open(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw Files.exists(file)
                    ? new IOException("it is no regular file, name a file")
                    : new NoSuchFileException(file.toString());
        } else if (Files.size(file) > MAX_BYTES) {
            throw new IOException("it has more than " + MAX_BYTES + " bytes");
        }
        return Files.newInputStream(file);
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}
