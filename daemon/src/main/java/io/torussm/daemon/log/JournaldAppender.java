package io.torussm.daemon.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.spi.ThrowableProxyUtil;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.AppenderBase;
import io.torussm.transport.datagram.UnixDatagramSocket;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import org.slf4j.event.KeyValuePair;

/**
 * An appender that sends each line to journald by its native protocol. Code and fields of an event become
 * fields of the entry: {@code journalctl TSM_CODE=TSM-4105}, {@code journalctl TSM_GUID=0x0002c90300000001}.
 * A line that cannot be sent is written as text to a stream that journald reads, too. So no line is lost.
 */
final class JournaldAppender extends AppenderBase<ILoggingEvent> {
    /** The socket of journald. */
    static final String ADDRESS = "/run/systemd/journal/socket";

    private static final String PREFIX = "TSM_";

    private final UnixDatagramSocket socket;
    private final Appender<ILoggingEvent> text;

    /** @param text appender of lines that cannot be sent; already started */
    JournaldAppender(UnixDatagramSocket socket, Appender<ILoggingEvent> text) {
        this.socket = socket;
        this.text = text;
    }

    @Override
    protected void append(ILoggingEvent event) {
        try {
            socket.send(entry(event));
        } catch (IOException e) {
            text.doAppend(event);
        }
    }

    @Override
    public void stop() {
        super.stop();
        text.stop();
        socket.close();
    }

    /** Encodes an event for journald (systemd.io, Native Journal Protocol). */
    static byte[] entry(ILoggingEvent event) {
        ByteArrayOutputStream entry = new ByteArrayOutputStream();
        IThrowableProxy cause = event.getThrowableProxy();
        String message = "[" + event.getThreadName() + "] " + event.getFormattedMessage();
        field(entry, "MESSAGE", cause == null ? message : message + "\n" + ThrowableProxyUtil.asString(cause));
        field(entry, "PRIORITY", Integer.toString(LogLine.priority(event.getLevel())));
        field(entry, "SYSLOG_IDENTIFIER", "torus-sm");
        field(entry, PREFIX + "LOGGER", event.getLoggerName());
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        if (pairs != null) {
            pairs.forEach(pair -> field(entry, PREFIX + pair.key.toUpperCase(Locale.ROOT), String.valueOf(pair.value)));
        }
        return entry.toByteArray();
    }

    /**
     * Adds a field. A value of several lines is sent with its length, so that no text can imitate another
     * field.
     */
    private static void field(ByteArrayOutputStream entry, String name, String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        entry.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        if (value.indexOf('\n') < 0) {
            entry.write('=');
        } else {
            entry.write('\n');
            entry.writeBytes(ByteBuffer.allocate(Long.BYTES)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .putLong(bytes.length)
                    .array());
        }
        entry.writeBytes(bytes);
        entry.write('\n');
    }
}
