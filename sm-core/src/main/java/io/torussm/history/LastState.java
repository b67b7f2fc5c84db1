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
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state of the subnet after the last sweep of its master, in the file {@code view} of the state directory, and with
 * replication at the standby SMs. A new master answers paths from it while it reads and writes tables. A standby
 * decodes each state of the master when it arrives, so that a takeover does not wait for it. The file contains the
 * rows of a whole state of the {@link ChangeHistory}, compressed, in Base64. Any thread.
 */
public final class LastState {
    /** The file of the state directory. */
    public static final StateFile FILE =
            StateFile.of("view", 1, 64L << 20, "a new master answers paths when its first sweep has ended");

    private static final EventLog EVENTS = EventLog.of(LastState.class);
    private static final int BYTES_PER_LINE = 3000;
    private static final byte[] NONE = {};

    private final StateDirectory directory;
    private final StateRows rows = new StateRows();
    private volatile Stored stored;

    /** The state that a master sent last; null once this SM has stored one. */
    private volatile @Nullable Stored received;

    /** True while a task waits for the decoder: states may arrive faster than it decodes them. */
    private final AtomicBoolean isDecodingDue = new AtomicBoolean();

    /** The rows that were compared last with those on the disk; null if there are none. */
    private volatile @Nullable NavigableMap<RowKey, Row> comparedRows;

    /** The rows on the disk, or such with the same content; null if they are unknown. */
    private volatile @Nullable NavigableMap<RowKey, Row> writtenRows;

    /**
     * Creates the store. The file is read when the state is needed.
     *
     * @param decoder runs the decoding of a state that a master sends
     */
    public LastState(StateDirectory directory, Executor decoder) {
        this.directory = directory;
        stored = new Stored(
                new LazyValue<>(() -> directory.read(FILE, new Base64Lines()).orElse(NONE)));
        directory.register(FILE, Base64Lines::new, adopted -> {
            Stored newest = new Stored(() -> adopted);
            stored = newest;
            comparedRows = null;
            writtenRows = null;
            received = newest;
            if (isDecodingDue.compareAndSet(false, true)) {
                decoder.execute(this::decodeNewest);
            }
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
    public void store(FabricState state, Instant at) {
        PublishedView view = state.view();
        if (view != null) {
            Supplier<byte[]> newer = new LazyValue<>(() -> record(state, view, at));
            stored = new Stored(newer);
            received = null;
            directory.write(
                    FILE,
                    () -> differs(rows.of(state, view)),
                    () -> lines(newer.get()),
                    isWritten -> writtenRows = isWritten ? comparedRows : null);
        }
    }

    private boolean differs(NavigableMap<RowKey, Row> next) {
        NavigableMap<RowKey, Row> old = writtenRows;
        comparedRows = next;
        return old == null || !Delta.between(old, next).isEmpty();
    }

    /** Returns the view of the stored state; null if there is none. It takes long unless it is decoded already. */
    public @Nullable PublishedView view() {
        return stored.view.get().orElse(null);
    }

    private void decodeNewest() {
        isDecodingDue.set(false);
        Stored newest = received;
        if (newest != null) {
            newest.decode();
        }
    }

    private static @Nullable PublishedView decodeView(byte[] bytes) {
        if (bytes.length == 0) {
            return null;
        }
        try {
            ChangeRecord state = ChangeRecord.read(bytes);
            NavigableMap<RowKey, byte[]> read = new TreeMap<>();
            state.apply(read);
            return StateReader.read(state.change(), read, SiteMap.NONE).view();
        } catch (IOException | RuntimeException e) { // a damaged state must not end the first sweep of a master
            EVENTS.report(
                    SmEvent.STATE_FILE_UNUSED,
                    EventField.FILE.of(FILE.name()),
                    EventField.REASON.of(e),
                    EventField.TEXT.of("The next sweep of a master writes it again"),
                    EventField.ACTION.of(FILE.consequence()));
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

    /** A state in the form of the file, and its view, which is decoded once. */
    private static final class Stored {
        private final LazyValue<Optional<PublishedView>> view;

        Stored(Supplier<byte[]> bytes) {
            view = new LazyValue<>(() -> Optional.ofNullable(decodeView(bytes.get())));
        }

        void decode() {
            view.compute();
        }
    }

    /** A value that is computed when it is needed first; its source is released then. */
    private static final class LazyValue<T> implements Supplier<T> {
        private @Nullable Supplier<T> source;
        private @Nullable T value;

        LazyValue(Supplier<T> source) {
            this.source = source;
        }

        @Override
        public synchronized T get() {
            compute();
            return Objects.requireNonNull(value);
        }

        synchronized void compute() {
            Supplier<T> due = source;
            if (due != null) {
                value = due.get();
                source = null;
            }
        }
    }

    /** The reader of the file. */
    private static final class Base64Lines implements StateFile.Parser<byte[]> {
        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

        @Override
        public String parseLine(String line) {
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
