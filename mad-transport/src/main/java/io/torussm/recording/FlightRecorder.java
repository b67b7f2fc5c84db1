package io.torussm.recording;

import io.torussm.snapshot.FabricSnapshot;
import io.torussm.snapshot.SnapshotFile;
import io.torussm.transport.MadFrame;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A ring of the last MADs that an SM sent and received and of its other input, bounded in bytes. Any thread may call
 * it. A call holds a lock for a short time and copies the words of a MAD that differ from the previous MAD.
 *
 * <p>A recording begins at the start of the SM, or at a checkpoint: a moment at which the registers of all devices were
 * known. If an entry before the first checkpoint is dropped, the recording begins at the next checkpoint.
 */
public final class FlightRecorder {
    /** Number of segments of the ring. If the ring is full, its oldest segment is dropped. */
    private static final int SEGMENTS = 16;

    /**
     * Min segments from one checkpoint to the next: each checkpoint keeps tables in memory that may no longer be
     * active.
     */
    private static final int CHECKPOINT_SEGMENTS = 4;

    /** Bytes that a note costs in addition to its content. */
    private static final int NOTE_OVERHEAD_BYTES = 100;

    private final LongSupplier clock;
    private final int segmentBytes;

    /** The segments, the oldest first. The last one is {@link #newest}, to which entries are added. */
    private final Deque<Segment> ring = new ArrayDeque<>();

    private Segment newest;

    /** Inputs before the start of the SM. State files are removed with the first dropped entry. */
    private final List<Entry.Note> notesBeforeStart = new ArrayList<>();

    /** The newest settings and the newest content of each file. */
    private final List<Entry.Note> settingsNotes = new ArrayList<>();

    /** The last checkpoint that was dropped; null if none was. */
    private @Nullable Checkpoint baseCheckpoint;

    /** Bytes of the notes of the newest segment, which are not in its array. */
    private long noteBytes;

    private int segmentsSinceCheckpoint = CHECKPOINT_SEGMENTS;

    /** Number of dropped entries. */
    private long dropped;

    /** The registers of devices at a moment, which are read on demand. */
    private record Checkpoint(long timeNs, Supplier<FabricSnapshot> state) {}

    /**
     * Creates an empty recorder.
     *
     * @param timeNs clock in nanoseconds since 1970 that never goes back
     * @param maxBytes size of MADs and notes, at least 1 KiB; a note that is longer than a segment is added to it
     */
    public FlightRecorder(LongSupplier timeNs, long maxBytes) {
        this.clock = timeNs;
        this.segmentBytes = (int) Math.min(1 << 30, Math.max(64, maxBytes / SEGMENTS));
        this.newest = new Segment(segmentBytes);
        ring.add(newest);
    }

    /** Returns the current time of the recording's clock. */
    public long nowNs() {
        return clock.getAsLong();
    }

    /**
     * Records an input before the start of the SM. A state file is kept until an entry is dropped, other inputs always.
     */
    public synchronized void noteStart(NoteKind kind, byte[] content) {
        notesBeforeStart.add(new Entry.Note(clock.getAsLong(), kind, content));
    }

    /**
     * Records new settings or a new file. The newest settings, and the newest content of each file, are never dropped.
     */
    public synchronized void noteSettings(NoteKind kind, byte[] content) {
        Entry.Note note = new Entry.Note(clock.getAsLong(), kind, content);
        add(note);
        settingsNotes.removeIf(older -> older.kind() == kind
                && (kind == NoteKind.SETTINGS || path(older).equals(path(note))));
        settingsNotes.add(note);
    }

    /** Returns the path of a file, the first line of its note. */
    private static String path(Entry.Note file) {
        String text = file.text();
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    /** Records any other note. */
    public synchronized void note(NoteKind kind, String text) {
        add(Entry.Note.of(clock.getAsLong(), kind, text));
    }

    /** Records a MAD before it is passed to the transport. */
    public synchronized void recordSent(MadFrame frame) {
        add(true, frame);
    }

    /** Records a MAD that arrived, or that returned undelivered. */
    public synchronized void recordReceived(MadFrame frame) {
        add(false, frame);
    }

    private void add(boolean isSent, MadFrame frame) {
        long nowNs = clock.getAsLong();
        if (!newest.add(nowNs, isSent, frame)) {
            startSegment();
            newest.add(nowNs, isSent, frame);
        }
    }

    /**
     * Adds a checkpoint: the registers of all devices are known. Only some checkpoints are kept.
     *
     * @param state supplier of the registers, called on any thread when a recording is written, if at all
     */
    public synchronized void checkpoint(Supplier<FabricSnapshot> state) {
        if (segmentsSinceCheckpoint >= CHECKPOINT_SEGMENTS) {
            segmentsSinceCheckpoint = 0;
            Checkpoint checkpoint = new Checkpoint(clock.getAsLong(), state);
            if (!newest.add(checkpoint)) {
                startSegment();
                newest.add(checkpoint);
            }
        }
    }

    private void add(Entry.Note note) {
        noteBytes += note.content().length + NOTE_OVERHEAD_BYTES;
        if (noteBytes > segmentBytes || !newest.add(note)) {
            startSegment();
            newest.add(note);
        }
    }

    /** Continues in a new segment, or clears and reuses the oldest one. */
    private void startSegment() {
        noteBytes = 0;
        segmentsSinceCheckpoint++;
        if (ring.size() < SEGMENTS) {
            newest = new Segment(segmentBytes);
        } else {
            newest = ring.remove();
            if (dropped == 0) {
                notesBeforeStart.removeIf(note -> note.kind() == NoteKind.STATE);
            }
            dropped += newest.entries();
            for (Object object : newest.objects()) {
                baseCheckpoint = object instanceof Checkpoint checkpoint ? checkpoint : baseCheckpoint;
            }
            newest.clear();
        }
        ring.add(newest);
    }

    /** Returns the number of dropped entries. */
    public synchronized long dropped() {
        return dropped;
    }

    /**
     * Returns the kept entries, which the calling thread collects.
     *
     * @param reason reason of the recording
     * @return null if the entries reach back neither to the start nor to a checkpoint. This lasts from the first
     *     dropped entry to the end of the next sweep
     */
    public @Nullable Recording recording(String reason) {
        List<Object> kept = new ArrayList<>();
        List<Segment> copies;
        List<Entry.Note> startNotes;
        List<Entry.Note> active;
        Checkpoint checkpoint;
        boolean isFromStart;
        synchronized (this) {
            copies = ring.stream().map(Segment::copy).toList();
            startNotes = List.copyOf(notesBeforeStart);
            active = List.copyOf(settingsNotes);
            checkpoint = baseCheckpoint;
            isFromStart = dropped == 0;
        }
        copies.forEach(segment -> segment.forEach(kept::add));
        List<Entry> entries = new ArrayList<>(startNotes);
        int first = 0;
        if (!isFromStart) {
            while (first < kept.size() && !(kept.get(first) instanceof Checkpoint)) {
                first++;
            }
            if (first < kept.size()) {
                checkpoint = (Checkpoint) kept.get(first);
            } else {
                first = 0;
            }
            if (checkpoint == null) {
                return null;
            }
            entries.addAll(active);
            entries.add(snapshot(checkpoint));
        }
        for (Object object : kept.subList(first, kept.size())) {
            if (object instanceof Entry entry) {
                entries.add(entry);
            }
        }
        entries.add(Entry.Note.of(clock.getAsLong(), NoteKind.REASON, reason));
        return new Recording(entries, isFromStart);
    }

    private static Entry.Note snapshot(Checkpoint checkpoint) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            SnapshotFile.write(checkpoint.state().get(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Entry.Note(checkpoint.timeNs(), NoteKind.SNAPSHOT, text.toByteArray());
    }
}
