package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding;
import io.torussm.routing.Plan;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.testing.Seeds;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Findings about changes of a torus of 5 x 4 x 1 with a host at port 7 of each switch, so with 5 cables at a switch.
 */
class TorusChangesTest {
    private static final String AT_110 = "(1,1,0) 0x0000000000200050 \"sw-1-1-0\"";
    private static final String AT_210 = "(2,1,0) 0x0000000000200090 \"sw-2-1-0\"";
    private static final String HOST_110 = "0x0000000100000500 \"host-1-1-0-0\"";

    private static TestTorus torus() {
        return new TestTorus(5, 4, 1);
    }

    /** Returns severity and text of the findings about a change of the cabling. */
    private static List<String> changes(Consumer<TestTorus> change) {
        TestTorus torus = torus();
        Plan before = torus.plan(torus.conf());
        change.accept(torus);
        return lines(torus.plan(torus.conf()).explainer().changesSince(before.explainer()));
    }

    private static List<String> lines(List<Finding> findings) {
        return findings.stream()
                .map(finding -> finding.severity() + " " + finding.text())
                .toList();
    }

    /** Returns the findings about the opposite change: the fabric is changed first, and whole later. */
    private static List<String> reverseChanges(Consumer<TestTorus> change) {
        TestTorus torus = torus();
        Plan after = torus.plan(torus.conf());
        change.accept(torus);
        return lines(after.explainer().changesSince(torus.plan(torus.conf()).explainer()));
    }

    private static int port(TestTorus torus, int d) {
        return torus.plusPort(torus.index(1, 1, 0), d, 0);
    }

    @Test
    void tellsNothingWhereNothingChangedOrAnotherEngineWasThere() {
        assertThat(changes(torus -> {})).isEmpty();
        TestTorus torus = torus();
        Plan minHop = (Plan) new MinHopEngine().route(torus.fabric.subnet(0), TestTorus.QOS);
        assertThat(torus.plan(torus.conf()).explainer().changesSince(minHop.explainer()))
                .isEmpty();
    }

    @Test
    void tellsACableOnceThoughItHasTwoEnds() {
        Consumer<TestTorus> cut = torus -> torus.fabric.unplug(torus.guid(1, 1, 0), port(torus, 0));
        String link = "link " + AT_110 + " port 1 - " + AT_210 + " port 2";
        assertThat(changes(cut)).containsExactly("WARNING " + link + " lost");
        assertThat(reverseChanges(cut)).containsExactly("INFO " + link + " is new");
    }

    /** A new host is an event of its own, which names its cable. */
    @Test
    void reportsCablesOfHostsThatWereThere() {
        Consumer<TestTorus> cut = torus -> torus.fabric.remove(0x100000500L);
        String link = "link " + AT_110 + " port 7 - " + HOST_110 + " port 1";
        assertThat(changes(cut)).containsExactly("WARNING " + link + " lost");
        assertThat(reverseChanges(cut)).isEmpty();
    }

    @Test
    void tellsASwitchWithoutItsCables() {
        Consumer<TestTorus> remove = torus -> torus.fabric.remove(torus.guid(1, 1, 0));
        assertThat(changes(remove)).containsExactly("WARNING switch " + AT_110 + " with 5 cables lost");
        assertThat(reverseChanges(remove)).containsExactly("INFO switch " + AT_110 + " with 5 cables is new");
    }

    @Test
    void tellsAReplacedSwitchOnceIfItsCablesAreAsBefore() {
        Consumer<TestTorus> replace = torus -> replace(torus, 7);
        assertThat(changes(replace))
                .containsExactly("WARNING switch " + AT_110 + " was replaced by 0x0000000000999999 \"spare\"");
    }

    @Test
    void reportsAnotherNumberOfPortsAndCablesInOtherPorts() {
        assertThat(changes(torus -> {
                    replace(torus, 36);
                    torus.fabric.unplug(0x999999L, 7);
                    torus.fabric.cable(0x999999L, 30, 0x100000500L, 1);
                }))
                .containsExactly(
                        "WARNING switch " + AT_110 + " was replaced by 0x0000000000999999 \"spare\"",
                        "INFO switch (1,1,0) 0x0000000000999999 \"spare\" had 7 ports and has 36 now",
                        "WARNING link " + AT_110 + " port 7 - " + HOST_110 + " port 1 lost",
                        "INFO link (1,1,0) 0x0000000000999999 \"spare\" port 30 - " + HOST_110 + " port 1 is new");
    }

    /** Replaces (1,1,0) by a spare switch, with its cables. */
    private static void replace(TestTorus torus, int ports) {
        torus.fabric.remove(torus.guid(1, 1, 0));
        torus.fabric.addSwitch(0x999999L, ports, "spare");
        int at = torus.index(1, 1, 0);
        torus.fabric.cable(0x999999L, torus.plusPort(at, 0, 0), torus.guid(2, 1, 0), torus.minusPort(at, 0, 0));
        torus.fabric.cable(0x999999L, torus.minusPort(at, 0, 0), torus.guid(0, 1, 0), torus.plusPort(at, 0, 0));
        torus.fabric.cable(0x999999L, torus.plusPort(at, 1, 0), torus.guid(1, 2, 0), torus.minusPort(at, 1, 0));
        torus.fabric.cable(0x999999L, torus.minusPort(at, 1, 0), torus.guid(1, 0, 0), torus.plusPort(at, 1, 0));
        torus.fabric.addCa(0x100000500L, 1, "host-1-1-0-0");
        torus.fabric.cable(0x999999L, torus.hostPort(at, 0), 0x100000500L, 1);
    }

    @Test
    void tellsAPortThatLeadsElsewhereInOneLine() {
        assertThat(changes(torus -> {
                    torus.fabric.remove(0x100000500L);
                    torus.fabric.addCa(0x777L, 2, "other");
                    torus.fabric.cable(0x777L, 2, torus.guid(1, 1, 0), torus.hostPort(torus.index(1, 1, 0), 0));
                }))
                .containsExactly("WARNING link " + AT_110 + " port 7 leads to 0x0000000000000777 \"other\" port 2 now,"
                        + " not to " + HOST_110 + " port 1");
    }

    /**
     * The host of (1,1,0) is now at (2,1,0), whose own host is gone: three cables are involved, and each is
     * reported once.
     */
    @Test
    void tellsEachCableOfAMoveOnce() {
        assertThat(changes(torus -> {
                    torus.fabric.unplug(0x100000500L, 1);
                    torus.fabric.remove(0x100000900L);
                    torus.fabric.cable(0x100000500L, 1, torus.guid(2, 1, 0), torus.hostPort(0, 0));
                }))
                .containsExactly(
                        "WARNING link " + AT_110 + " port 7 - " + HOST_110 + " port 1 lost",
                        "WARNING link " + AT_210 + " port 7 leads to " + HOST_110 + " port 1 now, not to"
                                + " 0x0000000100000900 \"host-2-1-0-0\" port 1");
    }

    @Test
    void reportsSizesAndComparesCommonParts() {
        TestTorus small = new TestTorus(new int[] {3, 3, 1}, "", 1, 0, null);
        Plan before = small.plan(small.conf());
        TestTorus large = new TestTorus(new int[] {3, 3, 2}, "", 1, 0, null);
        List<String> lines = lines(large.plan(large.conf()).explainer().changesSince(before.explainer()));
        assertThat(lines.get(0)).isEqualTo("INFO the torus was 3 x 3 x 1 and is 3 x 3 x 2m now");
        assertThat(lines)
                .anySatisfy(line -> assertThat(line).contains("(0,0,1)").endsWith("is new"));
        assertThat(lines).noneMatch(line -> line.startsWith("INFO switch"));
    }

    @Test
    void saysWhereASwitchIsNowIfTheDatelineMoved() {
        TestTorus torus = torus();
        Plan before = torus.plan(torus.conf());
        List<String> lines = lines(torus.plan(torus.conf() + "max_changes 100\nx_dateline 1\n")
                .explainer()
                .changesSince(before.explainer()));
        assertThat(lines).hasSize(20).anySatisfy(line -> assertThat(line)
                .startsWith("WARNING switch " + AT_110)
                .endsWith("was replaced by 0x0000000000200090 \"sw-2-1-0\"; it is at (0,1,0) now"));
    }

    @Test
    void keepsToMaxChangesAndCountsTheRest() {
        TestTorus torus = torus();
        Plan before = torus.plan(torus.conf());
        for (int y = 0; y < 3; y++) {
            torus.fabric.remove(0x100000000L + 0x100L * torus.index(1, y, 0));
        }
        for (int max = 0; max <= 4; max++) {
            List<String> lines = lines(torus.plan(torus.conf() + "max_changes " + max + "\n")
                    .explainer()
                    .changesSince(before.explainer()));
            assertThat(lines).hasSize(Math.min(3, max) + (max < 3 ? 1 : 0));
            assertThat(lines.get(lines.size() - 1))
                    .contains(max < 3 ? "and " + (3 - max) + " more changes" : "(1,2,0)");
        }
    }

    /** Whatever happens, going back tells the same number of lines with the opposite words. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void mirrorsItself(long seed) {
        Random random = Seeds.random(seed);
        TestTorus torus = new TestTorus(new int[] {5, 3, 2}, "", 2, 1, random);
        String conf = torus.conf() + "max_changes 1000\n";
        Plan whole = torus.plan(conf);
        for (int i = 0; i < 5; i++) {
            int at = 1 + random.nextInt(torus.count() - 1);
            torus.fabric.unplug(torus.guid(torus.at(at)), 1 + random.nextInt(13));
        }
        Plan damaged = torus.plan(conf);
        List<String> lost = lines(damaged.explainer().changesSince(whole.explainer()));
        List<String> found = lines(whole.explainer().changesSince(damaged.explainer()));
        assertThat(found)
                .containsExactlyElementsOf(lost.stream()
                        .filter(line -> !line.contains("host-"))
                        .map(line -> line.replace("WARNING", "INFO").replaceFirst("lost$", "is new"))
                        .toList());
        assertThat(lost).hasSizeBetween(1, 5).doesNotHaveDuplicates();
    }
}
