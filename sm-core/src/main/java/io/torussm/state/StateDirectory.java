package io.torussm.state;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.state.StateFile.DamagedFileException;
import io.torussm.state.StateFile.Parser;
import io.torussm.transport.Loop;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The directory of state files. Files are read when the SM starts, and written on a separate loop (thread "state") in
 * the order of their submission. If a file is submitted again before it was written, only the newest version is
 * written.
 *
 * <p>If a file cannot be written, this is reported once, and the write is repeated until it succeeds.
 */
public final class StateDirectory {
    /** The pause before a failed write is repeated. */
    public static final long RETRY_NS = TimeUnit.SECONDS.toNanos(30);

    private static final EventLog EVENTS = EventLog.of(StateDirectory.class);

    /** Null without a directory. */
    private final @Nullable Path dir;

    private final Loop loop;

    /** The submitted versions, in order. Guarded by itself, as is {@link #newest}. */
    private final Map<StateFile, WaitingVersion> waiting = new LinkedHashMap<>();

    /** The version of each file that was submitted last. */
    private final Map<StateFile, Supplier<Stream<String>>> newest = new HashMap<>();

    /** Files whose failed write was reported. Owner thread: {@link #loop}. */
    private final Set<StateFile> failing = new HashSet<>();

    private final LongAdder failures = new LongAdder();

    /** Creates a missing directory; null if the directory exists. */
    private @Nullable Preparation preparation;

    /** By name of the file. */
    private final Map<String, RegisteredStore<?>> registeredStores = new ConcurrentHashMap<>();

    private volatile Replica replica = Replica.NONE;
    private boolean isRetryDue;

    /** A submitted version: its records, whether they must be written, and the listeners for the result. */
    private record WaitingVersion(
            BooleanSupplier isDue, Supplier<Stream<String>> records, List<Consumer<Boolean>> listeners) {}

    /** A file, its parser, and the store that adopts a version of another SM. */
    private record RegisteredStore<T>(StateFile file, Supplier<Parser<T>> parser, StateSuccessor<T> successor) {
        Adoption examine(byte[] content) throws DamagedFileException {
            Parser<T> lines = parser.get();
            T adopted = file.parse(content, lines);
            return new Adoption() {
                @Override
                public void replace() {
                    successor.replace(adopted);
                }

                @Override
                public void complete() {
                    successor.complete(adopted);
                }
            };
        }
    }

    /** A verified state of another SM, for the loop of the SM. */
    public interface Adoption {
        /** Calls {@link StateSuccessor#replace}, and writes the file soon. */
        void replace();

        /** Calls {@link StateSuccessor#complete}. */
        void complete();
    }

    /** The creation and locking of a directory. */
    @FunctionalInterface
    public interface Preparation {
        /**
         * Prepares the directory. Called before each write until it succeeds.
         *
         * @throws IOException if the directory cannot be used
         */
        void prepare() throws IOException;
    }

    private StateDirectory(@Nullable Path dir, Loop loop) {
        this.dir = dir;
        this.loop = loop;
    }

    /**
     * Opens a directory, which is created if it does not exist.
     *
     * @param loop the loop that writes the files, and may have to wait for the disk
     * @throws IOException if the directory cannot be created, or all users may write to it
     */
    public static StateDirectory open(Path dir, Loop loop) throws IOException {
        OwnDirectory.create(dir);
        return new StateDirectory(dir, loop);
    }

    /**
     * Returns a directory that cannot be created at present. Reads find no file, and each write first tries to create
     * the directory.
     *
     * @param loop the loop that writes the files, and calls the preparation
     */
    public static StateDirectory withPreparation(Path dir, Loop loop, Preparation preparation) {
        StateDirectory awaiting = new StateDirectory(dir, loop);
        awaiting.preparation = preparation;
        return awaiting;
    }

    /** Returns an instance without a directory: reads find no file, and writes have no effect. */
    public static StateDirectory none(Loop loop) {
        return new StateDirectory(null, loop);
    }

    /** Returns a log in the directory; a log without storage if there is no directory. */
    public SegmentLog log(SegmentLog.RecordFormat kind) {
        return new SegmentLog(dir, kind);
    }

    /**
     * Reads a file. A file that is damaged, too large or of another version is renamed and reported.
     *
     * @return empty if there is no usable file
     */
    public <T> Optional<T> read(StateFile file, Parser<T> parser) {
        return read(file, parser, from -> setAside(file, from));
    }

    /**
     * Reads a file that operators edit, too. An unusable file is reported and not renamed.
     *
     * @return empty if there is no usable file
     */
    public <T> Optional<T> readInPlace(StateFile file, Parser<T> parser) {
        return read(file, parser, from -> "It is left as it is");
    }

    private <T> Optional<T> read(StateFile file, Parser<T> parser, Function<Path, String> remains) {
        Path from = dir;
        if (from == null || !file.exists(from)) {
            return Optional.empty();
        }
        try {
            return Optional.of(file.read(from, parser));
        } catch (DamagedFileException damage) {
            EVENTS.report(
                    SmEvent.STATE_FILE_UNUSED,
                    EventField.FILE.of(file.path(from)),
                    EventField.REASON.of(damage.getMessage()),
                    EventField.TEXT.of(remains.apply(from)),
                    EventField.ACTION.of(file.consequence()));
            return Optional.empty();
        }
    }

    /** Renames an unusable file, and returns a sentence with its new path. */
    private static String setAside(StateFile file, Path from) {
        Path bad = file.damagedPath(from);
        try {
            Files.move(file.path(from), bad, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return "It is kept as " + bad;
        } catch (IOException e) {
            return "It cannot be moved away (" + e + ") and will be overwritten";
        }
    }

    /** Writes a file soon. Any thread. */
    public void write(StateFile file, Supplier<Stream<String>> records) {
        write(file, records, isWritten -> {});
    }

    /**
     * Writes a file soon. Any thread.
     *
     * @param records supplier of records, one line each; called on the loop any number of times, even never
     * @param then callback, called once, on the loop; its argument is whether this version or a newer one is on the
     *     disk
     */
    public void write(StateFile file, Supplier<Stream<String>> records, Consumer<Boolean> then) {
        write(file, () -> true, records, then);
    }

    /**
     * Writes a file soon, if the new version differs from that on the disk. Any thread.
     *
     * @param isDue checks whether the version differs; called on the loop before {@code records}
     * @param records supplier of records, one line each; called on the loop any number of times, even never
     * @param then callback, called once, on the loop; its argument is whether the disk has this version, a newer one,
     *     or the same content
     */
    public void write(StateFile file, BooleanSupplier isDue, Supplier<Stream<String>> records, Consumer<Boolean> then) {
        synchronized (waiting) {
            WaitingVersion older = waiting.remove(file);
            List<Consumer<Boolean>> listeners = new ArrayList<>(older == null ? List.of() : older.listeners());
            listeners.add(then);
            newest.put(file, records);
            waiting.put(file, new WaitingVersion(isDue, records, listeners));
        }
        loop.execute(this::writeNext);
    }

    /** Sets the store of a file. Called once for each file, before there is a replica. */
    public <T> void register(StateFile file, Supplier<Parser<T>> parser, StateSuccessor<T> successor) {
        registeredStores.put(file.name(), new RegisteredStore<>(file, parser, successor));
    }

    /** Returns the names of all files that have a store. */
    public Set<String> registeredFiles() {
        return Collections.unmodifiableSet(new LinkedHashSet<>(registeredStores.keySet()));
    }

    /** Sets the replica, which receives every file that is written from now on. Any thread. */
    public void replicateTo(Replica newReplica) {
        replica = newReplica;
    }

    /** Passes the current version of every file that has a store to the replica. Called on the loop. */
    public void passToReplica() {
        loop.requireInLoop();
        registeredStores.values().forEach(follower -> {
            byte[] content = content(follower.file());
            if (content.length > 0) {
                replica.onChange(follower.file(), content);
            }
        });
    }

    /** Returns the version that waits, or was written last; empty without one. */
    private byte[] content(StateFile file) {
        Supplier<Stream<String>> records;
        synchronized (waiting) {
            records = newest.get(file);
        }
        if (records != null) {
            return file.content(records.get());
        }
        Path from = dir;
        if (from == null || !file.exists(from)) {
            return new byte[0];
        }
        try {
            return file.content(from);
        } catch (DamagedFileException damage) {
            EVENTS.report(
                    SmEvent.STATE_FILE_NOT_REPLICATED,
                    EventField.FILE.of(file.path(from)),
                    EventField.REASON.of(damage.getMessage()));
            return new byte[0];
        }
    }

    /**
     * Verifies a file of another SM. Any thread; takes as long as the reading of such a file.
     *
     * @return the actions that apply the content
     * @throws DamagedFileException if there is no store for the name, or the content is faulty or of another version
     */
    public Adoption examine(String name, byte[] content) throws DamagedFileException {
        RegisteredStore<?> follower = registeredStores.get(name);
        if (follower == null) {
            throw new DamagedFileException("there is no such file");
        }
        Adoption adoption = follower.examine(content);
        return new Adoption() {
            @Override
            public void replace() {
                adoption.replace();
                write(follower.file(), () -> StateFile.records(content));
            }

            @Override
            public void complete() {
                adoption.complete();
            }
        };
    }

    /** Returns the number of failed writes, repeated writes included. Any thread. */
    public long failures() {
        return failures.sum();
    }

    /** Tries all waiting writes once. Called on the loop, at the end of the process and for repeated writes. */
    public void flush() {
        loop.requireInLoop();
        int files;
        synchronized (waiting) {
            files = waiting.size();
        }
        for (int i = 0; i < files; i++) {
            writeNext();
        }
    }

    private void writeNext() {
        StateFile file;
        WaitingVersion next;
        synchronized (waiting) {
            if (waiting.isEmpty()) {
                return;
            }
            file = waiting.keySet().iterator().next();
            next = waiting.remove(file);
        }
        boolean isWritten = false;
        try {
            isWritten = tryToWrite(file, next);
        } finally {
            onWriteEnd(file, next, isWritten);
        }
    }

    /**
     * Handles the result of a write, even after a defect. Each listener is called in a separate turn, so that
     * an exception of one does not affect another.
     */
    private void onWriteEnd(StateFile file, WaitingVersion ended, boolean isWritten) {
        if (!isWritten) {
            failures.increment();
            synchronized (waiting) {
                waiting.putIfAbsent(file, new WaitingVersion(() -> true, ended.records(), List.of()));
            }
            retryLater();
        }
        ended.listeners().forEach(listener -> loop.execute(() -> listener.accept(isWritten)));
    }

    private boolean tryToWrite(StateFile file, WaitingVersion next) {
        if (!next.isDue().getAsBoolean()) {
            return true;
        }
        Replica copy = replica;
        if (copy != Replica.NONE && registeredStores.containsKey(file.name())) {
            copy.onChange(file, file.content(next.records().get()));
        }
        Path to = dir;
        if (to == null) {
            return true;
        } else if (!prepare(to)) {
            return false;
        }
        try {
            file.write(to, next.records().get());
            if (failing.remove(file)) {
                EVENTS.report(SmEvent.STATE_FILE_WRITTEN, EventField.FILE.of(file.path(to)));
            }
            return true;
        } catch (IOException e) {
            if (failing.add(file)) {
                EVENTS.report(
                        SmEvent.STATE_FILE_NOT_WRITTEN,
                        EventField.FILE.of(file.path(to)),
                        EventField.REASON.of(e),
                        EventField.SECONDS.of(TimeUnit.NANOSECONDS.toSeconds(RETRY_NS)),
                        EventField.ACTION.of(file.consequence()));
            }
            return false;
        }
    }

    /** Prepares a missing directory. A failure is not reported, because the start reported it for all files. */
    private boolean prepare(Path to) {
        Preparation missing = preparation;
        if (missing == null) {
            return true;
        }
        try {
            missing.prepare();
        } catch (IOException e) {
            return false;
        }
        preparation = null;
        EVENTS.report(SmEvent.STATE_DIR_MADE, EventField.FILE.of(to));
        return true;
    }

    private void retryLater() {
        if (!isRetryDue) {
            isRetryDue = true;
            loop.schedule(RETRY_NS, () -> {
                isRetryDue = false;
                flush();
            });
        }
    }
}
