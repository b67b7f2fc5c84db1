package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The catalogue of events is whole, is used, is documented, and nothing that an operator sees goes past it. */
class EventCatalogueTest {
    private static final List<String> MODULES =
            List.of("mad-transport", "sm-core", "routing-torus2qos", "qos", "daemon");

    /** A line of the log above debug; the event package alone may write one. */
    private static final Pattern PLAIN_LINE = Pattern.compile(
            "\\b(?:LOG|LOGGER|log|logger)\\s*\\.\\s*(?:info|warn|error|at(?:Info|Warn|Error|Level))\\(");

    private static final Pattern USE = Pattern.compile("\\bSmEvent\\.([A-Z0-9_]+)\\b(?!\\()");
    private static final Pattern REPORT =
            Pattern.compile("(?:EVENTS\\.report|Finding\\.of)\\(\\s*SmEvent\\.([A-Z0-9_]+)\\b(?!\\.)([^;]*);");
    private static final Pattern FIELD = Pattern.compile("EventField\\.([A-Z]+)\\.of\\(");

    @Test
    void referenceMatchesTheCatalogue() throws IOException {
        GeneratedPart.check(EventDocs.DIR + "events-reference.md", EventDocs.reference());
    }

    @Test
    void everyCodeIsUnique() {
        assertThat(Arrays.stream(SmEvent.values()).map(SmEvent::code))
                .doesNotHaveDuplicates()
                .allMatch(code -> code.matches("TSM-[1-9]\\d{3}"))
                .isSorted();
    }

    @ParameterizedTest
    @EnumSource
    void everyEventExplainsItself(SmEvent event) {
        assertThat(event.meaning()).matches("(?s)\\S.*\\.");
        assertThat(event.remedy()).matches("(?s)|\\S.*\\.");
    }

    /** The rule of docs/developer/adr/0025-levels-of-events.md. */
    @ParameterizedTest
    @EnumSource
    void everyErrorAndWarningNamesItsRemedyAndItsEnd(SmEvent event) {
        boolean isInfo = event.severity() == Finding.Severity.INFO;
        if (!isInfo) {
            assertThat(event.remedy()).isNotEmpty().doesNotStartWith("Do nothing");
            assertThat(event.clearedBy()).isNotEmpty();
        }
        if (event.isEndOnly()) {
            assertThat(isInfo).as("an end is good news").isTrue();
            assertThat(Arrays.stream(SmEvent.values()).map(SmEvent::endCode)).contains(event.code());
        }
        if (!event.endCode().isEmpty()) {
            assertThat(event.clearedBy()).isEqualTo(event.endCode());
            assertThat(SmEvent.ofCode(event.endCode()))
                    .isNotNull()
                    .extracting(SmEvent::severity)
                    .isEqualTo(Finding.Severity.INFO);
        }
    }

    @Test
    void everyEventIsReportedSomewhere() throws IOException {
        Set<SmEvent> unused = EnumSet.allOf(SmEvent.class);
        eachSource((file, source) -> {
            Matcher use = USE.matcher(source);
            while (use.find()) {
                unused.remove(SmEvent.valueOf(use.group(1)));
            }
        });
        unused.removeAll(Set.of(SmEvent.ROUTING_ERROR, SmEvent.ROUTING_WARNING, SmEvent.ROUTING_NOTE)); // by Finding
        assertThat(unused).isEmpty();
    }

    /** Also of lines that no test makes happen. */
    @Test
    void everyReportGivesTheFieldsThatAreDeclared() throws IOException {
        int[] found = {0};
        eachSource((file, source) -> {
            Matcher report = REPORT.matcher(source);
            while (report.find()) {
                SmEvent event = SmEvent.valueOf(report.group(1));
                Set<EventField> given = EnumSet.noneOf(EventField.class);
                Matcher field = FIELD.matcher(report.group(2));
                while (field.find()) {
                    given.add(EventField.valueOf(field.group(1)));
                }
                if (!report.group(2).contains("fields(")) {
                    assertThat(given).as("%s in %s", event, file).containsAll(event.textFields());
                    found[0]++;
                }
                assertThat(event.fields()).as("%s in %s", event, file).containsAll(given);
            }
        });
        assertThat(found[0]).isGreaterThan(80);
    }

    @Test
    void allLoggedEventsAreInTheCatalogue() throws IOException {
        eachSource((file, source) -> assertThat(
                        PLAIN_LINE.matcher(source).results().map(match -> match.group()))
                .as("lines from level info on are events, in %s", file)
                .isEmpty());
    }

    private interface Look {
        void at(Path file, String source);
    }

    private static void eachSource(Look look) throws IOException {
        for (String module : MODULES) {
            try (Stream<Path> files = Files.walk(Path.of("..", module, "src/main/java"))) {
                files.filter(file -> file.toString().endsWith(".java"))
                        .filter(file -> !file.toString().contains("/io/torussm/event/"))
                        .forEach(file -> look.at(file, read(file)));
            }
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
