package io.torussm.daemon.config.files;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.Finding;
import io.torussm.event.log.EventLog;
import io.torussm.state.StateDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A file that is read again at whole sweeps. If the file has an error, the active contents stay, also after a restart
 * ({@link #keepFileIn}). This is reported when it begins, when the errors change, and when it ends. Owner thread: the
 * loop, except for {@link #active}.
 *
 * @param <T> type of the contents
 */
public final class ReloadedFile<T> {
    private static final EventLog EVENTS = EventLog.of(ReloadedFile.class);

    private final FileFormat<T> format;
    private volatile T active;
    private List<Finding> reportedFindings = List.of();

    /** True while it is reported that the active contents stay although the file has others. */
    private boolean isStaleReported;

    private @Nullable LastGood lastGood;

    /** The active contents at the end of the last process; null if unknown. */
    private @Nullable T lastRunContents;

    /**
     * The contents of a file.
     *
     * @param value parsed contents; null if the file cannot be used
     * @param findings errors, and warnings of usable contents that the operator may not expect
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

    /** A version of a file, and its contents. */
    record Reading<T>(LastGood.Version version, Parsed<T> parsed) {}

    ReloadedFile(FileFormat<T> format) {
        this.format = format;
        this.active = format.none();
    }

    /**
     * Reads the file, but does not make its contents active.
     *
     * @return warnings of usable contents that the operator may not expect
     * @throws ConfigurationException with file, line and remedy of each error
     */
    List<Finding> check(SmOptions options) throws ConfigurationException {
        Parsed<T> parsed = format.read(options).parsed();
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
     * Keeps the active contents in a state directory from now on, and makes those of the last process active.
     *
     * @throws ConfigurationException if neither these nor the file can be used, and the SM must not start without them
     */
    public void keepFileIn(StateDirectory directory, SmOptions options) throws ConfigurationException {
        LastGood store = new LastGood(directory, format.stateFile());
        lastGood = store;
        Parsed<T> parsed = format.read(options).parsed();
        T lastContents = store.last()
                .map(version -> format.parse(version, options).parsed())
                .filter(Parsed::isUsable)
                .map(Parsed::value)
                .orElse(null);
        if (lastContents != null) {
            active = lastContents;
            lastRunContents = lastContents;
        } else if (!parsed.isUsable() && format.isVital()) {
            List<String> problems = new ArrayList<>(errors(parsed));
            problems.add("no earlier version is known that could be used instead: correct the file, or set "
                    + format.setting().key() + " to another one");
            throw new ConfigurationException(problems);
        }
    }

    /**
     * Returns the active contents while there is no subnet yet to check them against. If the file has changed since the
     * last process, these are the contents of that process, until the next {@link #read}. Otherwise these are the
     * contents of the file.
     */
    public T readUnlessChanged(SmOptions options) {
        T lastContents = lastRunContents;
        Parsed<T> parsed = format.read(options).parsed();
        return lastContents != null && parsed.isUsable() && !Objects.equals(lastContents, parsed.value())
                ? lastContents
                : read(options);
    }

    /** Returns the contents of the file, or the reasons why it cannot be used, but does not make them active. */
    public Peek<T> peek(SmOptions options) {
        Parsed<T> parsed = format.read(options).parsed();
        return new Peek<>(parsed.isUsable() ? parsed.value() : null, errors(parsed));
    }

    /**
     * The present contents of a file.
     *
     * @param value parsed contents; null if the file cannot be used
     * @param problems the reasons why it cannot be used; empty if it can be used
     */
    public record Peek<T>(@Nullable T value, List<String> problems) {}

    /**
     * Returns the contents of the file without a check against a subnet; the active contents if it cannot be parsed.
     */
    public T readUnchecked(SmOptions options) {
        T value = format.read(options).parsed().value();
        return value == null ? active : value;
    }

    /** Reads the file, and returns the contents that are active from now on. */
    public T read(SmOptions options) {
        return read(options, value -> List.of());
    }

    /**
     * Reads a file that must suit the subnet, and returns the contents that are active from now on.
     *
     * @param check returns findings on contents that do not suit the subnet; an error rejects the file
     */
    public T read(SmOptions options, Function<T, List<Finding>> check) {
        Reading<T> reading = format.read(options);
        Parsed<T> parsed = reading.parsed();
        T value = parsed.value();
        if (value != null) {
            List<Finding> findings = new ArrayList<>(parsed.findings());
            findings.addAll(check.apply(value));
            parsed = new Parsed<>(value, findings);
        }
        report(parsed);
        if (value != null && parsed.isUsable()) {
            activate(value);
            if (lastGood != null) {
                lastGood.keep(reading.version());
            }
        }
        return active;
    }

    private void activate(T value) {
        boolean isNew = !Objects.equals(value, active);
        if (isStaleReported) {
            EVENTS.report(format.onUsableAgain().apply(value));
        } else if (isNew) {
            format.onChange().apply(value).ifPresent(EVENTS::report);
        }
        isStaleReported = false;
        active = isNew ? value : active;
    }

    /** Returns the active contents; may be called from any thread. */
    public T active() {
        return active;
    }

    private void report(Parsed<T> parsed) {
        if (parsed.findings().equals(reportedFindings)) {
            return;
        }
        reportedFindings = parsed.findings();
        reportedFindings.forEach(EVENTS::report);
        if (!parsed.isUsable()) {
            EVENTS.report(format.onUnusable().apply(active));
            isStaleReported = true;
        }
    }
}
