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
 * @param defaultPath path that is read if it exists, no other file is named, and the fabric is not simulated
 * @param maxBytes a longer file is not read
 * @param isWanted condition on options under which the file is read
 * @param none contents in place of an absent file
 * @param parser parser of its text
 * @param onUnusable event if the file becomes unusable, from the active contents, which stay
 * @param onChange event if the contents change, from the new ones; empty for none
 * @param onUsableAgain event that ends the one of {@code onUnusable}, from the new contents
 * @param kept the state file of the last active contents
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
        StateFile kept,
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

    /** The steps of a description. A file is wanted always, and a change has no event, unless a step says so. */
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
        private @Nullable StateFile kept;
        private boolean isVital;

        private Builder(Setting<Optional<Path>> setting, Path defaultPath, T none, Parser<T> parser) {
            this.setting = setting;
            this.defaultPath = defaultPath;
            this.none = none;
            this.parser = parser;
        }

        /** Reads the file only with options for which this is true. */
        Builder<T> ifWanted(Predicate<SmOptions> condition) {
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
         * Keeps the last active contents in a state file. It has room for twice the size of the file, since
         * a record has the text with escapes.
         *
         * @param noun the file in the remedy for damage of the state file
         */
        Builder<T> keptAs(String name, long maxFileBytes, String noun) {
            maxBytes = maxFileBytes;
            kept = StateFile.of(name, 1, 2 * maxFileBytes, noun + " has to be free of errors");
            return this;
        }

        /** Lets only the owner read the state file. */
        Builder<T> secret() {
            kept = Objects.requireNonNull(kept, "keptAs comes before").secret();
            return this;
        }

        /** Lets no SM start without usable contents. */
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
                    Objects.requireNonNull(kept),
                    isVital);
        }
    }
}
