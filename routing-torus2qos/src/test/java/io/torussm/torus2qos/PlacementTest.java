package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.event.Finding.Severity;
import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which switch gets which place on damaged and wrongly described fabrics, and what is said of it. */
class PlacementTest {

    /** What placement came to. */
    private record Placed(Fabric fabric, @Nullable Torus torus, List<Finding> findings) {
        static Placed of(Fabric fabric, String conf, boolean acceptsUnplaced) {
            List<Finding> findings = new ArrayList<>();
            Torus torus = new Placement(fabric, TestTorus.conf(conf), acceptsUnplaced).place(findings);
            return new Placed(fabric, torus, findings);
        }

        static Placed of(TestTorus torus, String conf) {
            return of(torus.fabric.fabric(), conf, false);
        }

        Torus whole() {
            if (torus == null) {
                throw new AssertionError(findings);
            }
            return torus;
        }

        String place(long guid) {
            int slot = whole().slotOfSwitch(fabric.nodeByGuid(guid));
            return slot < 0 ? "none" : whole().place(whole().positionOf(slot));
        }

        List<String> texts(Severity severity) {
            return findings.stream()
                    .filter(finding -> finding.severity() == severity)
                    .map(Finding::text)
                    .toList();
        }

        List<String> errors() {
            return texts(Severity.ERROR);
        }

        List<String> warnings() {
            return texts(Severity.WARNING);
        }
    }

    private static int literalSlots(Fabric fabric, String conf) {
        return TestTorus.place(fabric, TestTorus.conf(conf), 0).slots();
    }

    private static TestTorus meshWithABrokenEdge() {
        TestTorus mesh = new TestTorus(new int[] {5, 5, 3}, "y", 1, 1, null);
        mesh.fabric.cut(mesh.guid(4, 3, 2), mesh.guid(4, 4, 2));
        return mesh;
    }

    @Test
    void placesTheSwitchAtTheEdgeOfAMeshThatTheSweepMisses() {
        TestTorus mesh = meshWithABrokenEdge();
        Placed placed = Placed.of(mesh, mesh.conf());
        assertThat(literalSlots(placed.fabric(), mesh.conf())).isEqualTo(74);
        assertThat(placed.place(mesh.guid(4, 4, 2))).isEqualTo("(4,4,2)");
        assertThat(placed.whole().slots()).isEqualTo(75);
        assertThat(placed.errors()).isEmpty();
        int slot = placed.whole().slotAt(4 + 5 * (4 + 5 * 2));
        assertThat(placed.whole().group(slot, 2)).isEmpty();
        for (int group : new int[] {0, 1, 4, 5}) {
            int beside = placed.whole().neighbour(slot, group);
            assertThat(placed.whole().neighbour(beside, group ^ 1)).isEqualTo(slot);
        }
        assertThat(placed.whole().group(slot, Dim.LOCAL)).containsExactly(0, 7);
    }

    @Test
    void placesThePartnerOfAFailedSwitchWhereTheRadixIsTwo() {
        TestTorus torus = new TestTorus(1, 7, 2);
        torus.fabric.remove(torus.guid(0, 3, 1));
        Placed placed = Placed.of(torus, torus.conf());
        assertThat(literalSlots(placed.fabric(), torus.conf())).isEqualTo(12);
        assertThat(placed.place(torus.guid(0, 3, 0))).isEqualTo("(0,3,0)");
        assertThat(placed.errors()).isEmpty();
    }

    @Test
    void placesTheFlatSwitchThatLostADimension() {
        GoldenFabric golden = new GoldenFabric("65_link_nT_To");
        Placed placed = Placed.of(golden.fabric, golden.conf, false);
        Torus literal = TestTorus.place(golden.fabric, TestTorus.conf(golden.conf), 0);
        assertThat(literal.slotAt(3 + 6)).isNegative();
        assertThat(placed.whole().slotAt(3 + 6)).isEqualTo(29);
        assertThat(placed.errors()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void leavesOutWhatTheReferenceLeavesOutIfTold(boolean acceptsUnplaced) {
        TestTorus mesh = meshWithABrokenEdge();
        Placed placed = Placed.of(mesh.fabric.fabric(), mesh.conf(), acceptsUnplaced);
        assertThat(placed.place(mesh.guid(4, 4, 2))).isEqualTo(acceptsUnplaced ? "none" : "(4,4,2)");
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .filteredOn(text -> text.contains("\"sw-4-4-2\" is cut off: its cables go from port ")
                        && text.contains("it may be the one missing at (4,4,2); it and its hosts get no routes"))
                .hasSize(acceptsUnplaced ? 1 : 0);
    }

    @Test
    void refusesASwitchThatMayBeTheOneThatIsMissing() {
        TestTorus torus = new TestTorus(6, 5, 1);
        for (int[] to : new int[][] {{2, 1, 0}, {4, 1, 0}, {3, 2, 0}}) {
            torus.fabric.cut(torus.guid(3, 1, 0), torus.guid(to));
        }
        Placed placed = Placed.of(torus, torus.conf());
        assertThat(placed.errors())
                .singleElement()
                .asString()
                .contains("\"sw-3-1-0\" is cut off", "(3,0,0) ", "\"sw-3-0-0\" port 3", "one missing at (3,1,0)")
                .contains("accept_unplaced_switches = true");
        Placed accepted = Placed.of(torus.fabric.fabric(), torus.conf(), true);
        assertThat(accepted.errors()).isEmpty();
        assertThat(accepted.warnings()).anyMatch(text -> text.contains("\"sw-3-1-0\" is cut off"));
    }

    @Test
    void guessesNothingWhereTwoSwitchesWantAPosition() {
        // with ports in no order, none of them can be told to be for hosts
        TestTorus torus = new TestTorus(new int[] {6, 5, 1}, "", 1, 2, new Random(1));
        torus.fabric.remove(torus.guid(3, 1, 0));
        for (int stranger = 0; stranger < 2; stranger++) {
            torus.fabric.addSwitch(0x700 + stranger, 4, "stranger-" + stranger);
            for (int y : new int[] {0, 2}) {
                int port = torus.hostPort(torus.index(3, y, 0), stranger);
                torus.fabric.unplug(torus.guid(3, y, 0), port);
                torus.fabric.cable(0x700 + stranger, 1 + y, torus.guid(3, y, 0), port);
            }
        }
        Placed placed = Placed.of(torus, torus.conf());
        assertThat(placed.whole().slots()).isEqualTo(29);
        assertThat(placed.errors())
                .hasSize(2)
                .allMatch(text -> text.contains("is cut off") && text.contains("missing at (3,1,0)"));
    }

    @Test
    void neverPlacesAStray() {
        TestTorus torus = new TestTorus(new int[] {5, 5, 1}, "", 1, 1, null);
        torus.fabric.addSwitch(0x700, 4, "stray");
        torus.fabric.unplug(torus.guid(1, 1, 0), 7);
        torus.fabric.unplug(torus.guid(3, 3, 0), 7);
        torus.fabric.cable(0x700, 1, torus.guid(1, 1, 0), 7);
        torus.fabric.cable(0x700, 2, torus.guid(3, 3, 0), 7);
        Placed whole = Placed.of(torus, torus.conf());
        assertThat(whole.place(0x700)).isEqualTo("none");
        assertThat(whole.errors()).isEmpty();
        assertThat(whole.warnings())
                .singleElement()
                .asString()
                .contains("\"stray\" is no part of the torus: its cables go from port 1 to (1,1,0) 0x", "no routes");

        torus.fabric.remove(torus.guid(2, 1, 0));
        Placed damaged = Placed.of(torus, torus.conf());
        assertThat(damaged.place(0x700)).isEqualTo("none");
        assertThat(damaged.errors()).isEmpty();

        torus.fabric.unplug(torus.guid(1, 1, 0), 7);
        torus.fabric.cable(0x700, 1, torus.guid(1, 1, 0), 1);
        Placed suspect = Placed.of(torus, torus.conf());
        assertThat(suspect.place(0x700)).isEqualTo("none");
        assertThat(suspect.errors()).singleElement().asString().contains("\"stray\" is cut off", "missing at (2,1,0);");
    }

    @Test
    void placesAChainOfSwitchesOneAfterTheOther() {
        TestTorus torus = new TestTorus(6, 6, 1);
        torus.fabric.cut(torus.guid(2, 1, 0), torus.guid(3, 1, 0));
        torus.fabric.cut(torus.guid(4, 0, 0), torus.guid(4, 1, 0));
        torus.fabric.cut(torus.guid(4, 1, 0), torus.guid(4, 2, 0));
        Placed placed = Placed.of(torus, torus.conf());
        assertThat(literalSlots(placed.fabric(), torus.conf())).isEqualTo(34);
        assertThat(placed.place(torus.guid(3, 1, 0))).isEqualTo("(3,1,0)");
        // next to one switch that the sweep placed, and to the one that was added
        assertThat(placed.place(torus.guid(4, 1, 0))).isEqualTo("(4,1,0)");
    }

    /** On damaged tori nothing that the sweep placed moves, and what is added stands where it was cabled. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void addsOnlyTrueNeighboursAfterAllThatTheSweepPlaced(long seed) {
        Random random = new Random(seed);
        int added = 0;
        for (int i = 0; i < 40; i++) {
            int[] radix = {2 + random.nextInt(5), 2 + random.nextInt(5), 1 + random.nextInt(3)};
            TestTorus torus = new TestTorus(radix, random.nextBoolean() ? "x" : "", 1, 1, random);
            String conf = torus.conf();
            for (int hit = random.nextInt(6); hit > 0; hit--) {
                int victim = 1 + random.nextInt(torus.count() - 1);
                int d = random.nextInt(3);
                if (random.nextInt(4) > 0) {
                    torus.fabric.unplug(torus.guid(torus.at(victim)), torus.plusPort(victim, d, 0));
                } else if (!conf.contains(String.format("0x%x\n", torus.guid(torus.at(victim))))) {
                    torus.fabric.remove(torus.guid(torus.at(victim)));
                }
            }
            Fabric fabric = torus.fabric.fabric();
            Torus literal = new TorusDiscovery(fabric, TestTorus.conf(conf))
                    .place(TestTorus.conf(conf).seeds().get(0), new ArrayList<>());
            Placed placed = Placed.of(fabric, conf, false);
            if (literal == null) {
                assertThat(placed.torus()).isNull();
                continue;
            }
            added += placed.whole().slots() - literal.slots();
            assertThat(TestTorus.installOrder(placed.whole())).startsWith(TestTorus.installOrder(literal));
            for (int slot = literal.slots(); slot < placed.whole().slots(); slot++) {
                int[] at =
                        torus.at(indexOf(torus, fabric.nodeGuid(placed.whole().switchOf(slot))));
                assertThat(placed.whole().place(placed.whole().positionOf(slot)))
                        .as(conf)
                        .isEqualTo("(" + at[0] + "," + at[1] + "," + at[2] + ")");
            }
        }
        assertThat(added).isPositive();
    }

    private static int indexOf(TestTorus torus, long guid) {
        for (int i = 0; i < torus.count(); i++) {
            if (torus.guid(torus.at(i)) == guid) {
                return i;
            }
        }
        throw new AssertionError(guid);
    }

    @Test
    void triesTheNextSeedWhereOneGivesNoTorus() {
        TestTorus torus = new TestTorus(1, 5, 5);
        String broken = String.format(
                "yp_link 0x%x 0x%x%nzp_link 0x%x 0x%x%n",
                torus.guid(0, 0, 0), torus.guid(0, 1, 0), torus.guid(0, 3, 3), torus.guid(0, 3, 4));
        String conf = "torus 1 5 5\n" + broken + "next_seed\n" + torus.seed(0, 2, 1);
        Placed placed = Placed.of(torus, conf);
        assertThat(placed.whole().slots()).isEqualTo(25);
        assertThat(placed.place(torus.guid(0, 2, 1))).isEqualTo("(0,2,1)");
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("torus-2QoS.conf:2: seed 0 cannot be used: ", "seed links must join neighbours")
                .contains("seed 1 of line 4 is used");
        assertThat(Placed.of(torus, "torus 1 5 5\n" + broken + "next_seed\n" + broken)
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
        torus.fabric.cut(torus.guid(1, 0, 0), torus.guid(1, 4, 0));
        torus.fabric.cut(torus.guid(0, 1, 0), torus.guid(5, 1, 0));
        Placed placed = Placed.of(torus, torus.conf() + "next_seed\n" + torus.seed(3, 3, 0));
        assertThat(placed.whole().slots()).isEqualTo(29);
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("torus-2QoS.conf:2: seed 0 cannot be used: ", " is cut off", "; seed 1 of line 7 is used");
        assertThat(Placed.of(torus, torus.conf()).errors()).allMatch(text -> text.contains("is cut off"));
        assertThat(Placed.of(torus, torus.conf()).whole().slots()).isEqualTo(3);
    }

    @Test
    void blamesTheSeedThatPlacesFewerSwitches() {
        TestTorus mesh = new TestTorus(new int[] {5, 5, 1}, "xy", 1, 1, null);
        String shifted = mesh.seed(0, 0, 0).replace("x_dateline 0", "x_dateline -2");
        Placed placed = Placed.of(mesh, mesh.sizes() + shifted + "next_seed\n" + mesh.seed(1, 1, 0));
        assertThat(placed.whole().slots()).isEqualTo(15);
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
        Placed placed = Placed.of(torus, torus.conf() + broken);
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("seed 1 could not stand in for seed 0, no torus can be placed from it");
    }

    @Test
    void saysNothingOfSeedsThatAgree() {
        TestTorus torus = new TestTorus(5, 4, 3);
        String conf = torus.conf() + "next_seed\n" + torus.seed(2, 2, 1) + "next_seed\n" + torus.seed(4, 3, 2);
        assertThat(Placed.of(torus, conf).findings()).isEmpty();
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
    void namesTheDatelineThatMakesSeedsDisagree(String right, String wrong, String remedy) {
        TestTorus torus = new TestTorus(5, 6, 3);
        String seed = torus.seed(2, 3, 1).replace(right + "\n", wrong + "\n");
        Placed placed = Placed.of(torus, torus.conf() + "next_seed\n" + seed);
        assertThat(placed.whole().slots()).isEqualTo(90);
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .contains("torus-2QoS.conf:8: seed 1 puts switch 0x0000000000200000 \"sw-0-0-0\" at (")
                .contains(", but seed 0 of line 2 at (0,0,0)")
                .endsWith(remedy);
        String value = remedy.substring(remedy.indexOf(": ") + 2, remedy.indexOf(" would"));
        String repaired = torus.conf() + "next_seed\n" + seed.replace(wrong + "\n", value + "\n");
        assertThat(Placed.of(torus, repaired).findings()).isEmpty();
    }

    @Test
    void namesTheLinkThatMirrorsAnAxis() {
        TestTorus torus = new TestTorus(5, 6, 3);
        String seed = torus.seed(2, 3, 1).replaceFirst("xp_link", "xm_link");
        Placed placed = Placed.of(torus, torus.conf() + "next_seed\n" + seed);
        assertThat(placed.warnings())
                .singleElement()
                .asString()
                .endsWith("xm_link of seed 1 should probably point the other way");
        String shifted = seed.replace("x_dateline -2", "x_dateline 1");
        assertThat(Placed.of(torus, torus.conf() + "next_seed\n" + shifted).warnings())
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
        assertThat(Placed.of(torus, torus.conf() + "next_seed\n" + seed).warnings())
                .singleElement()
                .asString()
                .contains("xp_link of seed 1 should probably name a neighbour in y")
                .contains("yp_link of seed 1 should probably name a neighbour in x");
    }

    @Test
    void comparesABoundedNumberOfSeeds() {
        TestTorus torus = new TestTorus(3, 3, 1);
        String wrong = ("next_seed\n" + torus.seed(1, 1, 0)).replace("x_dateline -1", "x_dateline 0");
        assertThat(Placed.of(torus, torus.conf() + wrong.repeat(100)).warnings())
                .hasSizeBetween(2, 32);
        assertThat(Placed.of(torus, torus.conf() + wrong.repeat(100)).texts(Severity.INFO))
                .singleElement()
                .asString()
                .contains("only the first 16 seeds");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3 3 3|torus 4 3 3|torus 3 3 3|true",
                "3 3 3|torus 5 3 3|torus 3 3 3|true",
                "3 3 3|torus 3 3 2|torus 3 3 3|false",
                "3 3 3|torus 3m 3 3|torus 3 3 3|false",
                "4 4 3|torus 5 4 3|torus 4 4 3|true",
                "6 5 1|torus 5 5 1|torus 6 5 1|false",
                "5 5 1|torus 6 5 1|torus 5 5 1|true",
                "5 4m 3|torus 5 5 3|torus 5 4m 3|false"
            })
    void proposesTheSizesThatFit(String wired, String sizes, String proposal, boolean refused) {
        TestTorus torus = wired(wired);
        Placed placed = Placed.of(torus, sizes + "\n" + links(torus, sizes));
        String expected = "the fabric looks like \"" + proposal + "\", in which each of its " + torus.count()
                + " switches has a place and each cable fits; the file says \"" + sizes + "\"";
        assertThat(!placed.errors().isEmpty()).isEqualTo(refused);
        assertThat(refused ? placed.errors() : placed.warnings()).anyMatch(text -> text.contains(expected));
    }

    private static TestTorus wired(String sizes) {
        String[] words = sizes.split(" ", -1);
        int[] radix = new int[3];
        StringBuilder mesh = new StringBuilder();
        for (int d = 0; d < 3; d++) {
            radix[d] = Integer.parseInt(words[d].replace("m", ""));
            mesh.append(words[d].endsWith("m") ? "xyz".substring(d, d + 1) : "");
        }
        return new TestTorus(radix, mesh.toString(), 1, 1, null);
    }

    /** Links both ways wherever the file says 4. */
    private static String links(TestTorus torus, String sizes) {
        StringBuilder links = new StringBuilder();
        for (int d = 0; d < 3; d++) {
            boolean both = sizes.split(" ", -1)[d + 1].equals("4");
            for (int step : both ? new int[] {1, -1} : torus.radix[d] > 1 ? new int[] {1} : new int[0]) {
                int[] next = new int[3];
                next[d] = Math.floorMod(step, torus.radix[d]);
                links.append(String.format(
                        "%s%s_link 0x%x 0x%x%n",
                        "xyz".charAt(d), step > 0 ? "p" : "m", torus.guid(0, 0, 0), torus.guid(next)));
            }
        }
        return links.toString();
    }

    @Test
    void acceptsASmallerTorusAsTheReferenceDoesButLoudly() {
        TestTorus torus = new TestTorus(3, 3, 3);
        Placed placed = Placed.of(torus, "torus 3 3 2\n" + torus.seed(0, 0, 0));
        assertThat(placed.whole().slots()).isEqualTo(18);
        assertThat(placed.errors()).isEmpty();
        assertThat(placed.warnings())
                .filteredOn(text -> text.contains("is no part of the torus"))
                .hasSize(9);
        assertThat(placed.warnings().get(0)).contains("leaves 9 switches without a place", "correct the sizes");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3})
    void proposesNoSizesForADamagedTorus(int lost) {
        TestTorus torus = new TestTorus(5, 5, 3);
        for (int y = 0; y < lost; y++) {
            torus.fabric.remove(torus.guid(2, y, 1));
        }
        assertThat(Placed.of(torus, torus.conf()).findings())
                .noneMatch(finding -> finding.text().contains("looks like"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "4 5 3|xm_link|seed 0 fits this fabric with \"xm_link 0x0000000000200000 0x00000000002002d0\"",
                "4 5 3|xp_link|seed 0 fits this fabric with \"xp_link 0x0000000000200000 0x00000000002000f0\"",
                "5 6 3|zp_link|seed 0 fits this fabric with \"zp_link 0x0000000000200000 0x0000000000200010\","
                        + " or, for the opposite direction, with \"zp_link 0x0000000000200000 0x0000000000200020\"",
                "5 5 1|xp_link|seed 0 fits this fabric with \"xp_link 0x0000000000200000 0x0000000000200050\","
                        + " or, for the opposite direction, with \"xp_link 0x0000000000200000 0x0000000000200140\""
            })
    void namesTheNeighbourThatASeedLacks(String wired, String keyword, String proposal) {
        TestTorus torus = wired(wired);
        String conf = torus.conf().replaceAll(keyword + ".*\n", "");
        assertThat(torus.refusal(conf).reason())
                .contains("add " + keyword.charAt(0))
                .contains(keyword);
        assertThat(torus.refusal(conf).reason()).contains(proposal);
    }

    @Test
    void namesNoNeighbourWhereSeveralWouldDo() {
        GoldenFabric golden = new GoldenFabric("444_oneway");
        assertThat(TestTorus.refusal(TestTorus.route(golden.conf, TestFabric.subnet(golden.fabric, 0)))
                        .reason())
                .contains("add xm_link")
                .doesNotContain("fits this fabric");
    }

    @Test
    void tellsALinkWhoseEndsWereExchanged() {
        TestTorus torus = new TestTorus(5, 5, 3);
        String conf = torus.conf().replaceFirst("yp_link 0x200000 0x200030", "yp_link 0x200030 0x200000");
        assertThat(torus.refusal(conf).reason()).contains("write 0x0000000000200000 0x0000000000200030");
    }
}
