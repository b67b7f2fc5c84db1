package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** The lines that the JDK logs, which are lines of the log of this program. */
class JdkLogsTest {
    @Test
    void linesOfTheJdkAreInTheLog() {
        Logger logger = (Logger) LoggerFactory.getLogger("jdk.rehearsal");
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.start();
        logger.addAppender(lines);
        logger.setLevel(Level.INFO);
        try {
            System.Logger jdk = System.getLogger("jdk.rehearsal");
            jdk.log(System.Logger.Level.WARNING, "{0} of {1}", 1, "two");
            jdk.log(System.Logger.Level.INFO, "plain '{0}'");
            jdk.log(System.Logger.Level.DEBUG, "not wanted");
            jdk.log(System.Logger.Level.ERROR, "failed", new IllegalStateException("odd"));
            assertThat(lines.list)
                    .extracting(line -> line.getLevel() + " " + line.getFormattedMessage())
                    .isEqualTo(List.of("WARN 1 of two", "INFO plain '{0}'", "ERROR failed"));
            assertThat(lines.list.get(2).getThrowableProxy().getMessage()).isEqualTo("odd");
            assertThat(jdk.isLoggable(System.Logger.Level.OFF)).isFalse();
        } finally {
            logger.detachAppender(lines);
            logger.setLevel(null);
        }
    }
}
