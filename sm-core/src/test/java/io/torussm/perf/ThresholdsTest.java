package io.torussm.perf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Limits of errors per hour, in the format of infiniband-diags. */
class ThresholdsTest {
    @Test
    void errorsAreTheFirstCounters() {
        assertThat(Counter.errors()).hasSize(12).isEqualTo(Counter.all().subList(0, 12));
    }

    @Test
    void readsWhatInfinibandDiagsWrite() {
        Thresholds limits = Thresholds.parse("SymbolErrorCounter=100,LinkDownedCounter=5");

        assertThat(limits.limit(Counter.SYMBOL_ERRORS, null)).isEqualTo(100);
        assertThat(limits.limit(Counter.LINK_DOWNED, null)).isEqualTo(5);
        assertThat(limits.limit(Counter.LINK_ERROR_RECOVERY, null)).isEqualTo(3);
        assertThat(Thresholds.parse(" ")).isEqualTo(Thresholds.STANDARD);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"LinkDowned=5", "LinkDownedCounter", "LinkDownedCounter=-1", "PortXmitData=7", "=", "a=b=c,"})
    void saysWhatIsWrong(String text) {
        assertThatThrownBy(() -> Thresholds.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("such as LinkDownedCounter=2")
                .hasMessageContaining("LocalLinkIntegrityErrors");
    }
}
