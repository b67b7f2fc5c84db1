package io.torussm.view;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.Seeds;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Shapes of fabrics that lose cables and switches. */
class ShapeTextTest {
    /** Returns the text after a fault. */
    private static String after(LossFabric fabric, Object lost) {
        PlacedSubnet whole = fabric.found();
        fabric.down.add(lost);
        PlacedSubnet found = fabric.found();
        return ShapeText.of(found, Absences.NONE.after(whole, found, port -> false, Instant.EPOCH));
    }

    private static LossFabric of(String shape) {
        LossFabric fabric = new LossFabric(shape.equals("hypercube") ? 16 : 20);
        for (int one = 0; one < fabric.switches; one++) {
            for (int other = one + 1; other < fabric.switches; other++) {
                int x = Math.abs(one % 5 - other % 5);
                int y = Math.abs(one / 5 - other / 5);
                boolean isJoined =
                        switch (shape) {
                            case "hypercube" -> Integer.bitCount(one ^ other) == 1;
                            case "mesh" -> x + y == 1;
                            case "dragonfly" ->
                                one / 4 == other / 4
                                        || (one / 4 + one % 4 + 1) % 5 == other / 4 && one % 4 + other % 4 == 3;
                            default -> x == 0 && (y == 1 || y == 3) || y == 0 && (x == 1 || x == 4);
                        };
                if (isJoined) {
                    fabric.link(one, other);
                }
            }
        }
        return fabric;
    }

    @ParameterizedTest
    @CsvSource({"hypercube, 4", "mesh, 3", "torus, 4"})
    void aShapeKeepsItsName(String shape, int cables) {
        String name = "a " + shape;
        assertThat(ShapeText.of(of(shape).found(), Absences.NONE)).isEqualTo(name);
        for (int cable = 0; cable < of(shape).cables.size(); cable += 5) {
            LossFabric fabric = of(shape);
            assertThat(after(fabric, fabric.cables.get(cable))).isEqualTo(name + " (1 cable missing)");
        }
        assertThat(after(of(shape), 9)).isEqualTo(name + " (" + cables + " cables missing)");
    }

    /** Five groups of four switches, each with a cable to another group. It is recognised without a few cables. */
    @Test
    void aDragonflyWithoutACableIsOne() {
        assertThat(ShapeText.of(of("dragonfly").found(), Absences.NONE)).isEqualTo("a dragonfly");
        for (int cable = 0; cable < of("dragonfly").cables.size(); cable++) {
            LossFabric fabric = of("dragonfly");
            assertThat(after(fabric, fabric.cables.get(cable))).startsWith("a dragonfly");
        }
        assertThat(after(of("dragonfly"), 9)).startsWith("a dragonfly");
    }

    @Test
    void anIrregularFabricGetsNone() {
        for (int seed = 1; seed <= 20; seed++) {
            LossFabric fabric = LossFabric.random(Seeds.random(seed), 16);
            String name = ShapeText.of(fabric.found(), Absences.NONE);
            assertThat(after(fabric, fabric.cables.get(seed)))
                    .as("seed " + seed)
                    .isIn(name, "irregular")
                    .doesNotContain("hypercube", "mesh", "torus");
        }
    }
}
