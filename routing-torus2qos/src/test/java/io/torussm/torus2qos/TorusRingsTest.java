package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.torus2qos.discovery.Torus;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The findings about rings. Cut rings are evaluated on placed tori, since no engine routes them. */
class TorusRingsTest {
    /** Faults are {@code 311} for a switch, {@code 311x} for its cables in +x. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "4 4 1; ''; ''",
                "4 4 1; 100x; (*,0,0) OPEN",
                "4 4 1; 100x 300x; (*,0,0) CUT",
                "4 4 1; 110; (*,1,0) OPEN (1,*,0) OPEN",
                "6 4 1; 020 320; (*,2,0) CUT (0,*,0) OPEN (3,*,0) OPEN",
                "4m 4 1; 100x; (*,0,0) CUT",
                "4m 4 1; 310; (*,1,0) OPEN (3,*,0) OPEN"
            })
    void judgesEachRingByItsGaps(String sizes, String faults, String expected) {
        Torus torus = WorkedFaultsTest.placedTorus(sizes, faults);
        List<String> states = new TorusRings(torus)
                .all().stream()
                        .filter(ring -> ring.state() != RingState.WHOLE)
                        .map(TorusRingsTest::text)
                        .toList();
        assertThat(String.join(" ", states)).isEqualTo(expected);
    }

    private static String text(Ring ring) {
        assertThat(ring.causes()).isNotEmpty();
        return ring.name() + " " + ring.state();
    }
}
