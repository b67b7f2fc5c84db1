package io.torussm.daemon.house;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The limits of {@code docs/developer/style.md}. An exception is a line of {@code house.tsv}: measure, subject, number,
 * reason. A number that shrank is written into the table with {@code -Dregenerate=true}; no run raises one or adds a
 * line.
 */
@Tag("slow")
class HouseTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path TABLE = Path.of("src/test/resources/house.tsv");

    @Test
    void staysWithinItsLimits() throws IOException {
        Map<String, Entry> exceptions = exceptions();
        Map<String, Measurement> measured = new TreeMap<>();
        List<SourceFile> files = SourceFile.all(ROOT);
        List<Measurement> all = new ArrayList<>(Structure.measure(files));
        all.addAll(Language.ofSources(files));
        all.addAll(Language.ofPages(ROOT));
        all.addAll(Habits.measure(files));
        all.forEach(one -> measured.merge(one.key(), one, (a, b) -> a.value() >= b.value() ? a : b));
        if (Boolean.getBoolean("regenerate")) {
            Files.writeString(TABLE, shrunk(exceptions, measured));
            exceptions = exceptions();
        }
        List<String> tooLarge = new ArrayList<>();
        for (Measurement one : measured.values()) {
            Entry exception = exceptions.get(one.key());
            if (one.value() > (exception == null ? one.measure().limit : exception.value)) {
                tooLarge.add(one.key() + "\t" + one.value());
            }
        }
        assertThat(tooLarge)
                .as("above the limits of docs/developer/style.md and the exceptions of house.tsv")
                .isEmpty();
        List<String> tooGenerous = new ArrayList<>();
        exceptions.forEach((key, exception) -> {
            Measurement one = measured.get(key);
            if (one == null || one.value() < exception.value) {
                tooGenerous.add(key + "\t" + (one == null ? "absent" : one.value()));
            }
        });
        assertThat(tooGenerous)
                .as("these shrank; write that down: mvn -o -q -pl daemon -am test -Dtest=HouseTest -Dregenerate=true"
                        + " -Dsurefire.failIfNoSpecifiedTests=false")
                .isEmpty();
    }

    /** Text, the limits of which are known: the test above can fail. */
    @Test
    void countsPhrasesOfTheWordList() {
        assertThat(Language.rate(List.of("what came of a sweep", "the outcome of a sweep is known")))
                .isEqualTo(8333);
        assertThat(Language.rate(List.of("The outcome of a sweep."))).isZero();
    }

    private static Map<String, Entry> exceptions() throws IOException {
        Map<String, Entry> exceptions = new LinkedHashMap<>();
        for (String line : Files.readAllLines(TABLE)) {
            if (!line.startsWith("#")) {
                String[] cells = line.split("\t");
                assertThat(cells).as(line).hasSize(4);
                exceptions.put(cells[0] + "\t" + cells[1], new Entry(Integer.parseInt(cells[2]), cells[3]));
            }
        }
        return exceptions;
    }

    private static String shrunk(Map<String, Entry> exceptions, Map<String, Measurement> measured) throws IOException {
        StringBuilder table = new StringBuilder();
        Files.readAllLines(TABLE).stream().filter(line -> line.startsWith("#")).forEach(line -> table.append(line)
                .append('\n'));
        exceptions.forEach((key, exception) -> {
            Measurement one = measured.get(key);
            if (one != null && one.value() > one.measure().limit) {
                table.append("%s\t%d\t%s\n".formatted(key, Math.min(one.value(), exception.value), exception.reason));
            }
        });
        return table.toString();
    }

    private record Entry(int value, String reason) {}
}
