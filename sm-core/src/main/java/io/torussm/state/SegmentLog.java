package io.torussm.state;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A log of records that survives the process and drops the oldest records first. Its files {@code NAME-00000001.log}
 * and so on are segments. A segment is a line with name and version, then records. A record is a mark, the length and
 * the CRC-32C of the record (four bytes each, in network byte order), and its bytes.
 *
 * <p>An incomplete record does not count: if a crash leaves one at the end, it is cut off at the next start. Other
 * unreadable data are reported with the file and the consequence, and cost only the affected records.
 *
 * <p>If a log cannot be written, this is reported once. The records are lost, and the next record begins a new segment.
 * A segment without records is deleted, so that a full disk does not collect empty files. One thread at a time uses a
 * log, and may have to wait for the disk.
 */
public final class SegmentLog {
    /** Max size of a record in bytes. */
    public static final int MAX_RECORD_BYTES = 64 << 20;

    /** Max size of a segment that is read, in bytes. */
    static final long MAX_SEGMENT_BYTES = 256L << 20;

    private static final EventLog EVENTS = EventLog.of(SegmentLog.class);
    private static final int MARK = 0xF0B1_5EC7;
    private static final int DIGITS = 8;
    private static final int HEADER_BYTES = 3 * Integer.BYTES;

    private final @Nullable Path dir;
    private final RecordFormat kind;
    private final Pattern names;

    /** Size in bytes by number of the segment, the oldest first. */
    private final TreeMap<Long, Long> sizes = new TreeMap<>();

    private @Nullable FileChannel openSegment;

    /** The highest number that a segment has or had. */
    private long last;

    /** True if the next record begins a segment. */
    private boolean isRolled = true;

    private boolean isFailing;

    /**
     * The definition of a log.
     *
     * @param name prefix of the names of its files
     * @param version version of its records
     * @param consequence consequence of a record that cannot be read or written, for the log
     */
    public record RecordFormat(String name, int version, String consequence) {
        private byte[] firstLine() {
            return ("torus-sm " + name + " version " + version + "\n").getBytes(StandardCharsets.US_ASCII);
        }
    }

    /**
     * The content of a segment.
     *
     * @param number number of the segment, ascending from 1
     * @param records records in order; null stands for unreadable data
     */
    public record Segment(long number, List<byte @Nullable []> records) {}

    /** Creates a log in a directory; without storage if it is null. */
    SegmentLog(@Nullable Path dir, RecordFormat kind) {
        this.dir = dir;
        this.kind = kind;
        this.names = Pattern.compile(Pattern.quote(kind.name()) + "-(\\d{8})\\.log");
    }

    /** Checks whether records survive the process. */
    public boolean isKept() {
        return dir != null;
    }

    /**
     * Returns all segments, the oldest first. Called once, before the first append, which then continues the newest
     * segment.
     */
    public List<Segment> read() {
        List<Segment> segments = new ArrayList<>();
        Path from = dir;
        if (from == null) {
            return segments;
        }
        NavigableMap<Long, Path> files = files(from);
        files.forEach((number, file) -> {
            Segment segment = read(number, file, number.equals(files.lastKey()));
            if (segment != null) {
                segments.add(segment);
            }
            isRolled = segment == null;
            last = number;
        });
        return segments;
    }

    private NavigableMap<Long, Path> files(Path from) {
        TreeMap<Long, Path> files = new TreeMap<>();
        if (!Files.exists(from)) {
            return files; // it could not be created yet
        }
        try (Stream<Path> all = Files.list(from)) {
            all.forEach(file -> {
                Matcher name = names.matcher(file.getFileName().toString());
                if (name.matches() && Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) {
                    files.put(Long.parseLong(name.group(1)), file);
                }
            });
        } catch (IOException e) {
            reportDamaged(from, "it cannot be read (" + e + ")");
        }
        return files;
    }

    /** Reads a segment; null for an unreadable file, which stays until it is the oldest one to be dropped. */
    private @Nullable Segment read(long number, Path file, boolean isLast) {
        byte[] bytes;
        try {
            sizes.put(number, Files.size(file));
            bytes = BoundedFile.bytes(file, MAX_SEGMENT_BYTES);
        } catch (IOException e) {
            reportDamaged(file, "it cannot be read (" + e + ")");
            return null;
        }
        byte[] first = kind.firstLine();
        if (bytes.length < first.length && isLast && startsWith(first, bytes)) {
            cut(number, file, bytes.length, 0);
            return null;
        }
        if (!startsWith(bytes, first)) {
            reportDamaged(
                    file, "its first line is not \"" + new String(first, StandardCharsets.US_ASCII).strip() + "\"");
            return null;
        }
        Scan scan = new Scan(bytes, first.length);
        if (scan.damages > 0) {
            reportDamaged(file, scan.damages + " of its parts are not as they were written");
        }
        if (scan.isTorn && !isLast) {
            reportDamaged(file, "its end is missing");
        } else if (scan.isTorn) {
            cut(number, file, bytes.length, scan.end);
        }
        return new Segment(number, scan.records);
    }

    private static boolean startsWith(byte[] bytes, byte[] start) {
        return bytes.length >= start.length && Arrays.equals(bytes, 0, start.length, start, 0, start.length);
    }

    /** Reports a segment with intact records that cannot be used. */
    public void reportUnusable(long segment, String reason) {
        Path from = dir;
        if (from != null) {
            reportDamaged(file(from, segment), reason);
        }
    }

    private void reportDamaged(Path file, String reason) {
        EVENTS.report(
                SmEvent.STATE_LOG_DAMAGED,
                EventField.FILE.of(file),
                EventField.REASON.of(reason),
                EventField.ACTION.of(kind.consequence()));
    }

    /** Cuts off an incomplete record after a crash. */
    private void cut(long number, Path file, int from, int to) {
        EVENTS.report(SmEvent.STATE_LOG_TORN, EventField.FILE.of(file), EventField.COUNT.of(from - to));
        try {
            if (to == 0) {
                Files.delete(file);
                sizes.remove(number);
                return;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.truncate(to);
                sizes.put(number, (long) to);
            }
        } catch (IOException e) {
            reportDamaged(file, "its torn end cannot be cut off (" + e + ")");
        }
    }

    /** The search for the records of a segment. */
    private static final class Scan {
        final List<byte @Nullable []> records = new ArrayList<>();
        private final byte[] bytes;
        private final ByteBuffer in;
        int damages;
        boolean isTorn;

        /** Position after the last complete record. */
        int end;

        Scan(byte[] bytes, int start) {
            this.bytes = bytes;
            this.in = ByteBuffer.wrap(bytes);
            end = start;
            int at = start;
            boolean isBad = false;
            while (at < bytes.length) {
                int length = lengthAt(at);
                if (length >= 0) {
                    countDamage(isBad);
                    isBad = false;
                    records.add(Arrays.copyOfRange(bytes, at + HEADER_BYTES, at + HEADER_BYTES + length));
                    at += HEADER_BYTES + length;
                    end = at;
                } else {
                    isTorn = !isBad && isTornAt(at);
                    isBad = true;
                    at = isTorn ? bytes.length : nextMark(at + 1);
                }
            }
            countDamage(isBad && !isTorn);
        }

        private void countDamage(boolean isBad) {
            if (isBad) {
                damages++;
                records.add(null);
            }
        }

        /** Returns the length of the record at a position; -1 without a complete record there. */
        private int lengthAt(int at) {
            if (bytes.length - at < HEADER_BYTES || in.getInt(at) != MARK) {
                return -1;
            }
            int length = in.getInt(at + Integer.BYTES);
            return length >= 0
                            && length <= bytes.length - at - HEADER_BYTES
                            && checksum(length, bytes, at + HEADER_BYTES) == in.getInt(at + 2 * Integer.BYTES)
                    ? length
                    : -1;
        }

        /** Checks whether the file ends within the record at a position, and has no other defect. */
        private boolean isTornAt(int at) {
            if (nextMark(at + 1) < bytes.length) {
                return false;
            }
            int left = bytes.length - at;
            if (left < HEADER_BYTES) {
                byte[] mark = ByteBuffer.allocate(Integer.BYTES).putInt(MARK).array();
                int known = Math.min(left, Integer.BYTES);
                return Arrays.equals(bytes, at, at + known, mark, 0, known);
            }
            int length = in.getInt(at + Integer.BYTES);
            return in.getInt(at) == MARK && length > left - HEADER_BYTES && length <= MAX_RECORD_BYTES;
        }

        private int nextMark(int from) {
            for (int at = from; at + Integer.BYTES <= bytes.length; at++) {
                if (in.getInt(at) == MARK) {
                    return at;
                }
            }
            return bytes.length;
        }
    }

    private static int checksum(int length, byte[] bytes, int offset) {
        CRC32C checksum = new CRC32C();
        checksum.update(ByteBuffer.allocate(Integer.BYTES).putInt(length).flip());
        checksum.update(bytes, offset, length);
        return (int) checksum.getValue();
    }

    /**
     * Appends records to the newest segment.
     *
     * @param isForced whether to wait until the records are on the disk; otherwise a crash of the machine may lose them
     * @return false if the records are lost; the next records begin another segment
     */
    public boolean append(List<byte[]> records, boolean isForced) {
        Path to = dir;
        if (to == null || records.isEmpty()) {
            return true;
        }
        try {
            FileChannel channel = channel(to);
            long written = 0;
            for (byte[] record : records) {
                ByteBuffer all = ByteBuffer.allocate(HEADER_BYTES + record.length);
                all.putInt(MARK)
                        .putInt(record.length)
                        .putInt(checksum(record.length, record, 0))
                        .put(record)
                        .flip();
                written += writeAll(channel, all);
            }
            if (isForced) {
                channel.force(false);
            }
            sizes.merge(last, written, Long::sum);
            if (isFailing) {
                isFailing = false;
                EVENTS.report(SmEvent.STATE_LOG_WRITTEN, EventField.FILE.of(to.resolve(kind.name() + "-*.log")));
            }
            return true;
        } catch (IOException e) {
            reportFailure(to, e);
            return false;
        }
    }

    private static long writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        long written = bytes.remaining();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        return written;
    }

    private void reportFailure(Path to, IOException why) {
        if (!isFailing) {
            isFailing = true;
            EVENTS.report(
                    SmEvent.STATE_LOG_NOT_WRITTEN,
                    EventField.FILE.of(to.resolve(kind.name() + "-*.log")),
                    EventField.REASON.of(why),
                    EventField.ACTION.of(kind.consequence()));
        }
        boolean isOpened = openSegment != null;
        roll();
        if (newestBytes() <= kind.firstLine().length) {
            sizes.remove(last);
            if (isOpened) {
                discard(file(to, last));
            }
        }
    }

    /** Deletes the newest segment, which has no record; its number is used again. */
    private void discard(Path segment) {
        try {
            if (Files.deleteIfExists(segment)) {
                last--;
            }
        } catch (IOException e) {
            reportDamaged(segment, "it has no record, and cannot be deleted (" + e + ")");
        }
    }

    private FileChannel channel(Path to) throws IOException {
        FileChannel channel = openSegment;
        if (channel != null) {
            return channel;
        }
        boolean isNew = isRolled || sizes.isEmpty();
        if (isNew) {
            last++;
            sizes.put(last, 0L);
        }
        channel = FileChannel.open(
                file(to, last), StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
        openSegment = channel;
        if (isNew) {
            sizes.put(last, writeAll(channel, ByteBuffer.wrap(kind.firstLine())));
            isRolled = false;
            StateFile.force(to);
        }
        return channel;
    }

    private Path file(Path in, long number) {
        String digits = Long.toString(number);
        return in.resolve(kind.name() + "-" + "0".repeat(Math.max(0, DIGITS - digits.length())) + digits + ".log");
    }

    /** Closes the newest segment, so that the next record begins a new one. */
    public void roll() {
        close();
        isRolled = true;
    }

    /** Returns the number of the newest segment; 0 without segments. */
    public long newest() {
        return last;
    }

    /** Returns the size of the newest segment in bytes. */
    public long newestBytes() {
        return sizes.isEmpty() ? 0 : sizes.lastEntry().getValue();
    }

    /** Returns the size of all segments in bytes. */
    public long bytes() {
        return sizes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Deletes the oldest segments until the total size is at most a limit, but never the newest segment. */
    public void trim(long maxBytes) {
        while (bytes() > maxBytes && sizes.size() > 1) {
            dropBefore(sizes.firstKey() + 1);
        }
    }

    /** Deletes all segments with a number below {@code number}. */
    public void dropBefore(long number) {
        Path from = dir;
        while (from != null && !sizes.isEmpty() && sizes.firstKey() < number) {
            Path oldest = file(from, sizes.pollFirstEntry().getKey());
            try {
                Files.deleteIfExists(oldest);
            } catch (IOException e) {
                reportDamaged(oldest, "it cannot be deleted (" + e + ")");
            }
        }
    }

    /** Closes the file. The next record opens the newest segment again. */
    public void close() {
        FileChannel channel = openSegment;
        openSegment = null;
        if (channel != null) {
            try {
                channel.close();
            } catch (IOException e) {
                // incomplete records are found at the next start
            }
        }
    }
}
