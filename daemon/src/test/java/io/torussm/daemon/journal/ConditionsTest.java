package io.torussm.daemon.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The conditions that are open after a sequence of events, one a second. A condition begins with an event and ends with
 * another one about the same subject: the same device, or the same port of the same GUID.
 */
class ConditionsTest {
    private static final Instant START = Instant.parse("2026-11-22T06:00:00Z");

    /** GUIDs of switches. */
    private static final String SWITCH = "0x1";

    private static final String OTHER_SWITCH = "0x2";

    private final Journal journal = new Journal();
    private int seconds;

    @Test
    void aConditionIsOpenFromItsEventToTheOneThatEndsIt() {
        log(SmEvent.OWN_LINK_LOST, Map.of(EventField.DEVICE.key(), "mlx5_0 1"));
        log(SmEvent.HOST_GONE, port(SWITCH, "1"));
        assertThat(journal.conditions()).singleElement().satisfies(condition -> {
            assertThat(condition.code()).isEqualTo(SmEvent.OWN_LINK_LOST.code());
            assertThat(condition.time()).isEqualTo(START);
        });
        log(SmEvent.OWN_LINK_BACK, Map.of(EventField.DEVICE.key(), "mlx5_0 1"));
        assertThat(journal.conditions()).isEmpty();
    }

    @Test
    void anEventWithoutAnEndOpensNoCondition() {
        log(SmEvent.HOST_GONE, port(SWITCH, "1"));
        assertThat(journal.conditions()).isEmpty();
    }

    @Test
    void anEventEndsTheConditionOfItsOwnSubjectOnly() {
        log(SmEvent.LINK_ENDS_DIFFER, port(SWITCH, "1"));
        log(SmEvent.LINK_ENDS_DIFFER, port(SWITCH, "2"));
        log(SmEvent.LINK_ENDS_DIFFER, port(OTHER_SWITCH, "1"));
        log(SmEvent.LINK_ENDS_AGREE, port(SWITCH, "1"));
        assertThat(journal.conditions())
                .extracting(Journal.Entry::fields)
                .containsExactly(port(SWITCH, "2"), port(OTHER_SWITCH, "1"));
    }

    /** Port 0 stands for the switch if its flapping cable is not known. */
    @ParameterizedTest
    @CsvSource({"0, 5", "5, 0"})
    void theEndOfOneFlappingLinkOfASwitchLeavesTheOtherOpen(String quietPort, String otherPort) {
        log(SmEvent.LINK_FLAPPING, port(SWITCH, quietPort));
        log(SmEvent.LINK_FLAPPING, port(SWITCH, otherPort));
        log(SmEvent.LINK_QUIET, port(SWITCH, quietPort));
        assertThat(journal.conditions()).extracting(Journal.Entry::fields).containsExactly(port(SWITCH, otherPort));
    }

    @Test
    void aConditionThatIsReportedAgainKeepsItsTimeAndHasTheNewReason() {
        log(SmEvent.STATE_FILE_NOT_WRITTEN, Map.of(EventField.FILE.key(), "guid2lid", EventField.REASON.key(), "full"));
        log(SmEvent.STATE_FILE_NOT_WRITTEN, Map.of(EventField.FILE.key(), "guid2lid", EventField.REASON.key(), "gone"));
        assertThat(journal.conditions()).singleElement().satisfies(condition -> {
            assertThat(condition.time()).isEqualTo(START);
            assertThat(condition.fields()).containsEntry(EventField.REASON.key(), "gone");
        });
    }

    @Test
    void conditionsOfTheSubnetEndWithTheMastership() {
        log(SmEvent.LINK_ENDS_DIFFER, port(SWITCH, "1"));
        log(SmEvent.PEER_LEFT, Map.of(EventField.PEER.key(), "10.0.0.2"));
        journal.mastershipEnded();
        assertThat(journal.conditions()).extracting(Journal.Entry::code).containsExactly(SmEvent.PEER_LEFT.code());
    }

    @Test
    void theEndOfEachConditionIsAnEvent() {
        for (SmEvent event : SmEvent.values()) {
            if (!event.endCode().isEmpty()) {
                assertThat(SmEvent.values()).extracting(SmEvent::code).contains(event.endCode());
            }
        }
    }

    /** Logs an event, a second after the previous one. */
    private void log(SmEvent event, Map<String, String> fields) {
        journal.add(START.plusSeconds(seconds++), event.severity().level(), event.code(), event.name(), fields);
    }

    private static Map<String, String> port(String guid, String port) {
        return Map.of(EventField.GUID.key(), guid, EventField.PORT.key(), port);
    }
}
