package io.torussm.history;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.history.Change.Counts;
import io.torussm.names.SiteMap;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of the subnet after the last sweep of its master, in the file {@code view} of the state directory, and with
 * replication at the standby SMs. A new master answers paths from it while it reads and writes tables. The file
 * contains the rows of a whole state of the {@link ChangeHistory}, compressed, in Base64. Any thread.
 */
public final class LastState {
    /** The file of the state directory. */
    public static final StateFile FILE = new StateFile(
            "view", 1, 64L << 20, false, false, "a new master answers paths when its first sweep has ended");

    private static final EventLog EVENTS = EventLog.of(LastState.class);
    private static final int BYTES_PER_LINE = 3000;
    private static final byte[] NONE = {};

    private final StateDirectory directory;
    private final StateRows rows = new StateRows();
    private volatile Supplier<byte[]> record;

    /** The rows that were compared last with those on the disk; null if there are none. */
    private volatile @Nullable NavigableMap<RowKey, Row> compared;

    /** The rows on the disk, or such with the same content; null if they are unknown. */
    private volatile @Nullable NavigableMap<RowKey, Row> written;

    /** Creates the store. The file is read when the state is needed. */
    public LastState(StateDirectory directory) {
        this.directory = directory;
        record = new Once(() -> directory.read(FILE, new Base64Lines()).orElse(NONE));
        directory.follow(FILE, Base64Lines::new, adopted -> {
            record = () -> adopted;
            compared = null;
            written = null;
        });
    }

    /** Returns the rows of the last state, to be shared with the {@link ChangeHistory}. */
    public StateRows rows() {
        return rows;
    }

    /**
     * Stores the state after a sweep, if it differs from the one on the disk. It is converted to rows on the loop
     * that writes state files.
     *
     * @param state the present state; it is ignored if it has no view
     */
    public void keep(FabricState state, Instant at) {
        PublishedView view = state.view();
        if (view != null) {
            Supplier<byte[]> newer = new Once(() -> record(state, view, at));
            record = newer;
            directory.write(
                    FILE,
                    () -> differs(rows.of(state, view)),
                    () -> lines(newer.get()),
                    isWritten -> written = isWritten ? compared : null);
        }
    }

    private boolean differs(NavigableMap<RowKey, Row> next) {
        NavigableMap<RowKey, Row> old = written;
        compared = next;
        return old == null || !Delta.between(old, next).isEmpty();
    }

    /** Returns the view of the stored state; null if there is none. It takes as long as reading its tables. */
    public @Nullable PublishedView view() {
        byte[] bytes = record.get();
        if (bytes.length == 0) {
            return null;
        }
        try {
            ChangeRecord stored = ChangeRecord.read(bytes);
            NavigableMap<RowKey, byte[]> read = new TreeMap<>();
            stored.apply(read);
            return StateReader.read(stored.change(), read, SiteMap.NONE).view();
        } catch (IOException | RuntimeException e) { // a damaged state must not end the first sweep of a master
            EVENTS.report(
                    SmEvent.STATE_FILE_UNUSED,
                    EventField.FILE.of(FILE.name()),
                    EventField.REASON.of(e),
                    EventField.TEXT.of("The next sweep writes it again"),
                    EventField.ACTION.of(FILE.instead()));
            return null;
        }
    }

    private byte[] record(FabricState state, PublishedView view, Instant at) {
        byte[] content = Delta.between(new TreeMap<>(), rows.of(state, view)).bytes();
        Change change =
                new Change(at, view.sweep(), true, state.routing(), view.plan().engine(), 0, Counts.NONE);
        return ChangeRecord.of(change, true, content).bytes();
    }

    private static Stream<String> lines(byte[] bytes) {
        Base64.Encoder encoder = Base64.getEncoder();
        return IntStream.range(0, (bytes.length + BYTES_PER_LINE - 1) / BYTES_PER_LINE)
                .map(line -> line * BYTES_PER_LINE)
                .mapToObj(from -> encoder.encodeToString(
                        Arrays.copyOfRange(bytes, from, Math.min(bytes.length, from + BYTES_PER_LINE))));
    }

    /** A value that is computed when it is needed first; its source is released then. */
    private static final class Once implements Supplier<byte[]> {
        private @Nullable Supplier<byte[]> source;
        private byte[] value = NONE;

        Once(Supplier<byte[]> source) {
            this.source = source;
        }

        @Override
        public synchronized byte[] get() {
            Supplier<byte[]> due = source;
            if (due != null) {
                value = due.get();
                source = null;
            }
            return value;
        }
    }

    /** The reader of the file. */
    private static final class Base64Lines implements StateFile.Parser<byte[]> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public String take(String line) {
            try {
                bytes.writeBytes(Base64.getDecoder().decode(line));
                return "";
            } catch (IllegalArgumentException e) {
                return "not Base64: " + e.getMessage();
            }
        }

        @Override
        public byte[] value() {
            return bytes.toByteArray();
        }
    }
}
