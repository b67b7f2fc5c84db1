package io.torussm.daemon.config.files;

import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.SmOptions;
import io.torussm.event.Finding;
import io.torussm.state.StateFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A type of file that is read again at whole sweeps. Immutable.
 *
 * @param setting the setting that names the file
 * @param defaultPath path that is read if it exists, no file is named, and the fabric is not simulated
 * @param maxBytes max size of the file in bytes
 * @param isWanted condition on options under which the file is read
 * @param none contents if there is no file
 * @param parser parser of the text
 * @param onUnusable makes the event for a file that becomes unusable, from the active contents, which stay
 * @param onChange makes the event for changed contents, from the new contents; empty for no event
 * @param onUsableAgain makes the event that ends that of {@code onUnusable}, from the new contents
 * @param stateFile the state file of the last active contents
 * @param isVital whether an SM must not start without usable contents
 */
record FileFormat<T>(
        Setting<Optional<Path>> setting,
        Path defaultPath,
        long maxBytes,
        Predicate<SmOptions> isWanted,
        T none,
        Parser<T> parser,
        Function<T, Finding> onUnusable,
        Function<T, Optional<Finding>> onChange,
        Function<T, Finding> onUsableAgain,
        StateFile stateFile,
        boolean isVital) {

    /** A parser of the text of a file. */
    interface Parser<T> {
        ReloadedFile.Parsed<T> parse(String name, String text, SmOptions options);
    }

    /** Begins the description of a type of file. */
    static <T> Builder<T> of(Setting<Optional<Path>> setting, Path defaultPath, T none, Parser<T> parser) {
        return new Builder<>(setting, defaultPath, none, parser);
    }

    ReloadedFile.Reading<T> read(SmOptions options) {
        ConfFile file = isWanted.test(options)
                ? ConfFile.read(
                        options.values().get(setting).orElse(null),
                        options.port().isSimulated() ? null : defaultPath,
                        maxBytes,
                        setting)
                : null;
        if (file == null) {
            return parse(LastGood.Version.NO_FILE, options);
        }
        return file.text() == null
                ? new ReloadedFile.Reading<>(LastGood.Version.NO_FILE, new ReloadedFile.Parsed<>(null, file.problems()))
                : parse(new LastGood.Version(file.name(), file.text()), options);
    }

    ReloadedFile.Reading<T> parse(LastGood.Version version, SmOptions options) {
        return new ReloadedFile.Reading<>(
                version,
                version.equals(LastGood.Version.NO_FILE)
                        ? new ReloadedFile.Parsed<>(none, List.of())
                        : parser.parse(version.name(), version.text(), options));
    }

    /** The builder of a format. By default a file is always read, and a change of its contents has no event. */
    static final class Builder<T> {
        private final Setting<Optional<Path>> setting;
        private final Path defaultPath;
        private final T none;
        private final Parser<T> parser;
        private Predicate<SmOptions> isWanted = options -> true;
        private Function<T, Optional<Finding>> onChange = changed -> Optional.empty();
        private @Nullable Function<T, Finding> onUnusable;
        private @Nullable Function<T, Finding> onUsableAgain;
        private long maxBytes;
        private @Nullable StateFile stateFile;
        private boolean isVital;

        private Builder(Setting<Optional<Path>> setting, Path defaultPath, T none, Parser<T> parser) {
            this.setting = setting;
            this.defaultPath = defaultPath;
            this.none = none;
            this.parser = parser;
        }

        /** Sets the condition on options under which the file is read (default: always). */
        Builder<T> readIf(Predicate<SmOptions> condition) {
            isWanted = condition;
            return this;
        }

        Builder<T> onUnusable(Function<T, Finding> event) {
            onUnusable = event;
            return this;
        }

        Builder<T> onChange(Function<T, Finding> event) {
            onChange = changed -> Optional.of(event.apply(changed));
            return this;
        }

        Builder<T> onUsableAgain(Function<T, Finding> event) {
            onUsableAgain = event;
            return this;
        }

        /**
         * Sets the state file of the last active contents. It may be twice as long as the file, because its records
         * contain the text with escapes.
         *
         * @param name name of the state file
         * @param maxFileBytes max size of the file in bytes
         * @param noun noun for the file in the remedy for damage of the state file
         */
        Builder<T> storedAs(String name, long maxFileBytes, String noun) {
            maxBytes = maxFileBytes;
            stateFile = StateFile.of(name, 1, 2 * maxFileBytes, noun + " has to be free of errors");
            return this;
        }

        /** Makes the state file readable for its owner only. */
        Builder<T> secret() {
            stateFile = Objects.requireNonNull(stateFile, "keptAs comes before").secret();
            return this;
        }

        /** Prevents the start of an SM without usable contents. */
        Builder<T> vital() {
            isVital = true;
            return this;
        }

        FileFormat<T> build() {
            return new FileFormat<>(
                    setting,
                    defaultPath,
                    maxBytes,
                    isWanted,
                    none,
                    parser,
                    Objects.requireNonNull(onUnusable),
                    onChange,
                    Objects.requireNonNull(onUsableAgain),
                    Objects.requireNonNull(stateFile),
                    isVital);
        }
    }
}
