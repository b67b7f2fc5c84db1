package io.torussm.daemon.journal;

import io.torussm.state.SegmentLog;
import io.torussm.state.StateDirectory;
import io.torussm.transport.Loop;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A writer of the newest events of a journal to files {@code events-*.log} of the state directory. It writes on the
 * loop of state files. If the disk is slow, several events are written together. If more than {@link Journal#CAPACITY}
 * events wait, the oldest are dropped.
 */
public final class EventFile implements AutoCloseable {
    static final SegmentLog.RecordFormat LOG = new SegmentLog.RecordFormat("events", 1, "those events are lost, here");

    /** Number of files that share the space. */
    private static final int SEGMENTS = 8;

    private static final int MAX_FIELDS = 100;

    private final Journal journal;
    private final Loop disk;
    private final SegmentLog log;
    private final long maxBytes;
    private final AtomicBoolean isWriteDue = new AtomicBoolean();
    private Runnable endListening = () -> {};
    private long lastWritten;

    private EventFile(Journal journal, Loop disk, SegmentLog log, long maxBytes) {
        this.journal = journal;
        this.disk = disk;
        this.log = log;
        this.maxBytes = maxBytes;
    }

    /**
     * Adds the stored events of a directory to a journal, and stores new events of the journal in the directory from
     * now on.
     *
     * @param disk loop of state files
     *
     * @param maxBytes max size of all files together, in bytes
     */
    public static EventFile attach(Journal journal, StateDirectory directory, Loop disk, long maxBytes) {
        EventFile file = new EventFile(journal, disk, directory.log(LOG), maxBytes);
        journal.addPrevious(file.read());
        file.endListening = journal.listen(file::scheduleWrite);
        file.scheduleWrite();
        return file;
    }

    private List<Journal.Entry> read() {
        List<Journal.Entry> all = new ArrayList<>();
        for (SegmentLog.Segment segment : log.read()) {
            for (byte[] record : segment.records()) {
                if (record != null) {
                    entry(record, all);
                }
            }
        }
        return all.subList(Math.max(0, all.size() - Journal.CAPACITY), all.size());
    }

    /** Adds the event of a record. A record with a valid checksum and invalid content is skipped. */
    private static void entry(byte[] record, List<Journal.Entry> all) {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(record));
        try {
            Instant time = Instant.ofEpochSecond(in.readLong(), in.readInt());
            String level = in.readUTF();
            String code = in.readUTF();
            String text = in.readUTF();
            Map<String, String> fields = new LinkedHashMap<>();
            for (int i = in.readUnsignedByte(); i > 0; i--) {
                fields.put(in.readUTF(), in.readUTF());
            }
            all.add(new Journal.Entry(0, time, level, code, text, Collections.unmodifiableMap(fields)));
        } catch (IOException | DateTimeException e) {
            // another program wrote other records with the same version number
        }
    }

    private static byte[] record(Journal.Entry event) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            Instant time = event.time();
            out.writeLong(time.getEpochSecond());
            out.writeInt(time.getNano());
            out.writeUTF(event.level());
            out.writeUTF(event.code());
            out.writeUTF(event.text());
            List<Map.Entry<String, String>> fields =
                    event.fields().entrySet().stream().limit(MAX_FIELDS).toList();
            out.writeByte(fields.size());
            for (Map.Entry<String, String> field : fields) {
                out.writeUTF(field.getKey());
                out.writeUTF(field.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException("memory has no output that may fail", e);
        }
        return bytes.toByteArray();
    }

    /** Schedules a write. Runs on the thread that logs. */
    private void scheduleWrite() {
        if (!isWriteDue.getAndSet(true)) {
            disk.execute(this::write);
        }
    }

    private void write() {
        isWriteDue.set(false);
        List<Journal.Entry> news = journal.after(lastWritten);
        if (news.isEmpty()) {
            return;
        }
        lastWritten = news.get(news.size() - 1).number();
        log.append(news.stream().map(EventFile::record).toList(), false);
        if (log.newestBytes() > maxBytes / SEGMENTS) {
            log.roll();
            log.trim(maxBytes - maxBytes / SEGMENTS);
        }
    }

    /** Writes all waiting events, and stops. Runs on the loop of state files. */
    @Override
    public void close() {
        endListening.run();
        write();
        log.close();
    }
}
