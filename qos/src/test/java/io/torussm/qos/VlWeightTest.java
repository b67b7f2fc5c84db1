package io.torussm.qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VlWeightTest {
    @Test
    void readsEntriesInOrder() {
        assertThat(VlWeight.parse("4:1, 0 : 255,14:0"))
                .containsExactly(new VlWeight(4, 1), new VlWeight(0, 255), new VlWeight(14, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0:1:2", "x:1", "0:y", "15:1", "-1:1", "0:256", "0:1,,1:1", "0:1,"})
    void refusesWhatIsNoListOfEntries(String text) {
        assertThatThrownBy(() -> VlWeight.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageStartingWith("entry ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "0:1,15:1; entry 2 \"15:1\"; VL 15 is no data VL: give 0 to 14",
                "0:1,1:256; entry 2 \"1:256\"; weight 256: give 0 to 255",
                "0:1,1; entry 2 \"1\"; expected VL:weight",
                "0=1; entry 1 \"0=1\"; expected VL:weight"
            })
    void namesTheEntryAndTheRemedy(String text, String entry, String remedy) {
        assertThatThrownBy(() -> VlWeight.parse(text))
                .hasMessageContaining(entry)
                .hasMessageContaining(remedy);
    }

    @Test
    void refusesMoreEntriesThanATableHas() {
        String full = String.join(",", Collections.nCopies(64, "0:1"));
        assertThat(VlWeight.parse(full)).hasSize(64);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> VlWeight.parse(full + ",0:1"))
                .withMessageContaining("at most 64");
        assertThatIllegalArgumentException()
                .isThrownBy(
                        () -> new QosSettings.Arbitration(0, List.of(), Collections.nCopies(65, new VlWeight(0, 1))));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new QosSettings.Arbitration(256, List.of(), List.of()))
                .withMessageContaining("give 0 to 255");
    }
}
