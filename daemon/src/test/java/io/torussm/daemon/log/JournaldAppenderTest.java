package io.torussm.daemon.log;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.transport.datagram.DatagramReceiver;
import io.torussm.transport.datagram.UnixDatagramSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** The messages to journald, on a real datagram socket. */
class JournaldAppenderTest {
    private static final EventLog EVENTS = EventLog.of(JournaldAppenderTest.class);

    @TempDir
    Path dir;

    private final Logger logger = (Logger) LoggerFactory.getLogger(JournaldAppenderTest.class);
    private final ListAppender<ILoggingEvent> text = new ListAppender<>();
    private JournaldAppender appender;
    private String name;

    @BeforeEach
    void attach() throws Exception {
        name = dir.resolve("journal").toString();
        text.start();
        appender = new JournaldAppender(UnixDatagramSocket.open(name), text);
        appender.setContext((LoggerContext) LoggerFactory.getILoggerFactory());
        appender.start();
        logger.setAdditive(false);
        logger.setLevel(Level.INFO);
        logger.addAppender(appender);
    }

    @AfterEach
    void detach() {
        logger.detachAppender(appender);
        appender.stop();
        logger.setLevel(null);
        logger.setAdditive(true);
    }

    @Test
    void anEventIsAnEntryWithItsFields() throws Exception {
        try (DatagramReceiver journald = new DatagramReceiver(name)) {
            report();
            assertThat(journald.next())
                    .contains(
                            "PRIORITY=4",
                            "SYSLOG_IDENTIFIER=torus-sm",
                            "TSM_CODE=TSM-4105",
                            "TSM_GUID=0x0002c90300000001",
                            "TSM_PORT=3",
                            "TSM_TRAP=129",
                            "TSM_NAME=switch \"sw-1\" port 3")
                    .anyMatch(
                            line -> line.startsWith("MESSAGE=[") && line.contains("] TSM-4105 switch \"sw-1\" port 3"));
        }
        assertThat(text.list).isEmpty();
    }

    @Test
    void anEventAboutADeviceHasTheFieldsOfTheDevice() throws Exception {
        DeviceText device = DeviceText.ofDevice(
                "(1,2,0) 0x0002c90300000001 \"sw-1\"",
                EventField.GUID.of(0x2c90300000001L),
                EventField.LID.of(7),
                EventField.COORDINATES.of("(1,2,0)"));
        try (DatagramReceiver journald = new DatagramReceiver(name)) {
            EVENTS.report(SmEvent.TORUS_CHANGED.finding("switch ", device, " with 6 cables lost"));
            assertThat(journald.next())
                    .contains(
                            "TSM_GUID=0x0002c90300000001",
                            "TSM_LID=7",
                            "TSM_COORDINATES=(1,2,0)",
                            "TSM_NAME=(1,2,0) 0x0002c90300000001 \"sw-1\"",
                            "TSM_TEXT=switch (1,2,0) 0x0002c90300000001 \"sw-1\" with 6 cables lost");
        }
    }

    @Test
    void isWrittenAsTextWhereJournaldDoesNotListen() {
        report();
        assertThat(text.list)
                .singleElement()
                .extracting(ILoggingEvent::getFormattedMessage)
                .asString()
                .startsWith("TSM-4105 ");
    }

    /** Else a text could end its field and begin another one. */
    @Test
    void aValueOfSeveralLinesGoesWithItsLength() {
        ListAppender<ILoggingEvent> seen = new ListAppender<>();
        seen.start();
        logger.addAppender(seen);
        EVENTS.report(SmEvent.PORT_GONE, EventField.REASON.of("one\nTSM_CODE=TSM-9999"));
        logger.detachAppender(seen);
        byte[] entry = JournaldAppender.entry(seen.list.get(0));
        byte[] value = "one\nTSM_CODE=TSM-9999".getBytes(StandardCharsets.UTF_8);
        ByteBuffer field = ByteBuffer.allocate(11 + 8 + value.length + 1).order(ByteOrder.LITTLE_ENDIAN);
        field.put("TSM_REASON\n".getBytes(StandardCharsets.UTF_8))
                .putLong(value.length)
                .put(value)
                .put((byte) '\n');
        assertThat(latin(entry)).contains(latin(field.array())).contains("TSM_CODE=TSM-2001\n");
        assertThat(List.of(latin(entry).split("\n")))
                .filteredOn(line -> line.startsWith("TSM_CODE=TSM-2"))
                .hasSize(1);
    }

    @Test
    void aStackFollowsTheMessage() throws Exception {
        try (DatagramReceiver journald = new DatagramReceiver(name)) {
            EVENTS.report(SmEvent.HTTP_DEFECT, new IllegalStateException("broken"));
            assertThat(journald.next())
                    .contains("MESSAGE", "PRIORITY=3", "TSM_CODE=TSM-1214")
                    .anyMatch(line -> line.contains("IllegalStateException: broken"))
                    .anyMatch(line -> line.contains("at " + getClass().getName()));
        }
    }

    private static void report() {
        EVENTS.report(
                SmEvent.PORT_UNHEALTHY,
                EventField.NAME.of("switch \"sw-1\" port 3"),
                EventField.TEXT.of("symbol errors"),
                EventField.TRAP.of(129),
                EventField.GUID.of(0x2c90300000001L),
                EventField.PORT.of(3));
    }

    /** Converts each byte to a character. */
    private static String latin(byte[] bytes) {
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }
}
