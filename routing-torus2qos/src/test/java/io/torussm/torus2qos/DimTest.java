package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DimTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "1; ''",
                "2; ''",
                "3; 0-2",
                "4; 0-3",
                "5; 0-3 0-4 1-4",
                "6; 0-4 0-5 1-5",
                "7; 0-4 0-5 0-6 1-5 1-6 2-6",
                "8; 0-5 0-6 0-7 1-6 1-7 2-7"
            })
    void crossesTheDatelineOnTheWayThatIsShorterForIt(int radix, String pairs) {
        List<String> crossing = new ArrayList<>();
        for (int s = 0; s < radix; s++) {
            for (int t = s; t < radix; t++) {
                assertThat(Dim.crosses(radix, t, s)).isEqualTo(Dim.crosses(radix, s, t));
                if (Dim.crosses(radix, s, t)) {
                    crossing.add(s + "-" + t);
                }
            }
        }
        assertThat(String.join(" ", crossing)).isEqualTo(pairs);
    }

    @ParameterizedTest
    @CsvSource({
        "6, 1, 4, 1",
        "6, 4, 1, -1",
        "6, 0, 4, -1",
        "6, 4, 0, 1",
        "6, 5, 0, 1",
        "6, 0, 3, 1",
        "6, 3, 0, -1",
        "5, 0, 2, 1",
        "5, 0, 3, -1",
        "5, 3, 0, 1",
        "5, 4, 1, 1",
        "4, 0, 2, 1",
        "4, 2, 0, -1",
        "4, 0, 3, -1",
        "4, 3, 0, 1",
        "2, 0, 1, 1",
        "2, 1, 0, -1",
        "5, 3, 3, 0"
    })
    void prefersTheShortWayAndInATieTheOneThatDoesNotCross(int radix, int s, int t, int direction) {
        assertThat(Dim.prefer(radix, s, t)).isEqualTo(direction);
    }
}
