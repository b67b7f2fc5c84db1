package io.torussm.daemon;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.torussm.daemon.journal.Journal;
import io.torussm.event.log.EventLog;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/**
 * Adds to a journal what this program logs from level info on; and keeps what follows too soon on its like from it and from the
 * log, see {@link LinePace}.
 */
final class JournalAppender extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private static final long TICK_MS = 1000;

    private final Journal journal;
    private final Logger logger;
    private final LinePace pace;
    private final ScheduledExecutorService ticking;
    private final ScheduledFuture<?> ticks;

    private JournalAppender(Journal journal, Logger logger) {
        this.journal = journal;
        this.logger = logger;
        Logger root = logger.getLoggerContext().getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        this.pace = new LinePace(
                () -> TimeUnit.NANOSECONDS.toMillis(System.nanoTime()),
                event -> {
                    add(event);
                    root.callAppenders(event);
                },
                journal::repeated);
        this.ticking = Executors.newSingleThreadScheduledExecutor(new DefaultThreadFactory("log", true));
        this.ticks = ticking.scheduleWithFixedDelay(pace::tick, TICK_MS, TICK_MS, TimeUnit.MILLISECONDS);
    }

    /** Begins to add. */
    static JournalAppender attach(Journal journal) {
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

    private void add(ILoggingEvent event) {
        if (event.getLevel().isGreaterOrEqual(Level.INFO)) {
            Map<String, String> fields = new LinkedHashMap<>();
            List<KeyValuePair> pairs = event.getKeyValuePairs();
            if (pairs != null) {
                pairs.forEach(pair -> fields.put(pair.key, String.valueOf(pair.value)));
            }
            String code = Objects.requireNonNullElse(fields.remove(EventLog.CODE), "");
            String text = event.getFormattedMessage();
            journal.add(
                    Instant.ofEpochMilli(event.getTimeStamp()),
                    event.getLevel().toString().toLowerCase(Locale.ROOT),
                    code,
                    code.isEmpty() ? text : text.substring(code.length() + 1),
                    fields);
        }
    }

    /** Logs what was kept back, and adds nothing more. */
    @Override
    public void close() {
        logger.setAdditive(true);
        logger.detachAppender(this);
        ticks.cancel(false);
        ticking.shutdown();
        pace.flush();
        stop();
    }
}
