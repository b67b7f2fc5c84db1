package io.torussm.daemon.config.files;

import io.torussm.state.StateDirectory;
import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The store of the last used version of a configuration file, which is used after a restart if the file is invalid.
 * Owner thread: that of the user of the file.
 */
final class LastGood {
    /** The mark before each line of the text in the state file. */
    private static final char LINE = '|';

    private final StateDirectory directory;
    private final StateFile file;
    private Optional<Version> last;

    /**
     * A version of the file.
     *
     * @param name path of the configuration file
     * @param text whole text of the file
     */
    record Version(String name, String text) {
        /** The version of an absent file. */
        static final Version NO_FILE = new Version("", "");

        // equals and hashCode are written by hand, because the generated methods of a record delay the start.
        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Version version && version.name.equals(name) && version.text.equals(text);
        }

        @Override
        public int hashCode() {
            return 31 * name.hashCode() + text.hashCode();
        }
    }

    /** Creates a store in a state file, and reads the version that was used last. */
    LastGood(StateDirectory directory, StateFile file) {
        this.directory = directory;
        this.file = file;
        this.last = directory.read(file, new VersionLines());
    }

    /** Returns the version that was used last; empty if it is unknown. */
    Optional<Version> last() {
        return last;
    }

    /** Stores the used version. */
    void keep(Version version) {
        Optional<Version> current = Optional.of(version);
        if (!current.equals(last)) {
            last = current;
            directory.write(file, () -> records(version));
        }
    }

    /** Returns the lines of the state file. The mark preserves blank lines, so that errors have the correct line. */
    private static Stream<String> records(Version version) {
        return Stream.concat(Stream.of(version.name()), version.text().lines().map(line -> LINE + line));
    }

    private static final class VersionLines implements StateFile.Parser<Version> {
        private final List<String> lines = new ArrayList<>();

        @Override
        public String parseLine(String line) {
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
