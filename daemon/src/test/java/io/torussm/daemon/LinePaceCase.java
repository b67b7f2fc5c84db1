package io.torussm.daemon;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import java.util.TimeZone;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/** Events of a small fabric at times that a test chooses, for {@link PacedLines}. */
abstract class LinePaceCase {
    static final EventLog EVENTS = EventLog.of(LinePaceCase.class);

    private final TimeZone zone = TimeZone.getDefault();
    long nowMs;

    /** Times in texts have the zone of the log. */
    @BeforeEach
    void useUtc() {
        TimeZone.setDefault(TimeZone.getTimeZone("UTC"));
    }

    @AfterEach
    void useZone() {
        TimeZone.setDefault(zone);
    }

    static void up(int links) {
        EVENTS.report(SmEvent.SUBNET_UP, EventField.STATE.of(""), EventField.TEXT.of(links + " links"));
    }

    static void cable(SmEvent event, String text) {
        cable(event, text, 1);
    }

    static void cable(SmEvent event, String text, int port) {
        EVENTS.report(
                event,
                EventField.NAME.of("sw-1 port " + port),
                EventField.DESTINATION.of("sw-2 port 2"),
                EventField.TEXT.of(text),
                EventField.GUID.of(1L),
                EventField.PORT.of(port));
    }
}
