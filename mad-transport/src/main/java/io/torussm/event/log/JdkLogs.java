package io.torussm.event.log;

import java.text.MessageFormat;
import java.util.ResourceBundle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The finder of loggers that passes log lines of the JDK ({@link System.Logger}) to the log of this program. The JDK
 * searches all jars for such a class when java.util.logging is first used, which jffi does. It finds this class in the
 * first jar and opens no other, which saves a tenth of the processor time until the first SMP.
 */
public final class JdkLogs extends System.LoggerFinder {
    /** Creates a finder. Called by the JDK. */
    public JdkLogs() {}

    @Override
    public System.Logger getLogger(String name, Module module) {
        return new Log(LoggerFactory.getLogger(name));
    }

    private record Log(Logger logger) implements System.Logger {
        @Override
        public String getName() {
            return logger.getName();
        }

        @Override
        public boolean isLoggable(Level level) {
            return level != Level.OFF && logger.isEnabledForLevel(level(level));
        }

        @Override
        public void log(Level level, @Nullable ResourceBundle bundle, String text, @Nullable Throwable cause) {
            if (isLoggable(level)) {
                var line = logger.atLevel(level(level));
                (cause == null ? line : line.setCause(cause)).log(translate(bundle, text));
            }
        }

        @Override
        public void log(
                Level level, @Nullable ResourceBundle bundle, String format, @Nullable Object @Nullable ... values) {
            if (isLoggable(level)) {
                String text = translate(bundle, format);
                boolean isPlain = values == null || values.length == 0;
                logger.atLevel(level(level)).log(isPlain ? text : MessageFormat.format(text, values));
            }
        }

        private static String translate(@Nullable ResourceBundle bundle, String text) {
            return bundle != null && bundle.containsKey(text) ? bundle.getString(text) : text;
        }

        private static org.slf4j.event.Level level(Level level) {
            return switch (level) {
                case ERROR, OFF -> org.slf4j.event.Level.ERROR;
                case WARNING -> org.slf4j.event.Level.WARN;
                case INFO -> org.slf4j.event.Level.INFO;
                case DEBUG -> org.slf4j.event.Level.DEBUG;
                case TRACE, ALL -> org.slf4j.event.Level.TRACE;
            };
        }
    }
}
