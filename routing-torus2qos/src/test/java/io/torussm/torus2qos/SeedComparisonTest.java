package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding.Severity;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The choice among several seeds of a torus-2QoS.conf, and the findings about seeds that disagree. A seed is a switch,
 * its links in +x, +y and +z, and datelines, which say how far it is from the origin. A seed of {@link TestTorus} has
 * the right links and datelines; a test makes one of them wrong.
 */
class SeedComparisonTest {
    /** Returns a seed for a torus of 1x5x5 switches whose two links start at switches that are far apart. */
    private static String seedOfTwoPlaces(TestTorus torus) {
        return String.format(
                "yp_link 0x%x 0x%x%nzp_link 0x%x 0x%x%n",
                torus.guid(0, 0, 0), torus.guid(0, 1, 0), torus.guid(0, 3, 3), torus.guid(0, 3, 4));
    }

    @Test
    void theNextSeedIsUsedIfTheFirstGivesNoTorus() {
        TestTorus torus = new TestTorus(1, 5, 5);
        String conf = torus.sizes() + seedOfTwoPlaces(torus) + "next_seed\n" + torus.seed(0, 2, 1);
        PlacementResult placed = PlacementResult.of(torus, conf);
        assertThat(placed.completeTorus().slots()).isEqualTo(torus.count());
        assertThat(placed.place(torus.guid(0, 2, 1))).isEqualTo("(0,2,1)");
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("torus-2QoS.conf:2: seed 0 cannot be used: ", "seed links must join neighbours")
                .contains("seed 1 of line 4 is used");
    }

    @Test
    void aFileWhoseSeedsAllGiveNoTorusIsRefusedForTheFirst() {
        TestTorus torus = new TestTorus(1, 5, 5);
        String broken = seedOfTwoPlaces(torus);
        assertThat(PlacementResult.of(torus, torus.sizes() + broken + "next_seed\n" + broken)
                        .errors())
                .singleElement()
                .asString()
                .contains("seed links must join neighbours");
    }

    /** Returns a torus without a square of four switches around (0,0,0), so that only three switches can be placed. */
    private static TestTorus damagedAtTheOrigin() {
        TestTorus torus = new TestTorus(6, 5, 1);
        torus.fabric.remove(torus.guid(1, 1, 0));
        torus.fabric.removeCables(torus.guid(1, 0, 0), torus.guid(1, 4, 0));
        torus.fabric.removeCables(torus.guid(0, 1, 0), torus.guid(5, 1, 0));
        return torus;
    }

    @Test
    void theNextSeedIsUsedIfTheFirstLeavesSwitchesCutOff() {
        TestTorus torus = damagedAtTheOrigin();
        PlacementResult placed = PlacementResult.of(torus, torus.conf() + "next_seed\n" + torus.seed(3, 3, 0));
        assertThat(placed.completeTorus().slots())
                .as("all but the removed switch")
                .isEqualTo(torus.count() - 1);
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("torus-2QoS.conf:2: seed 0 cannot be used: ", " is cut off", "; seed 1 of line 7 is used")
                .as("the file is right")
                .contains("the reason may be a cable, and not the file: the cable from ", "missing");
    }

    @Test
    void aFileWhoseOnlySeedLeavesSwitchesCutOffIsRefused() {
        TestTorus torus = damagedAtTheOrigin();
        PlacementResult placed = PlacementResult.of(torus, torus.conf());
        assertThat(placed.completeTorus().slots()).isEqualTo(3);
        assertThat(placed.errors()).isNotEmpty().allMatch(text -> text.contains("is cut off"));
    }

    @Test
    void theDatelineOfTheSeedThatPlacesFewerSwitchesIsCalledWrong() {
        TestTorus mesh = TestTorus.ofSizes("5m 5m 1");
        String shifted = mesh.seed(0, 0, 0).replace("x_dateline 0", "x_dateline -2");
        PlacementResult placed = PlacementResult.of(mesh, mesh.sizes() + shifted + "next_seed\n" + mesh.seed(1, 1, 0));
        assertThat(placed.completeTorus().slots())
                .as("columns 2 to 4 of the mesh")
                .isEqualTo(3 * 5);
        assertThat(placed.warnings())
                .filteredOn(text -> text.contains("seed 1 puts switch"))
                .singleElement()
                .asString()
                .endsWith("x_dateline of seed 0 is probably wrong: x_dateline 0 would agree");
    }

    @Test
    void aSecondSeedThatGivesNoTorusIsAWarning() {
        TestTorus torus = new TestTorus(1, 5, 5);
        PlacementResult placed = PlacementResult.of(torus, torus.conf() + "next_seed\n" + seedOfTwoPlaces(torus));
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("seed 1 could not stand in for seed 0, no torus can be placed from it");
    }

    @Test
    void seedsThatAgreeHaveNoFinding() {
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
    void theDatelineThatMakesSeedsDisagreeIsNamedWithItsRemedy(String right, String bad, String remedy) {
        TestTorus torus = new TestTorus(5, 6, 3);
        String seed = torus.seed(2, 3, 1).replace(right + "\n", bad + "\n");
        PlacementResult placed = PlacementResult.of(torus, torus.conf() + "next_seed\n" + seed);
        assertThat(placed.completeTorus().slots()).isEqualTo(torus.count());
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
    void aLinkThatMirrorsAnAxisIsNamed() {
        TestTorus torus = new TestTorus(5, 6, 3);
        String seed = torus.seed(2, 3, 1).replaceFirst("xp_link", "xm_link");
        PlacementResult placed = PlacementResult.of(torus, torus.conf() + "next_seed\n" + seed);
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .endsWith("xm_link of seed 1 should probably point the other way");
    }

    @Test
    void aLinkThatMirrorsAnAxisIsNamedWithTheDatelineThatAgreesThen() {
        TestTorus torus = new TestTorus(5, 6, 3);
        String shifted =
                torus.seed(2, 3, 1).replaceFirst("xp_link", "xm_link").replace("x_dateline -2", "x_dateline 1");
        assertThat(PlacementResult.of(torus, torus.conf() + "next_seed\n" + shifted)
                        .warnings())
                .singleElement()
                .asString()
                .endsWith(
                        "xm_link of seed 1 should probably point the other way: turned round, x_dateline 3 would agree");
    }

    @Test
    void linksThatExchangeTwoAxesAreNamed() {
        TestTorus torus = new TestTorus(5, 5, 1);
        String seed = torus.seed(0, 0, 0)
                .replace("xp_link", "former xp_link")
                .replace("yp_link", "xp_link")
                .replace("former xp_link", "yp_link");
        assertThat(PlacementResult.of(torus, torus.conf() + "next_seed\n" + seed)
                        .warnings())
                .singleElement()
                .asString()
                .contains("xp_link of seed 1 should probably name a neighbour in y")
                .contains("yp_link of seed 1 should probably name a neighbour in x");
    }

    @Test
    void onlyTheFirst16SeedsAreCompared() {
        TestTorus torus = new TestTorus(3, 3, 1);
        String bad = ("next_seed\n" + torus.seed(1, 1, 0)).replace("x_dateline -1", "x_dateline 0");
        PlacementResult placed = PlacementResult.of(torus, torus.conf() + bad.repeat(100));
        assertThat(placed.warnings()).as("at most two a seed").hasSizeBetween(2, 32);
        assertThat(placed.texts(Severity.INFO)).singleElement().asString().contains("only the first 16 seeds");
    }
}
