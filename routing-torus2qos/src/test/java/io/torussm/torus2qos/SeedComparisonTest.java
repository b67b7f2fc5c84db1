package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The choice among several seeds, and the findings about seeds that disagree. */
class SeedComparisonTest {
    @Test
    void triesTheNextSeedWhereOneGivesNoTorus() {
        TestTorus torus = new TestTorus(1, 5, 5);
        String broken = String.format(
                "yp_link 0x%x 0x%x%nzp_link 0x%x 0x%x%n",
                torus.guid(0, 0, 0), torus.guid(0, 1, 0), torus.guid(0, 3, 3), torus.guid(0, 3, 4));
        String conf = "torus 1 5 5\n" + broken + "next_seed\n" + torus.seed(0, 2, 1);
        PlacementResult placed = PlacementResult.of(torus, conf);
        assertThat(placed.completeTorus().slots()).isEqualTo(25);
        assertThat(placed.place(torus.guid(0, 2, 1))).isEqualTo("(0,2,1)");
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("torus-2QoS.conf:2: seed 0 cannot be used: ", "seed links must join neighbours")
                .contains("seed 1 of line 4 is used");
        assertThat(PlacementResult.of(torus, "torus 1 5 5\n" + broken + "next_seed\n" + broken)
                        .errors())
                .singleElement()
                .asString()
                .contains("seed links must join neighbours");
    }

    @Test
    void triesTheNextSeedWhereOneLeavesSwitchesCutOff() {
        TestTorus torus = new TestTorus(6, 5, 1);
        // no square is left around the first seed
        torus.fabric.remove(torus.guid(1, 1, 0));
        torus.fabric.removeCables(torus.guid(1, 0, 0), torus.guid(1, 4, 0));
        torus.fabric.removeCables(torus.guid(0, 1, 0), torus.guid(5, 1, 0));
        PlacementResult placed = PlacementResult.of(torus, torus.conf() + "next_seed\n" + torus.seed(3, 3, 0));
        assertThat(placed.completeTorus().slots()).isEqualTo(29);
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("torus-2QoS.conf:2: seed 0 cannot be used: ", " is cut off", "; seed 1 of line 7 is used")
                .as("the file is right")
                .contains("the reason may be a cable, and not the file: the cable from ", "missing");
        assertThat(PlacementResult.of(torus, torus.conf()).errors()).allMatch(text -> text.contains("is cut off"));
        assertThat(PlacementResult.of(torus, torus.conf()).completeTorus().slots())
                .isEqualTo(3);
    }

    @Test
    void blamesTheSeedThatPlacesFewerSwitches() {
        TestTorus mesh = new TestTorus(new int[] {5, 5, 1}, "xy", 1, 1, null);
        String shifted = mesh.seed(0, 0, 0).replace("x_dateline 0", "x_dateline -2");
        PlacementResult placed = PlacementResult.of(mesh, mesh.sizes() + shifted + "next_seed\n" + mesh.seed(1, 1, 0));
        assertThat(placed.completeTorus().slots()).isEqualTo(15);
        assertThat(placed.warnings())
                .filteredOn(text -> text.contains("seed 1 puts switch"))
                .singleElement()
                .asString()
                .endsWith("x_dateline of seed 0 is probably wrong: x_dateline 0 would agree");
    }

    @Test
    void warnsOfALaterSeedThatCouldNotStandIn() {
        TestTorus torus = new TestTorus(1, 5, 5);
        String broken = String.format(
                "next_seed%nyp_link 0x%x 0x%x%nzp_link 0x%x 0x%x%n",
                torus.guid(0, 0, 0), torus.guid(0, 1, 0), torus.guid(0, 3, 3), torus.guid(0, 3, 4));
        PlacementResult placed = PlacementResult.of(torus, torus.conf() + broken);
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("seed 1 could not stand in for seed 0, no torus can be placed from it");
    }

    @Test
    void saysNothingOfSeedsThatAgree() {
        TestTorus torus = new TestTorus(5, 4, 3);
        String conf = torus.conf() + "next_seed\n" + torus.seed(2, 2, 1) + "next_seed\n" + torus.seed(4, 3, 2);
        assertThat(PlacementResult.of(torus, conf).findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "x_dateline -2|x_dateline -1|x_dateline of seed 1 is probably wrong: x_dateline -2 would agree",
                "x_dateline -2|x_dateline 1|x_dateline of seed 1 is probably wrong: x_dateline 3 would agree",
                "z_dateline -1|z_dateline 1|z_dateline of seed 1 is probably wrong: z_dateline 2 would agree",
                "y_dateline -3|y_dateline 0|y_dateline of seed 1 is probably wrong: y_dateline 3 would agree"
            })
    void namesTheDatelineThatMakesSeedsDisagree(String right, String bad, String remedy) {
        TestTorus torus = new TestTorus(5, 6, 3);
        String seed = torus.seed(2, 3, 1).replace(right + "\n", bad + "\n");
        PlacementResult placed = PlacementResult.of(torus, torus.conf() + "next_seed\n" + seed);
        assertThat(placed.completeTorus().slots()).isEqualTo(90);
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("torus-2QoS.conf:8: seed 1 puts switch 0x0000000000200000 \"sw-0-0-0\" at (")
                .contains(", but seed 0 of line 2 at (0,0,0)")
                .endsWith(remedy);
        String value = remedy.substring(remedy.indexOf(": ") + 2, remedy.indexOf(" would"));
        String repaired = torus.conf() + "next_seed\n" + seed.replace(bad + "\n", value + "\n");
        assertThat(PlacementResult.of(torus, repaired).findings()).isEmpty();
    }

    @Test
    void namesTheLinkThatMirrorsAnAxis() {
        TestTorus torus = new TestTorus(5, 6, 3);
        String seed = torus.seed(2, 3, 1).replaceFirst("xp_link", "xm_link");
        PlacementResult placed = PlacementResult.of(torus, torus.conf() + "next_seed\n" + seed);
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .endsWith("xm_link of seed 1 should probably point the other way");
        String shifted = seed.replace("x_dateline -2", "x_dateline 1");
        assertThat(PlacementResult.of(torus, torus.conf() + "next_seed\n" + shifted)
                        .warnings())
                .singleElement()
                .asString()
                .endsWith(
                        "xm_link of seed 1 should probably point the other way: turned round, x_dateline 3 would agree");
    }

    @Test
    void namesTheLinksThatExchangeTwoAxes() {
        TestTorus torus = new TestTorus(5, 5, 1);
        String seed = torus.seed(0, 0, 0)
                .replace("xp_link", "zz")
                .replace("yp_link", "xp_link")
                .replace("zz", "yp_link");
        assertThat(PlacementResult.of(torus, torus.conf() + "next_seed\n" + seed)
                        .warnings())
                .singleElement()
                .asString()
                .contains("xp_link of seed 1 should probably name a neighbour in y")
                .contains("yp_link of seed 1 should probably name a neighbour in x");
    }

    @Test
    void comparesABoundedNumberOfSeeds() {
        TestTorus torus = new TestTorus(3, 3, 1);
        String bad = ("next_seed\n" + torus.seed(1, 1, 0)).replace("x_dateline -1", "x_dateline 0");
        assertThat(PlacementResult.of(torus, torus.conf() + bad.repeat(100)).warnings())
                .hasSizeBetween(2, 32);
        assertThat(PlacementResult.of(torus, torus.conf() + bad.repeat(100)).texts(Severity.INFO))
                .singleElement()
                .asString()
                .contains("only the first 16 seeds");
    }
}
