package io.torussm.daemon.journal;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The conditions that are open after a sequence of events. */
class ConditionsTest {
    private static final Instant START = Instant.parse("2026-11-22T06:00:00Z");

    private final Journal journal = new Journal();
    private int seconds;

    @Test
    void aConditionHoldsFromItsEventToTheOneThatEndsIt() {
        log(SmEvent.OWN_LINK_LOST, Map.of(EventField.DEVICE.key(), "mlx5_0 1"));
        log(SmEvent.HOST_GONE, port("0x1", "1"));
        assertThat(journal.conditions()).singleElement().satisfies(held -> {
            assertThat(held.code()).isEqualTo(SmEvent.OWN_LINK_LOST.code());
            assertThat(held.time()).isEqualTo(START);
        });
        log(SmEvent.OWN_LINK_BACK, Map.of(EventField.DEVICE.key(), "mlx5_0 1"));
        assertThat(journal.conditions()).isEmpty();
    }

    @Test
    void anEndIsThatOfItsOwnSubject() {
        log(SmEvent.LINK_ENDS_DIFFER, port("0x1", "1"));
        log(SmEvent.LINK_ENDS_DIFFER, port("0x1", "2"));
        log(SmEvent.LINK_ENDS_DIFFER, port("0x2", "1"));
        log(SmEvent.LINK_ENDS_AGREE, port("0x1", "1"));
        assertThat(journal.conditions())
                .extracting(Journal.Entry::fields)
                .containsExactly(port("0x1", "2"), port("0x2", "1"));
    }

    /** Port 0 stands for the switch if its flapping cable is not known. */
    @Test
    void twoFlappingLinksOfASwitchEndEachItsOwn() {
        for (String ending : List.of("0", "5")) {
            log(SmEvent.LINK_FLAPPING, port("0x1", "0"));
            log(SmEvent.LINK_FLAPPING, port("0x1", "5"));
            log(SmEvent.LINK_QUIET, port("0x1", ending));
            assertThat(journal.conditions())
                    .extracting(Journal.Entry::fields)
                    .containsExactly(port("0x1", ending.equals("0") ? "5" : "0"));
            journal.mastershipEnded();
        }
    }

    @Test
    void aConditionThatIsReportedAgainKeepsItsTime() {
        log(SmEvent.STATE_FILE_NOT_WRITTEN, Map.of(EventField.FILE.key(), "guid2lid", EventField.REASON.key(), "full"));
        log(SmEvent.STATE_FILE_NOT_WRITTEN, Map.of(EventField.FILE.key(), "guid2lid", EventField.REASON.key(), "gone"));
        assertThat(journal.conditions()).singleElement().satisfies(held -> {
            assertThat(held.time()).isEqualTo(START);
            assertThat(held.fields()).containsEntry(EventField.REASON.key(), "gone");
        });
    }

    @Test
    void stateOfTheSubnetIsForgottenWithTheMastership() {
        log(SmEvent.LINK_ENDS_DIFFER, port("0x1", "1"));
        log(SmEvent.PEER_LEFT, Map.of(EventField.PEER.key(), "10.0.0.2"));
        journal.mastershipEnded();
        assertThat(journal.conditions()).extracting(Journal.Entry::code).containsExactly(SmEvent.PEER_LEFT.code());
    }

    @Test
    void everyEndIsAnEvent() {
        for (SmEvent event : SmEvent.values()) {
            if (!event.endCode().isEmpty()) {
                assertThat(SmEvent.values()).extracting(SmEvent::code).contains(event.endCode());
            }
        }
    }

    private void log(SmEvent event, Map<String, String> fields) {
        journal.add(START.plusSeconds(seconds++), event.severity().level(), event.code(), event.name(), fields);
    }

    private static Map<String, String> port(String guid, String port) {
        return Map.of(EventField.GUID.key(), guid, EventField.PORT.key(), port);
    }
}
