package io.torussm.view;

import io.torussm.mad.Guid;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.state.StateFile;
import io.torussm.subnet.Neighbors;
import io.torussm.view.CableHistory.Entry;
import io.torussm.view.CableHistory.EntryType;
import io.torussm.view.CableHistory.NamedEnd;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The parser of the lines of {@link CableHistory#FILE}. */
final class CableEntryLines implements StateFile.Parser<List<Entry>> {
    private static final int WORDS = 5;
    private final List<Entry> entries = new ArrayList<>();

    @Override
    public String parseLine(String line) {
        String[] words = line.split(" ", WORDS);
        String[] names = words.length < WORDS ? new String[0] : words[WORDS - 1].split("\t", -1);
        Optional<EntryType> kind = words.length < 2
                ? Optional.empty()
                : Arrays.stream(EntryType.values())
                        .filter(type -> type.word().equals(words[1]))
                        .findFirst();
        if (names.length != 2
                || kind.isEmpty()
                || Stream.of(names).anyMatch(name -> name.length() > CableHistory.MAX_TEXT)) {
            return "expected a time, a kind such as down, two ends and their names";
        }
        if (entries.size() == CableHistory.CAPACITY) {
            return "there are more than " + CableHistory.CAPACITY + " lines";
        }
        try {
            entries.add(
                    new Entry(Instant.parse(words[0]), kind.get(), end(words[2], names[0]), end(words[3], names[1])));
            return "";
        } catch (DateTimeException | IllegalArgumentException e) {
            return String.valueOf(e.getMessage());
        }
    }

    private static NamedEnd end(String key, String name) {
        String[] parts = key.split("/", -1);
        int portNum = parts.length == 2 ? Integer.parseInt(parts[1]) : -1;
        if (portNum < 1 || portNum > NodeInfo.MAX_PORT_NUM) {
            throw new IllegalArgumentException("\"" + key + "\" is no GUID/PORT");
        }
        return new NamedEnd(new Neighbors.CableEnd(Guid.parse(parts[0]), portNum), name);
    }

    @Override
    public List<Entry> value() {
        return List.copyOf(entries);
    }
}
