package io.torussm.registration;

import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import io.torussm.state.StateSuccessor;
import io.torussm.transport.Loop;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The state file of one kind of registrations of hosts with the SA. The file is written within a second after a change.
 * A standby SM that may take over has a copy.
 *
 * <p>Owner thread: the loop of the SM.
 *
 * @param <T> all registrations of the kind
 */
public final class RegistrationFile<T> {
    /**
     * The time for which a change waits for more changes, because hosts register in thousands and each write contains
     * all registrations.
     */
    public static final long BATCH_DELAY_NS = TimeUnit.SECONDS.toNanos(1);

    private final StateDirectory directory;
    private final Loop loop;
    private final StateFile file;
    private final Function<T, Stream<String>> lines;

    /** The registrations of the last run, or those that another SM sent last. */
    private T restored;

    /** True if another SM sent registrations that no mastership has used yet. */
    private boolean isAdopted;

    /** True if the file remains unchanged. */
    private boolean isFrozen;

    private Consumer<T> addition = others -> {};

    /** The registrations to write; null without a change. */
    private @Nullable T pending;

    /**
     * Reads the file.
     *
     * @param parser creates a parser for each reading
     * @param lines function that returns the lines of the file; called on the loop of the directory
     * @param none the value without registrations
     */
    RegistrationFile(
            StateDirectory directory,
            Loop loop,
            StateFile file,
            Supplier<StateFile.Parser<T>> parser,
            Function<T, Stream<String>> lines,
            T none) {
        this.directory = directory;
        this.loop = loop;
        this.file = file;
        this.lines = lines;
        this.restored = directory.read(file, parser.get()).orElse(none);
        directory.register(file, parser, new Successor());
    }

    /** A receiver of the registrations of another SM. */
    private final class Successor implements StateSuccessor<T> {
        @Override
        public void replace(T adopted) {
            restored = adopted;
            isAdopted = true;
            pending = null;
        }

        @Override
        public void complete(T adopted) {
            addition.accept(adopted);
        }
    }

    /** Returns the registrations of the last run, or those that another SM sent last. */
    public T restored() {
        return restored;
    }

    /**
     * Sets the consumer of registrations of another SM that arrive after the start of the mastership. Called on the
     * loop.
     */
    public void whenCompleted(Consumer<T> newAddition) {
        loop.requireInLoop();
        addition = newAddition;
    }

    /**
     * Returns the registrations of the previous master, if it was another SM that sent them. A second call returns an
     * empty result. Called on the loop, when this SM becomes master.
     */
    public Optional<T> takeAdopted() {
        loop.requireInLoop();
        boolean isNews = isAdopted;
        isAdopted = false;
        return isNews ? Optional.of(restored) : Optional.empty();
    }

    /**
     * Writes pending changes, and stops or resumes recording. Called on the loop.
     *
     * @param isKept whether the file remains unchanged from now on, because another SM is master and this SM drops its
     *     registrations
     */
    public void setFrozen(boolean isKept) {
        loop.requireInLoop();
        save();
        this.isFrozen = isKept;
    }

    /** Records the current registrations, and writes them within a second. Called on the loop. */
    public void record(T registrations) {
        loop.requireInLoop();
        if (isFrozen) {
            return;
        }
        boolean isScheduled = pending != null;
        pending = registrations;
        if (!isScheduled) {
            loop.schedule(BATCH_DELAY_NS, this::save);
        }
    }

    /** Writes pending changes. */
    public void save() {
        T registrations = pending;
        pending = null;
        if (registrations != null) {
            directory.write(file, () -> lines.apply(registrations));
        }
    }
}
