package io.torussm.daemon.config;

import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The version of a configuration file that was used last, in the state directory: a restart with a file that was broken
 * meanwhile goes on with it. Owner thread: that of the file.
 */
final class LastGood {
    private static final char LINE = '|';

    private final StateDirectory directory;
    private final StateFile file;
    private Optional<Version> last;

    /**
     * One version.
     *
     * @param name the path of the configuration file
     * @param text all of it
     */
    record Version(String name, String text) {
        /** There is no file. */
        static final Version NO_FILE = new Version("", "");

        /** Written out, like the next: what the JVM weaves for a record when it is first asked takes longer than a start may. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Version version && version.name.equals(name) && version.text.equals(text);
        }

        @Override
        public int hashCode() {
            return 31 * name.hashCode() + text.hashCode();
        }
    }

    /** Reads what is there; {@code file} says what it is called. */
    LastGood(StateDirectory directory, StateFile file) {
        this.directory = directory;
        this.file = file;
        this.last = directory.read(file, new Lines());
    }

    /** What was used last; empty if nothing is known of it. */
    Optional<Version> last() {
        return last;
    }

    /** Keeps what is used now. */
    void keep(Version version) {
        Optional<Version> now = Optional.of(version);
        if (!now.equals(last)) {
            last = now;
            directory.write(file, () -> records(version));
        }
    }

    /** Blank lines stay, so that errors have the right line; a mark before each keeps it from being taken for none. */
    private static Stream<String> records(Version version) {
        return Stream.concat(Stream.of(version.name()), version.text().lines().map(line -> LINE + line));
    }

    private static final class Lines implements StateFile.Parser<Version> {
        private final List<String> lines = new ArrayList<>();

        @Override
        public String take(String line) {
            if (!lines.isEmpty() && line.charAt(0) != LINE) {
                return "a line begins with " + LINE;
            }
            lines.add(line);
            return "";
        }

        @Override
        public Version value() {
            StringBuilder text = new StringBuilder();
            lines.stream().skip(1).forEach(line -> text.append(line, 1, line.length())
                    .append('\n'));
            return new Version(lines.isEmpty() ? "" : lines.get(0), text.toString());
        }
    }
}
