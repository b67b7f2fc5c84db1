package io.torussm.daemon.config;

import io.torussm.event.Finding;
import io.torussm.event.log.EventLog;
import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read again at heavy sweeps. A file with an error is not used: what was in force stays, also from run to run
 * ({@link #keepIn}), and that is logged when it happens and whenever the errors change. Owner thread: sm, except for
 * {@link #inForce}.
 *
 * @param <T> what the file says
 */
public final class ReloadedFile<T> {
    private static final EventLog EVENTS = EventLog.of(ReloadedFile.class);

    private final Kind<T> kind;
    private volatile T inForce;
    private List<Finding> reported = List.of();

    /** Whether it was logged that something stays in force instead of what the file says. */
    private boolean isStaying;

    private @Nullable LastGood lastGood;

    /** What was in force when the last run ended; null if nobody knows, and once the file was judged. */
    private @Nullable T ofLastRun;

    /**
     * What a file says.
     *
     * @param value null if it cannot be used
     * @param findings errors, and what can be used, but not as the operator may think
     */
    record Parsed<T>(@Nullable T value, List<Finding> findings) {
        Parsed {
            findings = List.copyOf(findings);
        }

        boolean isUsable() {
            return value != null && findings.stream().noneMatch(Parsed::isError);
        }

        private static boolean isError(Finding finding) {
            return finding.severity() == Finding.Severity.ERROR;
        }
    }

    /** Reads the text of a file. */
    interface Parser<T> {
        Parsed<T> parse(String name, String text, SmOptions options);
    }

    /**
     * A kind of file.
     *
     * @param setting that names it
     * @param usual read if it is there, no other is named, and the fabric is no simulated one
     * @param maxBytes a longer one is not read
     * @param isWanted whether options want it to be read at all
     * @param none what holds without a file
     * @param parser of its text
     * @param stays the event that says what stays in force while the file cannot be used
     * @param changed the event when other contents are in force; empty for none
     * @param again the event when the file is used again, which ends {@code stays}
     * @param kept the state file with what was in force last
     * @param isVital whether an SM must not start with a file that cannot be used and nothing in its place
     */
    record Kind<T>(
            Setting<Optional<Path>> setting,
            Path usual,
            long maxBytes,
            Predicate<SmOptions> isWanted,
            T none,
            Parser<T> parser,
            Function<T, Finding> stays,
            Function<T, Optional<Finding>> changed,
            Function<T, Finding> again,
            StateFile kept,
            boolean isVital) {
        Reading<T> read(SmOptions options) {
            ConfFile file = isWanted.test(options)
                    ? ConfFile.read(
                            options.values().get(setting).orElse(null),
                            options.port().isSimulated() ? null : usual,
                            maxBytes,
                            setting)
                    : null;
            if (file == null) {
                return parse(LastGood.Version.NO_FILE, options);
            }
            return file.text() == null
                    ? new Reading<>(LastGood.Version.NO_FILE, new Parsed<>(null, file.problems()))
                    : parse(new LastGood.Version(file.name(), file.text()), options);
        }

        Reading<T> parse(LastGood.Version version, SmOptions options) {
            return new Reading<>(
                    version,
                    version.equals(LastGood.Version.NO_FILE)
                            ? new Parsed<>(none, List.of())
                            : parser.parse(version.name(), version.text(), options));
        }
    }

    /** A version of a file, and what it says. */
    record Reading<T>(LastGood.Version version, Parsed<T> parsed) {}

    ReloadedFile(Kind<T> kind) {
        this.kind = kind;
        this.inForce = kind.none();
    }

    /**
     * Reads the file without using it.
     *
     * @return what can be used, but not as the operator may think
     * @throws ConfigurationException with file, line and remedy of each error
     */
    List<Finding> check(SmOptions options) throws ConfigurationException {
        Parsed<T> parsed = kind.read(options).parsed();
        if (!parsed.isUsable()) {
            throw new ConfigurationException(errors(parsed));
        }
        return parsed.findings();
    }

    private static List<String> errors(Parsed<?> parsed) {
        return parsed.findings().stream()
                .filter(Parsed::isError)
                .map(Finding::text)
                .toList();
    }

    /**
     * Keeps what is in force in a state directory from now on, and goes on from what was kept there if the file cannot be used.
     *
     * @throws ConfigurationException if neither can be used, and the SM must not start without
     */
    public void keepIn(StateDirectory directory, SmOptions options) throws ConfigurationException {
        LastGood store = new LastGood(directory, kind.kept());
        lastGood = store;
        Parsed<T> parsed = kind.read(options).parsed();
        T last = store.last()
                .map(version -> kind.parse(version, options).parsed())
                .filter(Parsed::isUsable)
                .map(Parsed::value)
                .orElse(null);
        if (last != null) {
            inForce = last;
            ofLastRun = last;
        } else if (!parsed.isUsable() && kind.isVital()) {
            List<String> problems = new ArrayList<>(errors(parsed));
            problems.add("no earlier version is known that could be used instead: correct the file, or set "
                    + kind.setting().key() + " to another one");
            throw new ConfigurationException(problems);
        }
    }

    /**
     * What is in force while nothing can be judged yet, for want of a subnet: what the last run had, if that is known; else
     * what the file says. The next {@link #read} decides.
     */
    public T readUnlessChanged(SmOptions options) {
        T last = ofLastRun;
        Parsed<T> parsed = kind.read(options).parsed();
        return last != null && parsed.isUsable() && !Objects.equals(last, parsed.value()) ? last : read(options);
    }

    /** What the file says, or why it cannot be used, without using it. */
    public Peek<T> peek(SmOptions options) {
        Parsed<T> parsed = kind.read(options).parsed();
        return new Peek<>(parsed.isUsable() ? parsed.value() : null, errors(parsed));
    }

    /**
     * A file as it is now.
     *
     * @param value null if it cannot be used
     * @param problems why it cannot
     */
    public record Peek<T>(@Nullable T value, List<String> problems) {}

    /** What the file says, for a time when it cannot be judged yet; what is in force if it cannot be used. */
    public T unjudged(SmOptions options) {
        T value = kind.read(options).parsed().value();
        return value == null ? inForce : value;
    }

    /** Reads the file, and returns what is in force from now on. */
    public T read(SmOptions options) {
        return read(options, value -> List.of());
    }

    /**
     * The same for a file that must suit the subnet.
     *
     * @param judge finds what does not; an error keeps the file from being used
     */
    public T read(SmOptions options, Function<T, List<Finding>> judge) {
        Reading<T> reading = kind.read(options);
        Parsed<T> parsed = reading.parsed();
        T value = parsed.value();
        if (value != null) {
            List<Finding> findings = new ArrayList<>(parsed.findings());
            findings.addAll(judge.apply(value));
            parsed = new Parsed<>(value, findings);
        }
        report(parsed);
        if (value != null && parsed.isUsable()) {
            use(value);
            if (lastGood != null) {
                lastGood.keep(reading.version());
            }
        }
        return inForce;
    }

    private void use(T value) {
        boolean isNew = !Objects.equals(value, inForce);
        if (isStaying) {
            EVENTS.report(kind.again().apply(value));
        } else if (isNew) {
            kind.changed().apply(value).ifPresent(EVENTS::report);
        }
        isStaying = false;
        inForce = isNew ? value : inForce;
    }

    /** What is in force; may be called from any thread. */
    public T inForce() {
        return inForce;
    }

    private void report(Parsed<T> parsed) {
        if (parsed.findings().equals(reported)) {
            return;
        }
        reported = parsed.findings();
        reported.forEach(EVENTS::report);
        if (!parsed.isUsable()) {
            EVENTS.report(kind.stays().apply(inForce));
            isStaying = true;
        }
    }
}
