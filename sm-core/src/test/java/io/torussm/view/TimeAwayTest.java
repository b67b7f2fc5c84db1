package io.torussm.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Times in words, in the two largest units. */
class TimeAwayTest {
    @ParameterizedTest
    @CsvSource({
        "0, less than 1 s",
        "999, less than 1 s",
        "1000, 1 s",
        "59999, 59 s",
        "60000, 1 min",
        "229000, 3 min 49 s",
        "3600000, 1 h",
        "7499000, 2 h 4 min",
        "90000000, 1 d 1 h"
    })
    void hasTwoUnits(long ms, String words) {
        assertThat(TimeAway.of(Instant.EPOCH, Instant.EPOCH.plusMillis(ms))).isEqualTo(words);
    }

    @Test
    void isEmptyIfTheBeginIsUnknown() {
        assertThat(TimeAway.of(null, Instant.EPOCH)).isEmpty();
    }
}
