package io.torussm.daemon.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import io.torussm.testing.Seeds;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Random;
import java.util.TimeZone;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The text of a line of the log: time, level, thread, and exception. */
class LogLineTest {
    private static final int TIMES = 2_000;
    private static final long YEAR_2100_MS = 4_102_444_800_000L;

    /** As the formatter of Java has it, which a start does without. */
    @ParameterizedTest
    @ValueSource(strings = {"UTC", "Europe/Berlin", "Asia/Kolkata", "America/St_Johns", "Pacific/Apia"})
    void saysTheTimeWithItsOffset(String zone) {
        DateTimeFormatter format = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
        Random random = Seeds.random(1);
        for (int i = 0; i < TIMES; i++) {
            long ms = (long) (random.nextDouble() * YEAR_2100_MS);
            StringBuilder line = new StringBuilder();
            LogLine.putTime(line, ms, TimeZone.getTimeZone(zone));
            assertThat(line)
                    .asString()
                    .isEqualTo(format.format(Instant.ofEpochMilli(ms).atZone(ZoneId.of(zone))));
        }
    }

    @Test
    void isOneLineWithLevelAndThread() {
        assertThat(line(LogLine.Head.FULL, "a\r\nb\n", "sm", null)).endsWith(" WARN  [sm] a | b | \n");
        assertThat(line(LogLine.Head.PROGRAM, "a\nb", "sm", null)).isEqualTo("torus-sm: a | b\n");
    }

    @Test
    void callsThreadsOfJGroupsReplica() {
        assertThat(line(LogLine.Head.JOURNAL, "x", "FD_SOCK acceptor-7", null)).isEqualTo("<4>[replica] x\n");
    }

    @Test
    void showsWhatCausedAnEvent() {
        assertThat(line(LogLine.Head.FULL, "x", "sm", new IllegalStateException("odd")))
                .contains("[sm] x\njava.lang.IllegalStateException: odd\n\tat ");
    }

    private static String line(LogLine.Head head, String text, String thread, @Nullable Throwable cause) {
        Logger logger = new LoggerContext().getLogger("io.torussm");
        LoggingEvent event = new LoggingEvent("", logger, Level.WARN, text, cause, new Object[0]);
        event.setThreadName(thread);
        return new LogLine(head).doLayout(event);
    }
}
