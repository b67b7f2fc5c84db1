package io.torussm.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Events with values. */
class FindingTest {
    @Test
    void fieldsStandWhereTheTextNamesThem() {
        Finding finding = Finding.of(
                SmEvent.STARTED_ON_PORT,
                EventField.GUID.of(0x10L),
                EventField.PORT.of(1),
                EventField.DEVICE.of("mlx5_0"));
        assertThat(finding.text()).isEqualTo("port 1 of mlx5_0, GUID 0x0000000000000010");
        assertThat(finding.line()).isEqualTo("TSM-1001 " + finding.text());
        assertThat(finding.severity()).isEqualTo(Finding.Severity.INFO);
    }

    @Test
    void valuesAreNoTemplates() {
        assertThat(SmEvent.ROUTING_ERROR.finding("{guid} {}").text()).isEqualTo("{guid} {}");
    }

    @Test
    void aFieldThatTheTextNamesMustBeGiven() {
        assertThatThrownBy(() -> Finding.of(SmEvent.STARTED_ON_PORT, EventField.PORT.of(1)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("STARTED_ON_PORT");
    }

    @Test
    void anEventWithoutACodeHasThatOfItsSeverity() {
        assertThat(List.of(Finding.error("a"), Finding.warning("b"), Finding.info("c")))
                .extracting(Finding::line)
                .containsExactly("TSM-5001 a", "TSM-5002 b", "TSM-5003 c");
    }
}
