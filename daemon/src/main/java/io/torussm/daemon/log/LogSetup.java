package io.torussm.daemon.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.OutputStreamAppender;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.FileErrors;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.replica.PeerChannel;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.datagram.UnixDatagramSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.slf4j.LoggerFactory;

/**
 * The setup of the log: its output, its level and its file. Before the setup, the log goes to standard error, from
 * level warn on.
 */
public final class LogSetup {
    private static final EventLog EVENTS = EventLog.of(LogSetup.class);

    /** The logger of this program. */
    private static final String PROGRAM_LOGGER = "io.torussm";

    /** Key of the level in the logger context. */
    private static final String LEVEL = "torussm.level";

    /** Loggers of libraries with irrelevant warnings, such as for a host without an Ethernet adapter. */
    private static final List<String> MUTED =
            List.of("io.netty.util.internal.MacAddressUtil", "io.netty.channel.DefaultChannelId");

    private static final Path STDOUT = Path.of("/proc/self/fd/1");

    private LogSetup() {}

    /**
     * Checks whether a stream is connected to the journal.
     *
     * @param environment environment with {@code JOURNAL_STREAM}, which gives device and inode of the journal's stream
     */
    static boolean isJournal(Map<String, String> environment, Path stream) {
        try {
            Map<String, Object> attributes = Files.readAttributes(stream, "unix:dev,ino");
            return (attributes.get("dev") + ":" + attributes.get("ino")).equals(environment.get("JOURNAL_STREAM"));
        } catch (IOException | UnsupportedOperationException e) {
            return false;
        }
    }

    /**
     * Applies the settings.
     *
     * @throws ConfigurationException if the file cannot be written
     */
    public static void apply(SmOptions.Log log) throws ConfigurationException {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Path file = log.logFile();
        if (file != null) {
            requireWritable(file);
        }
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.detachAndStopAllAppenders();
        boolean isJournal = file == null && isJournal(System.getenv(), STDOUT);
        OutputStreamAppender<ILoggingEvent> text = file == null ? toStdout() : toFile(file);
        text.setContext(context);
        text.setEncoder(LogLine.encoder(isJournal ? LogLine.Head.JOURNAL : LogLine.Head.FULL));
        text.start();
        Appender<ILoggingEvent> appender = isJournal ? toJournal(text) : text;
        appender.setContext(context);
        appender.addFilter(new Threshold());
        appender.start();
        root.addAppender(appender);
        root.setLevel(Level.WARN);
        MUTED.forEach(logger -> context.getLogger(logger).setLevel(Level.ERROR));
        setLevel(log.logLevel());
    }

    /**
     * Changes the level of the log from now on. The journal of events contains all levels from info on, independently
     * of this level.
     *
     * @param name one of {@link SmOptions.Log#LEVELS}
     */
    public static void setLevel(String name) {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Level level = Level.toLevel(name);
        context.putProperty(LEVEL, name);
        boolean isUsual = level.isGreaterOrEqual(Level.INFO);
        context.getLogger(PROGRAM_LOGGER).setLevel(isUsual ? Level.INFO : level);
        PeerChannel.LOGGERS.forEach(logger -> context.getLogger(logger).setLevel(isUsual ? Level.OFF : Level.WARN));
    }

    /** Returns the level of the log, one of {@link SmOptions.Log#LEVELS}. */
    public static String level() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        String level = context.getProperty(LEVEL);
        return level == null
                ? context.getLogger(PROGRAM_LOGGER)
                        .getEffectiveLevel()
                        .toString()
                        .toLowerCase(Locale.ROOT)
                : level;
    }

    /** A filter that rejects events below the level of the log. */
    private static final class Threshold extends Filter<ILoggingEvent> {
        @Override
        public FilterReply decide(ILoggingEvent event) {
            return event.getLevel().isGreaterOrEqual(Level.toLevel(level())) ? FilterReply.NEUTRAL : FilterReply.DENY;
        }
    }

    /**
     * Opens the log file again under its name, for logrotate. From now on lines go to the new file, and no
     * line is lost. If that fails, the old file stays in use. Does nothing if no log file is configured.
     */
    public static void reopen() {
        LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
        Logger root = context.getLogger(org.slf4j.Logger.ROOT_LOGGER_NAME);
        root.iteratorForAppenders().forEachRemaining(appender -> {
            if (appender instanceof FileAppender<ILoggingEvent> file) {
                reopen(file);
            }
        });
    }

    private static void reopen(FileAppender<ILoggingEvent> file) {
        try {
            file.openFile(file.getFile());
            EVENTS.report(SmEvent.LOG_REOPENED, EventField.FILE.of(file.getFile()));
        } catch (IOException e) {
            EVENTS.report(SmEvent.LOG_NOT_REOPENED, EventField.FILE.of(file.getFile()), EventField.REASON.of(e));
        }
    }

    /**
     * Returns an appender that sends fields to journald; the given appender of text if this JVM does not support that.
     */
    private static Appender<ILoggingEvent> toJournal(Appender<ILoggingEvent> text) {
        try {
            return new JournaldAppender(UnixDatagramSocket.open(JournaldAppender.ADDRESS), text);
        } catch (IOException e) {
            return text;
        }
    }

    private static OutputStreamAppender<ILoggingEvent> toStdout() {
        return new ch.qos.logback.core.ConsoleAppender<>();
    }

    private static OutputStreamAppender<ILoggingEvent> toFile(Path file) {
        FileAppender<ILoggingEvent> appender = new FileAppender<>();
        appender.setFile(file.toString());
        appender.setAppend(true);
        return appender;
    }

    private static void requireWritable(Path file) throws ConfigurationException {
        try {
            Files.newOutputStream(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)
                    .close();
        } catch (IOException e) {
            throw new ConfigurationException(
                    List.of("cannot write the log file " + file + ": " + FileErrors.describe(e) + "; see log_file"));
        }
    }
}
