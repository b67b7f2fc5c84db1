package io.torussm.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.view.PublishedView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Links, missing parts and rings of tori that torus-2QoS has routed. The position of a switch is x + sizeX * (y + sizeY
 * * z). That of a ring is the position of its switch with coordinate 0 in the dimension of the ring.
 */
class TorusStateTest {
    @TempDir
    Path dir;

    @Test
    void aWholeTorusLacksNothing() {
        TorusState torus = of(TorusViews.view("torus:4x5x3,links=2"));
        assertThat(torus.links()).hasSize(3 * 60).allMatch(link -> link.cables() == 2);
        assertThat(torus.rings()).hasSize(5 * 3 + 4 * 3 + 4 * 5).allMatch(ring -> ring.state() == RingState.WHOLE);
        assertThat(torus.missingLinks()).isZero();
        assertThat(torus.missingSwitches()).isZero();
    }

    /**
     * Four switches in x without a wrap have three links in each of three rows. Each of four columns in y is a ring of
     * three.
     */
    @Test
    void aMeshEndsAtItsEdge() {
        TorusState mesh = of(TorusViews.view("torus:4x3x1,mesh=x"));
        assertThat(mesh.links()).hasSize(3 * 3 + 4 * 3);
        assertThat(damagedRings(mesh)).isEmpty();
    }

    /** One cable is cut, or a switch is off. A ring has its dimension, its position x + 4 y, and its state. */
    @ParameterizedTest
    @CsvSource({
        "sw-1-0-0>sw-2-0-0, 1, 0, x at 0 open",
        "sw-3-2-0>sw-0-2-0, 1, 0, x at 8 open",
        "sw-1-1-0, 0, 1, x at 4 open;y at 1 open"
    })
    void oneGapOpensARing(String gone, long links, long switches, String damaged) throws IOException {
        TorusState torus = of(TorusViews.viewWithout(dir, "torus:4x4x1", List.of(gone)));
        assertThat(torus.missingLinks()).isEqualTo(links);
        assertThat(torus.missingSwitches()).isEqualTo(switches);
        assertThat(String.join(";", damagedRings(torus))).isEqualTo(damaged);
    }

    /** A 4x4x4 torus with two cables between neighbours. One of a pair was cut in three rings. */
    @Test
    void lostParallelCablesThinARing() throws IOException {
        TorusState torus = of(TorusViews.recordedView(dir, "444_par2_cut"));
        assertThat(torus.missingLinks()).isZero();
        assertThat(damagedRings(torus)).hasSize(3).allMatch(ring -> ring.endsWith(" thinned"));
    }

    private static TorusState of(PublishedView view) {
        return TorusState.of(view.placed()).orElseThrow();
    }

    /** Returns the rings that are not whole, such as {@code x at 3 open}. */
    private static List<String> damagedRings(TorusState torus) {
        List<String> damaged = new ArrayList<>();
        for (Ring ring : torus.rings()) {
            if (ring.state() != RingState.WHOLE) {
                damaged.add(TorusState.DIMENSIONS.get(ring.dimension()) + " at " + ring.position() + " "
                        + ring.state().name().toLowerCase(Locale.ROOT));
            }
        }
        return damaged;
    }
}
