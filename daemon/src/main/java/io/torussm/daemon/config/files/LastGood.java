package io.torussm.daemon.config.files;

import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The last used version of a configuration file, for a restart with a faulty one. Thread: that of the file. */
final class LastGood {
    private static final char LINE = '|';

    private final StateDirectory directory;
    private final StateFile file;
    private Optional<Version> last;

    /**
     * A version of the file.
     *
     * @param name the path of the configuration file
     * @param text the whole text
     */
    record Version(String name, String text) {
        /** The version of an absent file. */
        static final Version NO_FILE = new Version("", "");

        /** Compares by hand, like the next method: generated methods of a record would delay the start. */
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Version version && version.name.equals(name) && version.text.equals(text);
        }

        @Override
        public int hashCode() {
            return 31 * name.hashCode() + text.hashCode();
        }
    }

    /** Creates the store of a file; {@code file} has its name. */
    LastGood(StateDirectory directory, StateFile file) {
        this.directory = directory;
        this.file = file;
        this.last = directory.read(file, new VersionLines());
    }

    /** Returns the version that was used last; empty if it is unknown. */
    Optional<Version> last() {
        return last;
    }

    /** Stores the version in use. */
    void keep(Version version) {
        Optional<Version> current = Optional.of(version);
        if (!current.equals(last)) {
            last = current;
            directory.write(file, () -> records(version));
        }
    }

    /** Returns the records of a version. A mark keeps blank lines, so that errors have the right line. */
    private static Stream<String> records(Version version) {
        return Stream.concat(Stream.of(version.name()), version.text().lines().map(line -> LINE + line));
    }

    private static final class VersionLines implements StateFile.Parser<Version> {
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
