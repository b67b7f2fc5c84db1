package io.torussm.daemon.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The lines of the log for the journal of systemd: their priority, and the stream to which they are written. */
class JournalLogTest {
    @TempDir
    Path dir;

    @ParameterizedTest
    @CsvSource({"ERROR,3", "WARN,4", "INFO,6", "DEBUG,7", "TRACE,7"})
    void beginWithThePriority(String level, int priority) {
        LoggerContext context = new LoggerContext();
        LogLine layout = new LogLine(LogLine.Head.JOURNAL);
        Logger logger = context.getLogger("io.torussm");
        LoggingEvent event =
                new LoggingEvent("", logger, Level.toLevel(level), "an ERROR\nof INFO", null, new Object[0]);
        event.setThreadName("sm");
        assertThat(layout.doLayout(event)).isEqualTo("<" + priority + ">[sm] an ERROR | of INFO\n");
    }

    @Test
    void areWrittenToTheStreamThatTheJournalNamesOnly() throws Exception {
        Path stream = Files.createFile(dir.resolve("stream"));
        Map<String, Object> is = Files.readAttributes(stream, "unix:dev,ino");
        Map<String, String> environment = Map.of("JOURNAL_STREAM", is.get("dev") + ":" + is.get("ino"));
        assertThat(LogSetup.isJournal(environment, stream)).isTrue();
        assertThat(LogSetup.isJournal(environment, Files.createFile(dir.resolve("other"))))
                .isFalse();
        assertThat(LogSetup.isJournal(Map.of(), stream)).isFalse();
        assertThat(LogSetup.isJournal(environment, dir.resolve("absent"))).isFalse();
    }
}
