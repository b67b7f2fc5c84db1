package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.NaiveRouteChecker.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The examples of torus-2QoS(8), with the letters that it gives to switches. S, n and T are (1,1), (2,1) and (3,1) of a
 * plane of 6 times 5, or 6 times 6, switches.
 */
class ManualPageTest {
    private static final Map<Character, int[]> SIX_BY_FIVE = Map.of(
            'S', at(1, 1), 'm', at(0, 1), 'n', at(2, 1), 'T', at(3, 1), 'o', at(4, 1), 'p', at(5, 1), 'I', at(2, 2),
            'r', at(3, 2), 'D', at(3, 3));
    private static final Map<Character, int[]> TWO_ABOVE_ONE_ANOTHER = Map.of(
            'S', at(1, 1), 'n', at(2, 1), 'T', at(3, 1), 'q', at(2, 2), 'R', at(3, 2), 'I', at(2, 3), 'u', at(3, 3),
            'D', at(3, 4));
    private static final Map<Character, int[]> TWO_SIDE_BY_SIDE = Map.of(
            'S', at(1, 1), 'n', at(2, 1), 'O', at(3, 1), 'T', at(4, 1), 'I', at(2, 2), 'q', at(3, 2), 'r', at(4, 2),
            'D', at(4, 3));

    private static int[] at(int column, int row) {
        return new int[] {column, row};
    }

    /** The plane of an example as a torus, of two dimensions or as the y and z of three. */
    private static final class Plane {
        private final Map<Character, int[]> letters;
        private final boolean inYAndZ;
        private final DamagedTorus damaged;

        Plane(Map<Character, int[]> letters, int rows, boolean inYAndZ) {
            this.letters = letters;
            this.inYAndZ = inYAndZ;
            damaged = new DamagedTorus(inYAndZ ? new TestTorus(1, 6, rows) : new TestTorus(6, rows, 1));
        }

        private int[] position(int[] at) {
            return inYAndZ ? new int[] {0, at[0], at[1]} : new int[] {at[0], at[1], 0};
        }

        private int[] position(char letter) {
            return position(letters.getOrDefault(letter, new int[2]));
        }

        Plane withoutSwitch(char letter) {
            damaged.failSwitch(position(letter));
            return this;
        }

        /** Fails the link between a switch and the one to its right. */
        Plane withoutLink(char left) {
            damaged.failLink(inYAndZ ? 1 : 0, position(left));
            return this;
        }

        private String conf() {
            return damaged.torus.conf();
        }

        ChainResult route() {
            return TestTorus.chain(conf(), damaged.torus.fabric.subnet(0), TestTorus.QOS);
        }

        Plan plan() {
            ChainResult result = route();
            Plan plan = result.plan();
            if (plan == null) {
                throw new AssertionError(result.refusals());
            }
            assertThat(result.verdict()).isInstanceOf(Certificate.class);
            NaiveTables tables = new NaiveTables(damaged, plan);
            assertThat(tables.errors).isEmpty();
            assertThat(tables.unicastCycle()).isEmpty();
            return plan;
        }

        String refusal() {
            ChainResult result = route();
            assertThat(result.isAccepted()).isFalse();
            return result.refusals().stream().map(Refusal::reason).collect(Collectors.joining());
        }

        NaiveRouteChecker check() {
            return new NaiveRouteChecker(damaged, 8);
        }

        private int index(Fabric fabric, int... position) {
            return fabric.nodeByGuid(damaged.torus.guid(position));
        }

        /** Returns the way from S to D in letters, with {@code =} instead of {@code -} for a hop on a VL with bit 1. */
        String pathInLetters(Plan plan) {
            Subnet subnet = plan.subnet();
            Fabric fabric = subnet.fabric();
            int sw = index(fabric, position('S'));
            int slid = subnet.lid(fabric.port(sw, 0));
            int dlid = subnet.lid(fabric.port(index(fabric, position('D')), 0));
            int sl = plan.pathSl(slid, dlid, 0);
            assertThat(sl).isZero();
            StringBuilder way = new StringBuilder("S");
            int in = 0;
            while (way.charAt(way.length() - 1) != 'D') {
                int out = plan.lft(sw)[dlid];
                assertThat(out).isPositive();
                way.append((SlToVlMappingTable.vl(plan.sl2vl(sw, in, out), sl) & 2) != 0 ? '=' : '-');
                int far = fabric.peer(fabric.port(sw, out));
                sw = fabric.nodeOf(far);
                in = fabric.portNum(far);
                way.append(letter(fabric, sw));
            }
            return way.toString();
        }

        private char letter(Fabric fabric, int sw) {
            for (char letter : letters.keySet()) {
                if (index(fabric, position(letter)) == sw) {
                    return letter;
                }
            }
            return '?';
        }
    }

    private static Plane sixByFive() {
        return new Plane(SIX_BY_FIVE, 5, false);
    }

    @Test
    void goesFromSByNTAndRToDInAPristineTorus() {
        Plane plane = sixByFive();
        assertThat(plane.pathInLetters(plane.plan())).isEqualTo("S-n-T-r-D");
    }

    @Test
    void takesTheLongWayIfTheLinkFromSToNHasFailed() {
        Plane plane = sixByFive().withoutLink('S');
        assertThat(plane.pathInLetters(plane.plan())).isEqualTo("S-m-p-o-T-r-D");
    }

    @Test
    void takesTheLongWayIfTheLinkFromNToTHasFailed() {
        Plane plane = sixByFive().withoutLink('n');
        assertThat(plane.pathInLetters(plane.plan())).isEqualTo("S-m-p-o-T-r-D");
    }

    @Test
    void refusesARingOfWhichTIsCutOff() {
        Plane plane = sixByFive().withoutLink('n').withoutLink('T');
        assertThat(plane.check().verdict()).isEqualTo(Verdict.UNROUTABLE);
        assertThat(plane.refusal()).contains("(3,1,0)");
    }

    @Test
    void refusesARingInTwoPartsAndNamesTheLinks() {
        Plane plane = sixByFive().withoutLink('S').withoutLink('T');
        assertThat(plane.check().verdict()).isEqualTo(Verdict.UNROUTABLE);
        assertThat(plane.refusal()).contains("(1,1,0)", "(2,1,0)", "(3,1,0)", "(4,1,0)");
    }

    @Test
    void turnsEarlyAtNIfTHasFailed() {
        Plane plane = sixByFive().withoutSwitch('T');
        assertThat(plane.pathInLetters(plane.plan())).isEqualTo("S-n-I=r-D");
    }

    @Test
    void passesTwoSwitchesOneAboveTheOtherIfTheLastDimensionIsZ() {
        Plane plane =
                new Plane(TWO_ABOVE_ONE_ANOTHER, 6, true).withoutSwitch('T').withoutSwitch('R');
        assertThat(plane.pathInLetters(plane.plan())).isEqualTo("S-n-q-I=u-D");
        assertThat(plane.check().isWithinRulesOfReference()).isTrue();
    }

    /** The manual page describes this path. OpenSM looks for neighbours in z only, and does not find it. */
    @Test
    void passesTwoSwitchesOneAboveTheOtherIfTheLastDimensionIsY() {
        Plane plane =
                new Plane(TWO_ABOVE_ONE_ANOTHER, 6, false).withoutSwitch('T').withoutSwitch('R');
        assertThat(plane.check().verdict()).isEqualTo(Verdict.ROUTABLE_SAFE);
        assertThat(plane.check().isWithinRulesOfReference()).isFalse();
        assertThat(plane.pathInLetters(plane.plan())).isEqualTo("S-n-q-I=u-D");
    }

    @Test
    void refusesTwoSwitchesSideBySide() {
        for (boolean inYAndZ : new boolean[] {false, true}) {
            Plane plane =
                    new Plane(TWO_SIDE_BY_SIDE, 6, inYAndZ).withoutSwitch('O').withoutSwitch('T');
            assertThat(plane.check().isWithinRulesOfReference()).isFalse();
            assertThat(plane.check().verdict()).isEqualTo(Verdict.CREDIT_LOOP);
            assertThat(plane.refusal()).doesNotContain("defect");
        }
    }

    private static final List<String> COLUMNS_ON_ROW_TWO = List.of("1-2", "0-1", "3-2", "4-3");

    @Test
    void growsTheTreeFromTheMiddle() {
        Plane plane = sixByFive();
        List<String> edges = edges("22-32 12-22 02-12 42-32 52-42");
        for (int column = 0; column < 6; column++) {
            edges.addAll(column(column, COLUMNS_ON_ROW_TWO));
        }
        assertTree(plane, 3, 2, edges, true);
    }

    @Test
    void growsTheTreeOverTheDatelineOfARingWithAFailedLink() {
        Plane plane = sixByFive();
        plane.damaged.failLink(0, 2, 2, 0);
        List<String> edges = edges("42-32 52-42 02-52 12-02 22-12");
        for (int column = 0; column < 6; column++) {
            edges.addAll(column(column, COLUMNS_ON_ROW_TWO));
        }
        assertTree(plane, 3, 2, edges, true);
    }

    /** The page's tree and unicast together can deadlock beside the failed switch, so another one is taken. */
    @Test
    void proposesTheTreeFromAnotherRootIfTheMiddleHasFailed() {
        Plane plane = sixByFive();
        plane.damaged.failSwitch(3, 2, 0);
        List<String> edges = edges("11-21 01-11 31-21 41-31 51-41 30-31 34-30 33-34");
        for (int column : new int[] {0, 1, 2, 4, 5}) {
            edges.addAll(column(column, List.of("0-1", "2-1", "3-2", "4-3")));
        }
        assertTree(plane, 2, 1, edges, false);
    }

    private static List<String> edges(String text) {
        return new ArrayList<>(List.of(text.split(" ", -1)));
    }

    private static List<String> column(int column, List<String> rows) {
        return rows.stream()
                .map(edge -> "" + column + edge.charAt(0) + "-" + column + edge.charAt(2))
                .toList();
    }

    private static void assertTree(Plane plane, int rootColumn, int rootRow, List<String> edges, boolean isSafe) {
        ChainResult result = plane.route();
        Plan plan = plane.plan();
        Fabric fabric = plan.subnet().fabric();
        Map<String, String> expected = new TreeMap<>();
        expected.put(plane.damaged.name(plane.damaged.torus.index(rootColumn, rootRow, 0)), "root");
        for (String edge : edges) {
            expected.put(place(edge.substring(0, 2)), place(edge.substring(3)));
        }
        MulticastTree usual = plan.multicastTree().orElseThrow();
        Map<String, String> actual = new TreeMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            actual.put(plan.coordinates(sw), sw == usual.root() ? "root" : plan.coordinates(usual.parent(sw)));
        }
        assertThat(actual).isEqualTo(expected);

        NaiveTables tables = new NaiveTables(plane.damaged, plan);
        NaiveMulticast proposed = NaiveMulticast.of(plane.damaged, usual, fabric);
        assertThat(tables.cycleWith(proposed).isEmpty()).isEqualTo(isSafe);
        MulticastTree chosen = result.multicast();
        if (chosen == null) {
            throw new AssertionError("no tree");
        }
        NaiveMulticast taken = NaiveMulticast.of(plane.damaged, chosen, fabric);
        assertThat(taken.edges().equals(proposed.edges())).isEqualTo(isSafe);
        assertThat(taken.spansEverything()).isTrue();
        assertThat(tables.cycleWith(taken)).isEmpty();
    }

    private static String place(String digits) {
        return "(" + digits.charAt(0) + "," + digits.charAt(1) + ",0)";
    }
}
