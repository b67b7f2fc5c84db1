package io.torussm.daemon.http;

import static org.assertj.core.api.Assertions.assertThat;

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

class TorusStateTest {
    @TempDir
    Path dir;

    private static TorusState of(PublishedView view) {
        return new TorusState(view.plan().lattice().orElseThrow(), view);
    }

    /** Rings that are not intact, such as {@code x at 3 degraded}. */
    private static List<String> hurt(TorusState torus) {
        List<String> hurt = new ArrayList<>();
        for (TorusState.Ring ring : torus.rings()) {
            if (ring.state() != TorusState.RingState.INTACT) {
                hurt.add(TorusState.DIMENSIONS.get(ring.d()) + " at " + ring.position() + " "
                        + ring.state().name().toLowerCase(Locale.ROOT));
            }
        }
        return hurt;
    }

    @Test
    void aWholeTorusLacksNothing() {
        TorusState torus = of(Tori.view("torus:4x5x3,links=2"));
        assertThat(torus.links()).hasSize(3 * 60).allMatch(link -> link.cables() == 2);
        assertThat(torus.rings())
                .hasSize(5 * 3 + 4 * 3 + 4 * 5)
                .allMatch(ring -> ring.state() == TorusState.RingState.INTACT);
        assertThat(torus.missingLinks()).isZero();
        assertThat(torus.missingSwitches()).isZero();
    }

    @Test
    void aMeshEndsAtItsEdge() {
        TorusState mesh = of(Tori.view("torus:4x3x1,mesh=x"));
        assertThat(mesh.links()).hasSize(3 * 3 + 4 * 3);
        assertThat(hurt(mesh)).isEmpty();
    }

    /** Position x + 4 y. */
    @ParameterizedTest
    @CsvSource({
        "sw-1-0-0>sw-2-0-0, 1, 0, x at 0 degraded",
        "sw-3-2-0>sw-0-2-0, 1, 0, x at 8 degraded",
        "sw-1-1-0, 0, 1, x at 4 degraded;y at 1 degraded"
    })
    void oneGapMakesARingDegraded(String gone, long links, long switches, String hurt) throws IOException {
        TorusState torus = of(Tori.without(dir, "torus:4x4x1", List.of(gone)));
        assertThat(torus.missingLinks()).isEqualTo(links);
        assertThat(torus.missingSwitches()).isEqualTo(switches);
        assertThat(String.join(";", hurt(torus))).isEqualTo(hurt);
    }

    /** A cut ring is left to other dimensions by an engine that can, so the state is judged apart from any routing. */
    @Test
    void twoGapsCutARing() throws IOException {
        PublishedView whole = Tori.view("torus:4x4x1");
        PublishedView hurt = Tori.without(dir, "torus:4x4x1", List.of("sw-1-0-0>sw-2-0-0", "sw-2-1-0>sw-3-1-0"));
        assertThat(hurt(of(hurt))).containsExactly("x at 0 degraded", "x at 4 degraded");
        int[] gone = {1, 3};
        int[] switchAt = new int[16];
        for (int position = 0; position < switchAt.length; position++) {
            int at = position;
            boolean isGone = java.util.Arrays.stream(gone).anyMatch(each -> each == at);
            switchAt[position] =
                    isGone ? -1 : whole.plan().lattice().orElseThrow().switchAt(position);
        }
        TorusState cut = new TorusState(
                new io.torussm.routing.Lattice(new int[] {4, 4, 1}, new boolean[] {true, true, false}, switchAt),
                whole);
        assertThat(hurt(cut)).containsExactly("x at 0 cut", "y at 1 degraded", "y at 3 degraded");
    }
}
