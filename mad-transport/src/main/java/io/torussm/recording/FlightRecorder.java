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
 * Keeps the last of what an SM sends, receives and is told, within a bound of bytes. Any thread; a call takes a lock that
 * nobody holds for long, and copies nothing, since frames are not changed once they were handed over.
 *
 * <p>A recording can begin where the SM did, or at a checkpoint: a moment at which it was known what all devices hold. As soon as
 * something is dropped that came before the first checkpoint, the next one is the beginning.
 */
public final class FlightRecorder {
    /** What an entry costs besides its bytes. */
    private static final int OVERHEAD = 120;

    /** Checkpoints stand so many to a ring: each may hold on to tables that are in force no more. */
    private static final int CHECKPOINTS = 4;

    private final LongSupplier timeNs;
    private final long maxBytes;
    private final Deque<Object> ring = new ArrayDeque<>();
    private final List<Entry.Note> start = new ArrayList<>();
    private final List<Entry.Note> settings = new ArrayList<>();
    private @Nullable Checkpoint base;
    private long bytes;
    private long sinceCheckpoint;
    private long dropped;

    /** What devices hold, to be put into words if anybody asks. */
    private record Checkpoint(long timeNs, Supplier<FabricSnapshot> state) {}

    /**
     * Nothing is kept yet.
     *
     * @param timeNs the clock, in nanoseconds since 1970, that never goes back
     * @param maxBytes of MADs and notes, and of what keeping them costs
     */
    public FlightRecorder(LongSupplier timeNs, long maxBytes) {
        this.timeNs = timeNs;
        this.maxBytes = maxBytes;
    }

    /** Now, by the clock of the recording. */
    public long nowNs() {
        return timeNs.getAsLong();
    }

    /** What there was before the SM: kept until something is dropped. */
    public synchronized void noteStart(NoteKind kind, byte[] content) {
        start.add(new Entry.Note(timeNs.getAsLong(), kind, content));
    }

    /** Settings or a file, from now on; the newest are kept whatever is dropped. */
    public synchronized void noteSettings(NoteKind kind, byte[] content) {
        Entry.Note note = new Entry.Note(timeNs.getAsLong(), kind, content);
        add(note, content.length);
        settings.removeIf(older -> older.kind() == kind
                && (kind == NoteKind.SETTINGS || path(older).equals(path(note))));
        settings.add(note);
    }

    private static String path(Entry.Note file) {
        String text = file.text();
        int end = text.indexOf('\n');
        return end < 0 ? text : text.substring(0, end);
    }

    /** Anything else. */
    public synchronized void note(NoteKind kind, String text) {
        Entry.Note note = Entry.Note.of(timeNs.getAsLong(), kind, text);
        add(note, note.content().length);
    }

    /** A MAD is about to be handed to the transport. */
    public synchronized void sent(MadFrame frame) {
        add(new Entry.Sent(timeNs.getAsLong(), frame), frame.mad().length);
    }

    /** A MAD came in, or came back. */
    public synchronized void received(MadFrame frame) {
        add(new Entry.Received(timeNs.getAsLong(), frame), frame.mad().length);
    }

    /**
     * It is known what all devices hold. Kept now and then.
     *
     * @param state asked for when a recording is written, perhaps never; any thread
     */
    public synchronized void checkpoint(Supplier<FabricSnapshot> state) {
        if (sinceCheckpoint >= maxBytes / CHECKPOINTS) {
            sinceCheckpoint = 0;
            add(new Checkpoint(timeNs.getAsLong(), state), 0);
        }
    }

    private void add(Object entry, int length) {
        ring.add(entry);
        bytes += length + OVERHEAD;
        sinceCheckpoint += length + OVERHEAD;
        while (bytes > maxBytes && ring.size() > 1) {
            drop(ring.remove());
        }
    }

    private void drop(Object entry) {
        dropped++;
        start.removeIf(note -> note.kind() == NoteKind.STATE);
        if (entry instanceof Checkpoint checkpoint) {
            base = checkpoint;
        }
        bytes -= OVERHEAD + length(entry);
    }

    private static int length(Object entry) {
        if (entry instanceof Entry.Sent sent) {
            return sent.frame().mad().length;
        } else if (entry instanceof Entry.Received received) {
            return received.frame().mad().length;
        }
        return entry instanceof Entry.Note note ? note.content().length : 0;
    }

    /** How many entries were dropped because there was no room. */
    public synchronized long dropped() {
        return dropped;
    }

    /**
     * What is kept, put together in the calling thread; null if it neither reaches back to the start nor to any checkpoint, which is so
     * as long as no sweep has ended since the ring was filled for the first time.
     *
     * @param reason why it is asked for
     */
    public @Nullable Recording recording(String reason) {
        List<Object> kept;
        List<Entry.Note> before;
        List<Entry.Note> inForce;
        Checkpoint from;
        boolean isFromStart;
        synchronized (this) {
            kept = new ArrayList<>(ring);
            before = List.copyOf(start);
            inForce = List.copyOf(settings);
            from = base;
            isFromStart = dropped == 0;
        }
        List<Entry> entries = new ArrayList<>(before);
        if (!isFromStart) {
            for (int i = 0; i < kept.size(); i++) {
                if (kept.get(i) instanceof Checkpoint first) {
                    from = first;
                    kept = kept.subList(i, kept.size());
                    break;
                }
            }
            if (from == null) {
                return null;
            }
            entries.addAll(inForce);
            entries.add(snapshot(from));
        }
        kept.stream().filter(Entry.class::isInstance).map(Entry.class::cast).forEach(entries::add);
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
