package io.torussm.state;

import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.Iterator;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import org.jspecify.annotations.Nullable;

/**
 * The definition of a state file, with its reader and writer. Immutable.
 *
 * @param name name of the file in the state directory, which is unique
 * @param version version of the records; a file of another version is not read
 * @param maxBytes size above which a file is not read
 * @param isSharedWithOpenSm whether OpenSM has a file of this name with the same lines, each followed by an empty line.
 *     The file of OpenSM is read, too, although it has neither the first nor the last line of this format
 * @param isSecret whether only the owner may read the file, and no log may show any of it
 * @param consequence consequence of an unusable file, for the log
 */
public record StateFile(
        String name, int version, long maxBytes, boolean isSharedWithOpenSm, boolean isSecret, String consequence) {
    private static final Pattern FIRST_LINE = Pattern.compile("# torus-sm ([a-z0-9-]{1,40}) version ([0-9]{1,9})");
    private static final Pattern LAST_LINE = Pattern.compile("# end crc32c 0x([0-9a-f]{8})");
    private static final FileAttribute<Set<PosixFilePermission>> OWNER_ONLY =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> READABLE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r--r--"));

    /** Max number of characters of a faulty line in the log. */
    private static final int MAX_SHOWN_CHARS = 60;

    /** Returns the definition of a file that all users may read and OpenSM does not have. */
    public static StateFile of(String name, int version, long maxBytes, String instead) {
        return new StateFile(name, version, maxBytes, false, false, instead);
    }

    /** Returns a definition of this file with secret content: only the owner may read it, and no log shows it. */
    public StateFile secret() {
        return new StateFile(name, version, maxBytes, isSharedWithOpenSm, true, consequence);
    }

    /** Returns a definition of this file as one that OpenSM has, too, with the same lines. */
    public StateFile sharedWithOpenSm() {
        return new StateFile(name, version, maxBytes, true, isSecret, consequence);
    }

    /**
     * Compares names, in plain code, because the code that the JVM generates for a record costs as much time as the
     * reading of all other state files.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StateFile file && file.name.equals(name);
    }

    @Override
    public int hashCode() {
        return name.hashCode();
    }

    /** A consumer of the records of a file, one line each, in order. */
    public interface Parser<T> {
        /**
         * Receives a line without surrounding blanks, which is never empty.
         *
         * @return the fault of the line; empty if the line is valid
         */
        String parseLine(String line);

        /** Returns the value of all lines; called only if all lines were valid. */
        T value();
    }

    /** The failure of an unusable file, with the reason. */
    public static final class DamagedFileException extends Exception {
        private static final long serialVersionUID = 1;

        DamagedFileException(String message) {
            super(message);
        }
    }

    Path path(Path dir) {
        return dir.resolve(name);
    }

    /** Returns the path for a damaged file. */
    Path damagedPath(Path dir) {
        return dir.resolve(name + ".bad");
    }

    boolean exists(Path dir) {
        return Files.exists(path(dir), LinkOption.NOFOLLOW_LINKS);
    }

    /** Reads the file of a directory. */
    <T> T read(Path dir, Parser<T> parser) throws DamagedFileException {
        return parse(bytes(path(dir)), parser);
    }

    /**
     * Parses the content of a file, or of its copy from another SM.
     *
     * @throws DamagedFileException if the content is too large, faulty or of another version
     */
    public <T> T parse(byte[] bytes, Parser<T> parser) throws DamagedFileException {
        if (bytes.length > maxBytes) {
            throw tooLarge();
        }
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.isEmpty()) {
            throw new DamagedFileException("it is empty");
        }
        if (!text.endsWith("\n")) {
            throw new DamagedFileException("it ends in the middle of a line");
        }
        int start = 0;
        int end = text.length();
        boolean isOurs = text.startsWith("#");
        if (isOurs) {
            start = text.indexOf('\n') + 1;
            checkFirst(text.substring(0, start - 1));
            end = text.lastIndexOf('\n', end - 2) + 1;
            checkLast(text.substring(end, text.length() - 1), bytes);
        } else if (!isSharedWithOpenSm) {
            throw new DamagedFileException("its first line is not one of ours");
        }
        parseRecords(text.substring(start, Math.max(start, end)), isOurs ? 1 : 0, parser);
        return parser.value();
    }

    private byte[] bytes(Path file) throws DamagedFileException {
        try {
            if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                throw new DamagedFileException("it is no file");
            }
            return BoundedFile.bytes(file, maxBytes);
        } catch (BoundedFile.TooLong e) {
            throw tooLarge();
        } catch (IOException e) {
            throw new DamagedFileException("it cannot be read (" + e + ")");
        }
    }

    private DamagedFileException tooLarge() {
        return new DamagedFileException("it is larger than any fabric needs, " + maxBytes + " bytes");
    }

    /** Returns the records of a file in this format, or in the format of OpenSM. */
    static Stream<String> records(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    /** Returns the current content of the file in a directory, in the format of {@link #write}. */
    byte[] content(Path dir) throws DamagedFileException {
        return content(records(bytes(path(dir))));
    }

    /** Returns the content of a file with some records, in the format of {@link #write}. */
    public byte[] content(Stream<String> records) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writeAll(records, out);
        } catch (IOException e) {
            throw new UncheckedIOException("memory has no input or output that may fail", e);
        }
        return out.toByteArray();
    }

    private void checkFirst(String line) throws DamagedFileException {
        Matcher first = FIRST_LINE.matcher(line);
        if (!first.matches()) {
            throw new DamagedFileException("its first line is not one of ours");
        }
        if (!first.group(1).equals(name)) {
            throw new DamagedFileException("it is a file " + first.group(1));
        }
        if (Integer.parseInt(first.group(2)) != version) {
            throw new DamagedFileException(
                    "it has version " + first.group(2) + ", this program reads version " + version);
        }
    }

    private static void checkLast(String line, byte[] bytes) throws DamagedFileException {
        Matcher last = LAST_LINE.matcher(line);
        if (!last.matches()) {
            throw new DamagedFileException("its end is missing");
        }
        Checksum checksum = new CRC32C();
        checksum.update(bytes, 0, bytes.length - line.length() - 1);
        if (checksum.getValue() != Long.parseLong(last.group(1), 16)) {
            throw new DamagedFileException(
                    "its checksum does not match; after a change by hand remove the first and the last line");
        }
    }

    private <T> void parseRecords(String records, int linesBefore, Parser<T> parser) throws DamagedFileException {
        int number = linesBefore;
        for (int start = 0; start < records.length(); ) {
            int end = records.indexOf('\n', start);
            String line = records.substring(start, end).strip();
            number++;
            start = end + 1;
            String problem = line.isEmpty() ? "" : parser.parseLine(line);
            if (!problem.isEmpty()) {
                throw new DamagedFileException(
                        "line " + number + (isSecret ? "" : " \"" + printable(line) + "\"") + ": " + problem);
            }
        }
    }

    private static String printable(String line) {
        String shown = line.length() > MAX_SHOWN_CHARS ? line.substring(0, MAX_SHOWN_CHARS) + "..." : line;
        return shown.replaceAll("[^ -~]", "?");
    }

    /**
     * Replaces the file of a directory atomically.
     *
     * @throws IOException if the file cannot be replaced; the old file then still exists
     */
    void write(Path dir, Stream<String> records) throws IOException {
        Path aside = dir.resolve(name + ".tmp");
        try {
            writeAside(aside, records);
            Files.move(aside, path(dir), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException | RuntimeException e) {
            discard(aside); // on a full disk it would occupy the remaining space
            throw e;
        }
        force(dir);
    }

    /** Forces the entries of a directory to the disk, so that a new or renamed file survives a crash. */
    static void force(Path dir) throws IOException {
        try (FileChannel directory = FileChannel.open(dir, StandardOpenOption.READ)) {
            directory.force(true);
        }
    }

    private static void discard(Path aside) {
        try {
            Files.deleteIfExists(aside);
        } catch (IOException e) {
            // the next write begins by deleting it
        }
    }

    private void writeAside(Path aside, Stream<String> records) throws IOException {
        Files.deleteIfExists(aside);
        Set<StandardOpenOption> options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        try (FileChannel channel = FileChannel.open(aside, options, isSecret ? OWNER_ONLY : READABLE)) {
            OutputStream out = new BufferedOutputStream(Channels.newOutputStream(channel), 1 << 16);
            writeAll(records, out);
            out.flush();
            channel.force(true);
        }
    }

    private void writeAll(Stream<String> records, OutputStream out) throws IOException {
        Checksum checksum = new CRC32C();
        String lineEnd = isSharedWithOpenSm ? "\n\n" : "\n";
        writeText("# torus-sm " + name + " version " + version + lineEnd, checksum, out);
        for (Iterator<String> all = records.iterator(); all.hasNext(); ) {
            String record = all.next();
            if (record.indexOf('\n') >= 0) {
                throw new IllegalArgumentException("a record of " + name + " is one line");
            }
            writeText(record + lineEnd, checksum, out);
        }
        writeText("# end crc32c 0x" + HexFormat.of().toHexDigits((int) checksum.getValue()) + '\n', checksum, out);
    }

    private static void writeText(String text, Checksum checksum, OutputStream out) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        checksum.update(bytes, 0, bytes.length);
        out.write(bytes);
    }
}
