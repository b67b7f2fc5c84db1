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
 * A ring of the last MADs that an SM sent and received and of its other input, bounded in bytes. Any thread may call. A
 * call takes a lock for a short time and copies the words of a MAD that differ from the one before.
 *
 * <p>A recording begins at the start of the SM, or at a checkpoint: a moment at which the registers of all devices were
 * known. If an entry before the first checkpoint is dropped, the recording begins at the next checkpoint.
 */
public final class FlightRecorder {
    /** The oldest of so many is dropped when there is no room. */
    private static final int SEGMENTS = 16;

    /**
     * Segments from one checkpoint to the next: each checkpoint keeps tables in memory that may not be active any
     * more.
     */
    private static final int CHECKPOINT_SEGMENTS = 4;

    /** A note costs so much besides its bytes. */
    private static final int OVERHEAD = 100;

    private final LongSupplier timeNs;
    private final int segmentBytes;
    private final Deque<Segment> ring = new ArrayDeque<>();
    private Segment newest;
    private final List<Entry.Note> start = new ArrayList<>();
    private final List<Entry.Note> settings = new ArrayList<>();
    private @Nullable Checkpoint base;

    /** Octets of the notes of the newest segment, which are not in its array. */
    private long noted;

    private int segmentsSinceCheckpoint = CHECKPOINT_SEGMENTS;
    private long dropped;

    /** The registers of devices, written out on demand. */
    private record Checkpoint(long timeNs, Supplier<FabricSnapshot> state) {}

    /**
     * Creates an empty recorder.
     *
     * @param timeNs the clock, in nanoseconds since 1970, that never goes back
     * @param maxBytes size of MADs and notes, at least 1 KiB; long notes come on top of it
     */
    public FlightRecorder(LongSupplier timeNs, long maxBytes) {
        this.timeNs = timeNs;
        this.segmentBytes = (int) Math.min(1 << 30, Math.max(64, maxBytes / SEGMENTS));
        this.newest = new Segment(segmentBytes);
        ring.add(newest);
    }

    /** Returns the present time, by the clock of the recording. */
    public long nowNs() {
        return timeNs.getAsLong();
    }

    /** Records an input before the start of the SM, which is kept until an entry is dropped. */
    public synchronized void noteStart(NoteKind kind, byte[] content) {
        start.add(new Entry.Note(timeNs.getAsLong(), kind, content));
    }

    /** Adds new settings or a new file. The newest ones are never dropped. */
    public synchronized void noteSettings(NoteKind kind, byte[] content) {
        Entry.Note note = new Entry.Note(timeNs.getAsLong(), kind, content);
        add(note);
        settings.removeIf(older -> older.kind() == kind
                && (kind == NoteKind.SETTINGS || path(older).equals(path(note))));
        settings.add(note);
    }

    private static String path(Entry.Note file) {
        String text = file.text();
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    /** Records any other note. */
    public synchronized void note(NoteKind kind, String text) {
        add(Entry.Note.of(timeNs.getAsLong(), kind, text));
    }

    /** Records a MAD that is about to be handed to the transport. */
    public synchronized void sent(MadFrame frame) {
        add(true, frame);
    }

    /** Records a MAD that came in, or came back. */
    public synchronized void received(MadFrame frame) {
        add(false, frame);
    }

    private void add(boolean isSent, MadFrame frame) {
        long nowNs = timeNs.getAsLong();
        if (!newest.add(nowNs, isSent, frame)) {
            turn();
            newest.add(nowNs, isSent, frame);
        }
    }

    /**
     * Adds a checkpoint: the registers of all devices are known. Only some checkpoints are kept.
     *
     * @param state supplier of the state, called on any thread when a recording is written, perhaps never
     */
    public synchronized void checkpoint(Supplier<FabricSnapshot> state) {
        if (segmentsSinceCheckpoint >= CHECKPOINT_SEGMENTS) {
            segmentsSinceCheckpoint = 0;
            Checkpoint now = new Checkpoint(timeNs.getAsLong(), state);
            if (!newest.add(now)) {
                turn();
                newest.add(now);
            }
        }
    }

    private void add(Entry.Note note) {
        noted += note.content().length + OVERHEAD;
        if (noted > segmentBytes || !newest.add(note)) {
            turn();
            newest.add(note);
        }
    }

    /** Continues in another segment: a new one, or the oldest. */
    private void turn() {
        noted = 0;
        segmentsSinceCheckpoint++;
        if (ring.size() < SEGMENTS) {
            newest = new Segment(segmentBytes);
        } else {
            newest = ring.remove();
            if (dropped == 0) {
                start.removeIf(note -> note.kind() == NoteKind.STATE);
            }
            dropped += newest.entries();
            for (Object object : newest.objects()) {
                base = object instanceof Checkpoint checkpoint ? checkpoint : base;
            }
            newest.clear();
        }
        ring.add(newest);
    }

    /** Returns how many entries were dropped because there was no room. */
    public synchronized long dropped() {
        return dropped;
    }

    /**
     * Returns the kept entries, collected in the calling thread. Returns null if they reach back neither to the start
     * nor to a checkpoint. That is so until the first sweep ends after the ring was filled for the first time.
     *
     * @param reason reason of the recording
     */
    public @Nullable Recording recording(String reason) {
        List<Object> kept = new ArrayList<>();
        List<Segment> copies;
        List<Entry.Note> before;
        List<Entry.Note> active;
        Checkpoint from;
        boolean isFromStart;
        synchronized (this) {
            copies = ring.stream().map(Segment::copy).toList();
            before = List.copyOf(start);
            active = List.copyOf(settings);
            from = base;
            isFromStart = dropped == 0;
        }
        copies.forEach(segment -> segment.forEach(kept::add));
        List<Entry> entries = new ArrayList<>(before);
        int first = 0;
        if (!isFromStart) {
            while (first < kept.size() && !(kept.get(first) instanceof Checkpoint)) {
                first++;
            }
            if (first < kept.size()) {
                from = (Checkpoint) kept.get(first);
            } else {
                first = 0;
            }
            if (from == null) {
                return null;
            }
            entries.addAll(active);
            entries.add(snapshot(from));
        }
        for (Object each : kept.subList(first, kept.size())) {
            if (each instanceof Entry entry) {
                entries.add(entry);
            }
        }
        entries.add(Entry.Note.of(timeNs.getAsLong(), NoteKind.REASON, reason));
        return new Recording(entries, isFromStart);
    }

    private static Entry.Note snapshot(Checkpoint of) {
        ByteArrayOutputStream text = new ByteArrayOutputStream();
        try {
            SnapshotFile.write(of.state().get(), text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Entry.Note(of.timeNs(), NoteKind.SNAPSHOT, text.toByteArray());
    }
}
