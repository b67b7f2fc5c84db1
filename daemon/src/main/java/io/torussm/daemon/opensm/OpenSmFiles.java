package io.torussm.daemon.opensm;

import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.migration.OpenSmConfText;
import io.torussm.mad.Guid;
import io.torussm.registration.SaContents;
import io.torussm.state.BoundedFile;
import io.torussm.state.OwnDirectory;
import io.torussm.subnet.VPortLids;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A writer of a directory from which OpenSM can continue the work of this SM: files of {@code OSM_CACHE_DIR}, and
 * {@code opensm.conf}. Only their owner may read the files. Each is replaced atomically.
 */
public final class OpenSmFiles {
    /** The name of the configuration file. */
    public static final String CONF = "opensm.conf";

    private static final List<String> STATE_FILES = List.of("guid2lid", "guid2mkey", "neighbors");
    private static final long MAX_BYTES = 64L << 20;

    private OpenSmFiles() {}

    /**
     * The data for OpenSM.
     *
     * @param active effective options, with generated keys
     * @param engine engine of the active routes; empty without active routes
     * @param registered registrations of hosts
     * @param lidOf base LID of a port, by port GUID, or LID of a virtual port; 0 if the port has no LID
     * @param vportLids LIDs of virtual ports that differ from those of their ports
     * @param stateDir directory of guid2lid, guid2mkey and neighbors; null for empty files
     * @param epochSeconds time of day, seconds since 1970
     */
    public record Legacy(
            SmOptions active,
            String engine,
            SaContents registered,
            LongToIntFunction lidOf,
            VPortLids vportLids,
            @Nullable Path stateDir,
            long epochSeconds) {}

    /**
     * The outcome of writing.
     *
     * @param files names of the written files
     * @param leftOut data that do not fit OpenSM's files, a line each
     */
    public record WriteResult(List<String> files, List<String> leftOut) {
        public WriteResult {
            files = List.copyOf(files);
            leftOut = List.copyOf(leftOut);
        }
    }

    /**
     * Writes all files.
     *
     * @param dir directory, created if necessary
     * @throws IOException if a file cannot be written; the following files are then unchanged
     */
    public static WriteResult write(Path dir, Legacy legacy) throws IOException {
        OpenSmConfText.ConvertedText conf = OpenSmConfText.of(
                legacy.active(), legacy.engine(), dir.toAbsolutePath().resolve(SaDump.NAME));
        SaDumpText registered = new SaDumpText(
                legacy.registered(), legacy.active().sweep().gidPrefix(), legacy.lidOf(), legacy.epochSeconds());
        Map<String, String> texts = new LinkedHashMap<>();
        for (String name : STATE_FILES) {
            texts.put(name, stateFileText(legacy.stateDir(), name));
        }
        texts.put(SaDump.NAME, registered.text());
        texts.put(CONF, conf.text());
        OwnDirectory.create(dir);
        for (Map.Entry<String, String> file : texts.entrySet()) {
            replace(dir, file.getKey(), file.getValue().getBytes(StandardCharsets.ISO_8859_1));
        }
        List<String> leftOut = new ArrayList<>(registered.leftOut());
        leftOut.addAll(conf.leftOut());
        List<Long> vports = legacy.vportLids().guids();
        if (!vports.isEmpty()) {
            long first = vports.get(0);
            leftOut.add("LIDs of " + vports.size() + " virtual ports, such as "
                    + Objects.requireNonNull(legacy.vportLids().of(first)).lid()
                    + " of " + Guid.format(first) + ": no public page states OpenSM's file for them; the virtual ports"
                    + " report them");
        }
        return new WriteResult(List.copyOf(texts.keySet()), leftOut);
    }

    /**
     * Returns the text of a state file without comments. Of lines with the same key only the first remains, because
     * OpenSM reports an error for a duplicate key, and uses the first.
     */
    private static String stateFileText(@Nullable Path stateDir, String name) throws IOException {
        if (stateDir == null) {
            return "";
        }
        Set<String> keys = new HashSet<>();
        try {
            return BoundedFile.text(stateDir.resolve(name), MAX_BYTES)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .filter(line -> keys.add(line.split(" ", 2)[0]))
                    .map(line -> line + "\n\n")
                    .collect(Collectors.joining());
        } catch (NoSuchFileException e) {
            return "";
        }
    }

    private static void replace(Path dir, String name, byte[] content) throws IOException {
        Path temporary = dir.resolve(name + ".tmp");
        Files.deleteIfExists(temporary);
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(
                temporary,
                options,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))) {
            ByteBuffer rest = ByteBuffer.wrap(content);
            while (rest.hasRemaining()) {
                channel.write(rest);
            }
            channel.force(true);
        } catch (IOException e) {
            Files.deleteIfExists(temporary); // on a full disk it would occupy the remaining space
            throw e;
        }
        Files.move(temporary, dir.resolve(name), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
