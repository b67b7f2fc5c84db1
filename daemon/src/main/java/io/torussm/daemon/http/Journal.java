package io.torussm.daemon.http;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import java.util.ArrayDeque;
import java.util.List;
import org.slf4j.LoggerFactory;

/** The last lines that the log told the operator: what happens in the subnet, in words. Written and read by any thread. */
final class Journal extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    /** Lines that are kept. */
    static final int KEPT = 256;

    private static final int MAX_TEXT = 1000;

    private final ArrayDeque<Line> lines = new ArrayDeque<>();
    private long written;

    /**
     * A line.
     *
     * @param id counted from 1
     * @param timeMs since 1970
     * @param level info, warn or error
     */
    record Line(long id, long timeMs, String level, String text) {}

    private Journal() {}

    /** Listens to the log from now on, as far as the log level lets things through. */
    static Journal open() {
        Journal journal = new Journal();
        journal.start();
        logger().addAppender(journal);
        return journal;
    }

    private static Logger logger() {
        return (Logger) LoggerFactory.getLogger("io.torussm");
    }

    @Override
    protected void append(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
            String text = event.getFormattedMessage();
            add(
                    event.getTimeStamp(),
                    event.getLevel().levelStr.toLowerCase(java.util.Locale.ROOT),
                    text.length() > MAX_TEXT ? text.substring(0, MAX_TEXT) + "..." : text);
        }
    }

    private synchronized void add(long timeMs, String level, String text) {
        written++;
        lines.add(new Line(written, timeMs, level, text));
        if (lines.size() > KEPT) {
            lines.remove();
        }
    }

    /** The lines after one, those that are still there. */
    synchronized List<Line> after(long id) {
        return lines.stream().filter(line -> line.id() > id).toList();
    }

    @Override
    public void close() {
        logger().detachAppender(this);
        stop();
    }
}
