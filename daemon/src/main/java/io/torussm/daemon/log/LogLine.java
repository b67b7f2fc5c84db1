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
 * The layout of an event: one line, followed by the lines of its exception. Control characters from the wire are
 * removed where texts are read. The layout is written by hand, since a pattern of Logback would load its parser,
 * regular expressions, and Java's time zones and locales at the start. Any thread.
 */
final class LogLine extends LayoutBase<ILoggingEvent> {
    /** Beginnings of the names of threads of JGroups. */
    private static final List<String> REPLICA =
            List.of("replica", "VERIFY_SUSPECT", "FD_", "MERGE", "GMS", "TCP", "ConnectionHandler");

    private static final int LEVEL_WIDTH = 5;

    /** The text before the message. */
    enum Head {
        /** Time, level and thread. */
        FULL,
        /** The level as a prefix of sd-daemon(3), for journald, which adds time and process. */
        JOURNAL,
        /** For a terminal. */
        PROGRAM
    }

    private final Head head;

    LogLine(Head head) {
        this.head = head;
    }

    /** Returns an encoder with this layout for an appender. */
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
                line.append(" [").append(threadName(event.getThreadName())).append("] ");
            }
            case JOURNAL ->
                line.append('<')
                        .append(priority(event.getLevel()))
                        .append(">[")
                        .append(threadName(event.getThreadName()))
                        .append("] ");
            case PROGRAM -> line.append("torus-sm: ");
        }
        putOneLine(line, event.getFormattedMessage());
        line.append('\n');
        IThrowableProxy cause = event.getThrowableProxy();
        return (cause == null ? line : line.append(ThrowableProxyUtil.asString(cause))).toString();
    }

    /** Adds a time in ISO 8601: {@code 2026-11-25T18:01:02.345+01:00}, with Z for UTC. */
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

    private static void put(StringBuilder line, long value, int digits, Object previous) {
        String text = Long.toString(value);
        line.append("0".repeat(Math.max(0, digits - text.length())))
                .append(text)
                .append(previous);
    }

    private static String threadName(String name) {
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

    /** Returns the priority of a level in sd-daemon(3). */
    static int priority(Level level) {
        return switch (level.toInt()) {
            case Level.ERROR_INT -> 3;
            case Level.WARN_INT -> 4;
            case Level.INFO_INT -> 6;
            default -> 7;
        };
    }
}
