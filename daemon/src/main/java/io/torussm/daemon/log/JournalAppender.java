package io.torussm.daemon.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.torussm.daemon.journal.Journal;
import io.torussm.daemon.journal.LinePace;
import io.torussm.daemon.journal.LogEntries;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * An appender that adds the events and lines of this program from level info on to a journal, and passes all
 * lines to the log. Both receive the same lines in the same order, with the same numbers; see {@link
 * LinePace}.
 */
public final class JournalAppender extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    /** Key of the number of a line among its key-value pairs. */
    public static final String NUMBER = "number";

    private static final long TICK_MS = 1000;

    private final Logger logger;
    private final LinePace pace;
    private final ScheduledExecutorService tickExecutor;
    private final ScheduledFuture<?> tickTimer;

    private JournalAppender(Journal journal, Logger logger) {
        this.logger = logger;
        Logger root = logger.getLoggerContext().getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        this.pace = newPace(
                journal,
                root::callAppenders,
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                InstantSource.system());
        this.tickExecutor = Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("log", true));
        this.tickTimer = tickExecutor.scheduleWithFixedDelay(pace::emitDue, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
    }

    /**
     * Returns the pace of lines to a journal and a log.
     *
     * @param nowMs monotonic clock, in ms
     * @param clock source of the times of summaries
     */
    public static LinePace newPace(
            Journal journal, Consumer<ILoggingEvent> log, LongSupplier nowMs, InstantSource clock) {
        return new LinePace(nowMs, clock, journal::recordEvent, line -> {
            if (line.getLevel().isGreaterOrEqual(Level.INFO)) {
                log.accept(withNumber(line, journal.addLine(LogEntries.entry(line))));
            } else {
                log.accept(line);
            }
        });
    }

    private static ILoggingEvent withNumber(ILoggingEvent line, long number) {
        LoggingEvent numbered = LogEntries.copy(line, line.getInstant(), line.getFormattedMessage());
        numbered.addKeyValuePair(new KeyValuePair(NUMBER, number));
        return numbered;
    }

    /** Starts to add lines to a journal. */
    public static JournalAppender attach(Journal journal) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logger logger = context.getLogger("io.torussm");
        JournalAppender appender = new JournalAppender(journal, logger);
        appender.setContext(context);
        appender.start();
        logger.addAppender(appender);
        logger.setAdditive(false);
        return appender;
    }

    @Override
    protected void append(ILoggingEvent event) {
        pace.take(event);
    }

    /** Logs all waiting lines, and stops. */
    @Override
    public void close() {
        logger.setAdditive(true);
        logger.detachAppender(this);
        tickTimer.cancel(false);
        tickExecutor.shutdown();
        pace.flush();
        stop();
    }
}
