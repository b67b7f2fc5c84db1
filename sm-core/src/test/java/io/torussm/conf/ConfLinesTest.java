package io.torussm.conf;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines of a file {@code x.conf}, and the findings of its reader. */
class ConfLinesTest {
    private final ConfLines lines = new ConfLines("x.conf", SmEvent.PARTITIONS_ERROR, SmEvent.PARTITIONS_WARNING);

    /** A tilde stands for LF; the expected lines are joined by a bar, and {@code -} is a text without lines. */
    @ParameterizedTest(name = "lines of [{0}]")
    @CsvSource({
        "'', -",
        "'a', a",
        "'a~', a",
        "'a~b', a|b",
        "'a~~b~', a||b",
        "'~', ''",
        "'a~~', a|",
    })
    void aTextHasTheLinesThatAStreamHas(String written, String expected) throws IOException {
        String text = written.replace('~', '\n');
        List<String> ofText = new ArrayList<>();
        lines.read(text, "list", "shorten it", ofText::add);
        List<String> ofStream = new ArrayList<>();
        ConfLines stream = new ConfLines("x.conf", SmEvent.PARTITIONS_ERROR, SmEvent.PARTITIONS_WARNING);
        byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        stream.readDump(new ByteArrayInputStream(bytes), "shorten it", ofStream::add);
        List<String> wanted = expected.equals("-") ? List.of() : List.of(expected.split("\\|", -1));
        assertThat(ofText).isEqualTo(wanted).isEqualTo(ofStream);
        assertThat(lines.line()).isEqualTo(wanted.size()).isEqualTo(stream.line());
    }

    @Test
    void warningsBeyondTheLimitAreCounted() {
        lines.read("word\n".repeat(130), "list", "shorten it", word -> lines.warn("a word"));
        assertThat(lines.isClean()).isTrue();
        assertThat(texts()).hasSize(101).startsWith("x.conf:1: a word").endsWith("x.conf: 30 more warnings and notes");
        assertThat(lines.findings().get(100).event()).isEqualTo(SmEvent.PARTITIONS_WARNING);
    }

    @Test
    void errorsAndWarningsBeyondTheirLimitsAreCountedApart() {
        lines.read("word\n".repeat(102), "list", "shorten it", word -> {
            lines.warn("a word");
            lines.error("no number");
        });
        assertThat(texts()).hasSize(202).endsWith("x.conf: 2 more errors", "x.conf: 2 more warnings and notes");
    }

    @Test
    void findingsUpToTheLimitAreAllReported() {
        lines.read("word\n".repeat(100), "list", "shorten it", word -> lines.warn("a word"));
        assertThat(texts()).hasSize(100).endsWith("x.conf:100: a word");
    }

    private List<String> texts() {
        return lines.findings().stream().map(Finding::text).toList();
    }
}
