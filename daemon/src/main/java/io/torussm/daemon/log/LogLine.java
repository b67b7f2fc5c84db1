package io.torussm.daemon.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.LayoutBase;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.List;
import java.util.TimeZone;
import java.util.concurrent.TimeUnit;

/**
 * One line per event, and the lines of the exception that caused it; control characters from the wire were removed where texts were
 * read. Written out rather than a pattern of Logback, which costs a start its parser, regular expressions, and what Java knows of time
 * zones and languages. May be used by any thread.
 */
final class LogLine extends LayoutBase<ILoggingEvent> {
    /** Threads that JGroups makes have names of their own. */
    private static final List<String> REPLICA =
            List.of("replica", "VERIFY_SUSPECT", "FD_", "MERGE", "GMS", "TCP", "ConnectionHandler");

    private static final int LEVEL_WIDTH = 5;

    /** What stands before the text. */
    enum Head {
        /** Time, level and thread. */
        FULL,
        /** For the journal, which knows time and process, and takes the level as sd-daemon(3) writes it. */
        JOURNAL,
        /** For somebody at a terminal. */
        PROGRAM
    }

    private final Head head;

    LogLine(Head head) {
        this.head = head;
    }

    /** Such lines, for an appender. */
    static Encoder<ILoggingEvent> encoder(Head head) {
        LayoutWrappingEncoder<ILoggingEvent> encoder = new LayoutWrappingEncoder<>();
        LogLine line = new LogLine(head);
        line.start();
        encoder.setLayout(line);
        encoder.start();
        return encoder;
    }

    @Override
    public String doLayout(ILoggingEvent event) {
        StringBuilder line = new StringBuilder();
        switch (head) {
            case FULL -> {
                putTime(line, event.getTimeStamp(), TimeZone.getDefault());
                String level = event.getLevel().toString();
                line.append(' ').append(level).append(" ".repeat(Math.max(0, LEVEL_WIDTH - level.length())));
                line.append(" [").append(thread(event.getThreadName())).append("] ");
            }
            case JOURNAL ->
                line.append('<')
                        .append(priority(event.getLevel()))
                        .append(">[")
                        .append(thread(event.getThreadName()))
                        .append("] ");
            case PROGRAM -> line.append("torus-sm: ");
        }
        putOneLine(line, event.getFormattedMessage());
        line.append('\n');
        IThrowableProxy cause = event.getThrowableProxy();
        return (cause == null ? line : line.append(ThrowableProxyUtil.asString(cause))).toString();
    }

    /** As ISO 8601 has it: {@code 2026-11-25T18:01:02.345+01:00}, with Z for UTC. */
    static void putTime(StringBuilder line, long ms, TimeZone zone) {
        ZoneOffset offset = ZoneOffset.ofTotalSeconds((int) TimeUnit.MILLISECONDS.toSeconds(zone.getOffset(ms)));
        long ofSecond = Math.floorMod(ms, 1000);
        LocalDateTime time = LocalDateTime.ofEpochSecond(Math.floorDiv(ms, 1000), 0, offset);
        put(line, time.getYear(), 4, '-');
        put(line, time.getMonthValue(), 2, '-');
        put(line, time.getDayOfMonth(), 2, 'T');
        put(line, time.getHour(), 2, ':');
        put(line, time.getMinute(), 2, ':');
        put(line, time.getSecond(), 2, '.');
        put(line, ofSecond, 3, offset.getId());
    }

    private static void put(StringBuilder line, long value, int digits, Object then) {
        String text = Long.toString(value);
        line.append("0".repeat(Math.max(0, digits - text.length())))
                .append(text)
                .append(then);
    }

    private static String thread(String name) {
        return REPLICA.stream().anyMatch(name::startsWith) ? "replica" : name;
    }

    private static void putOneLine(StringBuilder line, String text) {
        boolean isBroken = false;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            boolean isBreak = c == '\n' || c == '\r';
            if (!isBreak) {
                line.append(c);
            } else if (!isBroken) {
                line.append(" | ");
            }
            isBroken = isBreak;
        }
    }

    /** As sd-daemon(3) counts. */
    static int priority(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> 3;
            case Level.WARN_INT -> 4;
            case Level.INFO_INT -> 6;
            default -> 7;
        };
    }
}
