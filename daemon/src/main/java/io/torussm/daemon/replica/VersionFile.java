package io.torussm.daemon.replica;

import io.torussm.state.StateFile;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The format of the versions of the state files of an SM, in its state directory and in messages to peers: a line
 * {@code NAME TERM NUMBER} for each file.
 */
final class VersionFile {
    /** The file of the versions. After a restart of all SMs it shows which SM has newer files. */
    static final StateFile FILE = StateFile.of(
            "replica-versions", 1, 1 << 16, "the state of the next master counts as the newest, whether it is or not");

    private VersionFile() {}

    /** Formats versions as lines, in ascending order of the names. */
    static Stream<String> lines(Map<String, FileVersion> versions) {
        return new TreeMap<>(versions)
                .entrySet().stream()
                        .map(entry -> entry.getKey() + " " + entry.getValue().term() + " "
                                + entry.getValue().number());
    }

    /** The parser of the lines. */
    static final class VersionLines implements StateFile.Parser<Map<String, FileVersion>> {
        private static final int MAX_FILES = 64;

        private final Map<String, FileVersion> versions = new LinkedHashMap<>();

        @Override
        public String parseLine(String line) {
            List<String> words = new ArrayList<>(List.of(line.split(" ", -1)));
            if (words.size() != 3 || versions.size() == MAX_FILES) {
                return "expected the name of a file, a term and a number";
            }
            try {
                FileVersion version = new FileVersion(Long.parseLong(words.get(1)), Long.parseLong(words.get(2)));
                @Nullable FileVersion other = versions.put(words.get(0), version);
                return other == null ? "" : "the file appears twice";
            } catch (IllegalArgumentException e) {
                return "not a version: " + e.getMessage();
            }
        }

        @Override
        public Map<String, FileVersion> value() {
            return versions;
        }
    }
}
