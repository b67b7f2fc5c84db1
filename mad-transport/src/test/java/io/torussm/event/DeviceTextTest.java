package io.torussm.event;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DeviceTextTest {
    private static final DeviceText PORT =
            DeviceText.ofDevice("0x0000000000000010 \"sw-1\" port 3", EventField.GUID.of(0x10L), EventField.PORT.of(3));

    private static Map<String, String> fields(Finding finding) {
        return finding.values().stream()
                .collect(Collectors.toMap(value -> value.field().key(), EventField.Value::text));
    }

    @Test
    void aSentenceBringsTheFieldsOfItsFirstDevice() {
        Finding finding = SmEvent.TORUS_CHANGED.finding(
                "link ", PORT.with(EventField.COORDINATES.of("(1,0,0)")), " - ", DeviceText.ofDevice("sw-2"), " lost");
        assertThat(finding.text()).isEqualTo("link 0x0000000000000010 \"sw-1\" port 3 - sw-2 lost");
        assertThat(fields(finding))
                .containsEntry("guid", "0x0000000000000010")
                .containsEntry("port", "3")
                .containsEntry("name", "0x0000000000000010 \"sw-1\" port 3")
                .containsEntry("coordinates", "(1,0,0)");
    }

    @Test
    void theValueOfAnEventStays() {
        Finding finding = Finding.of(
                SmEvent.SWITCH_MOVED,
                EventField.NAME.of(PORT.with(EventField.COORDINATES.of("(1,0,0)"))),
                EventField.COORDINATES.of("(2,0,0)"));
        assertThat(finding.text()).endsWith("has moved to (2,0,0)");
        assertThat(finding.values())
                .filteredOn(value -> value.field() == EventField.COORDINATES)
                .hasSize(1);
    }

    @Test
    void otherWordsAreAboutTheSameDevice() {
        DeviceText cable = PORT.withText("LID 5, the first of two");
        Finding finding = Finding.of(
                SmEvent.TRAP_RECEIVED,
                EventField.TRAP.of(128),
                EventField.TEXT.of("a change"),
                EventField.NAME.of(cable));
        assertThat(finding.text()).isEqualTo("LID 5, the first of two reports a change (trap 128)");
        assertThat(fields(finding)).containsEntry("guid", "0x0000000000000010").containsEntry("port", "3");
    }
}
