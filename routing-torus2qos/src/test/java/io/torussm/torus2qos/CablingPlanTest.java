package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.torussm.fabric.Fabric;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.planning.CablingPlan;
import io.torussm.torus2qos.planning.CablingPlan.Link;
import io.torussm.torus2qos.planning.CablingPlan.Move;
import io.torussm.torus2qos.planning.CablingPlan.PlannedEnd;
import io.torussm.torus2qos.planning.TorusShape;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Proposals that turn a torus with exchanged cables into the intended one, mostly 6 x 6 x 6 with one host at each
 * switch.
 */
class CablingPlanTest {
    private static final TorusShape SHAPE = TorusShape.parse("6x6x6");

    /** A cable from a switch to the next one in a dimension. */
    private record Cable(int from, int d) {}

    private static CablingPlan compare(TestTorus torus, TorusShape shape) {
        CablingPlan.ProposedCabling result = CablingPlan.compare(torus.fabric.fabric(), shape);
        return result.plan().orElseThrow(() -> new AssertionError(result.reason()));
    }

    private static int next(TestTorus torus, Cable cable) {
        int[] at = torus.at(cable.from);
        at[cable.d] = (at[cable.d] + 1) % torus.radix[cable.d];
        return torus.index(at);
    }

    private static long guid(TestTorus torus, int sw) {
        return torus.guid(torus.at(sw));
    }

    /** Exchanges the far ends of pairs of cables, all different. */
    private static void swapCables(TestTorus torus, int swaps, Random random) {
        List<Cable> cables = new ArrayList<>();
        for (int sw = 0; sw < torus.count(); sw++) {
            for (int d = 0; d < 3; d++) {
                cables.add(new Cable(sw, d));
            }
        }
        Collections.shuffle(cables, random);
        for (int i = 0; i < 2 * swaps; i += 2) {
            Cable a = cables.get(i);
            Cable b = cables.get(i + 1);
            int farA = next(torus, a);
            int farB = next(torus, b);
            torus.fabric.unplug(guid(torus, a.from), torus.plusPort(a.from, a.d, 0));
            torus.fabric.unplug(guid(torus, b.from), torus.plusPort(b.from, b.d, 0));
            torus.fabric.cable(
                    guid(torus, a.from),
                    torus.plusPort(a.from, a.d, 0),
                    guid(torus, farB),
                    torus.minusPort(farB, b.d, 0));
            torus.fabric.cable(
                    guid(torus, b.from),
                    torus.plusPort(b.from, b.d, 0),
                    guid(torus, farA),
                    torus.minusPort(farA, a.d, 0));
        }
    }

    /** Returns the cables between switches, by the GUIDs of their ends. */
    private static Map<List<Long>, Integer> cables(Fabric fabric) {
        Map<List<Long>, Integer> cables = new TreeMap<>((a, b) -> a.toString().compareTo(b.toString()));
        for (int port = 0; port < fabric.portCount(); port++) {
            int far = fabric.peer(port);
            if (far > port && fabric.isSwitch(fabric.nodeOf(port)) && fabric.isSwitch(fabric.nodeOf(far))) {
                long a = fabric.nodeGuid(fabric.nodeOf(port));
                long b = fabric.nodeGuid(fabric.nodeOf(far));
                cables.merge(List.of(Math.min(a, b), Math.max(a, b)), 1, Integer::sum);
            }
        }
        return cables;
    }

    private static int absent(Map<List<Long>, Integer> intended, Map<List<Long>, Integer> there) {
        return intended.entrySet().stream()
                .mapToInt(cable -> Math.max(0, cable.getValue() - there.getOrDefault(cable.getKey(), 0)))
                .sum();
    }

    /** Carries out a plan, and checks that each move is possible. */
    private static void carryOut(TestTorus torus, CablingPlan plan) {
        Fabric fabric = torus.fabric.fabric();
        for (Move move : plan.moves()) {
            torus.fabric.unplug(guid(fabric, move.oldEnd()), move.oldEnd().portNum());
        }
        for (Move move : plan.moves()) {
            assertThat(fabric.peer(
                            fabric.port(move.fixedEnd().sw(), move.fixedEnd().portNum())))
                    .isEqualTo(fabric.port(move.oldEnd().sw(), move.oldEnd().portNum()));
            plug(torus, fabric, move.fixedEnd(), move.newEnd());
        }
        for (Link link : plan.absent()) {
            plug(torus, fabric, link.a(), link.b());
        }
    }

    private static void plug(TestTorus torus, Fabric fabric, PlannedEnd a, PlannedEnd b) {
        Fabric now = torus.fabric.fabric();
        for (PlannedEnd end : List.of(a, b)) {
            assertThat(now.peer(now.port(end.sw(), end.portNum())))
                    .as(end.name(fabric))
                    .isEqualTo(Fabric.NONE);
        }
        torus.fabric.cable(guid(fabric, a), a.portNum(), guid(fabric, b), b.portNum());
    }

    private static long guid(Fabric fabric, PlannedEnd end) {
        return fabric.nodeGuid(end.sw());
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void findsSwappedCablesWithTheFewestMoves(long seed) {
        for (int swaps : new int[] {1, 2, 5}) {
            Random random = Seeds.random(seed * 31 + swaps);
            TestTorus torus = new TestTorus(new int[] {6, 6, 6}, "", 1, 1, random.nextBoolean() ? random : null);
            Map<List<Long>, Integer> intended = cables(torus.fabric.fabric());
            swapCables(torus, swaps, random);
            int faults = absent(intended, cables(torus.fabric.fabric()));
            CablingPlan plan = compare(torus, SHAPE);
            assertThat(plan.moves()).as(swaps + " swaps").hasSize(faults);
            assertThat(plan.absent()).isEmpty();
            assertThat(plan.surplus()).isEmpty();
            carryOut(torus, plan);
            assertThat(cables(torus.fabric.fabric())).isEqualTo(intended);
        }
    }

    @Test
    void putsCablesBackIntoThePortsTheyCameFrom() {
        TestTorus torus = new TestTorus(6, 6, 6);
        Fabric before = torus.fabric.fabric();
        swapCables(torus, 1, Seeds.random(3));
        carryOut(torus, compare(torus, SHAPE));
        Fabric after = torus.fabric.fabric();
        for (int port = 0; port < before.portCount(); port++) {
            assertThat(after.peer(port)).as(before.portName(port)).isEqualTo(before.peer(port));
        }
    }

    @Test
    void hasNothingToSayOfATorusAsItShouldBe() {
        assertThat(compare(new TestTorus(6, 6, 6), SHAPE).isFulfilled()).isTrue();
        assertThat(compare(new TestTorus(new int[] {5, 4, 3}, "z", 2, 1, Seeds.random(1)), TorusShape.parse("5x4x3m"))
                        .isFulfilled())
                .isTrue();
        assertThat(compare(new TestTorus(4, 4, 4), TorusShape.parse("4x4x4")).isFulfilled())
                .isTrue();
    }

    @Test
    void namesTheCableToLayAndThePortsForIt() {
        TestTorus torus = new TestTorus(6, 6, 6);
        torus.fabric.removeCables(torus.guid(1, 2, 3), torus.guid(2, 2, 3));
        Fabric fabric = torus.fabric.fabric();
        CablingPlan plan = compare(torus, SHAPE);
        assertThat(plan.moves()).isEmpty();
        assertThat(plan.absent()).singleElement().satisfies(link -> {
            assertThat(link.a().name(fabric)).startsWith("(1,2,3) ").endsWith("\"sw-1-2-3\" port 1");
            assertThat(link.b().name(fabric)).startsWith("(2,2,3) ").endsWith("\"sw-2-2-3\" port 2");
        });
    }

    @Test
    void movesTheOneOfTooManyParallelCables() {
        TestTorus torus = new TestTorus(new int[] {5, 5, 5}, "", 1, 1, null);
        // from (0,0,0) +y, which should go to (0,1,0), to (1,0,0) once more
        torus.fabric.unplug(torus.guid(0, 0, 0), torus.plusPort(torus.index(0, 0, 0), 1, 0));
        torus.fabric.unplug(torus.guid(1, 1, 0), torus.minusPort(torus.index(1, 1, 0), 1, 0));
        torus.fabric.cable(
                torus.guid(0, 0, 0),
                torus.plusPort(torus.index(0, 0, 0), 1, 0),
                torus.guid(1, 0, 0),
                torus.plusPort(torus.index(1, 0, 0), 1, 0));
        CablingPlan plan = compare(torus, TorusShape.parse("5x5x5"));
        assertThat(plan.moves()).singleElement().satisfies(move -> {
            assertThat(move.oldEnd().portNum()).isEqualTo(3);
            assertThat(move.newEnd().portNum()).isEqualTo(4);
        });
        assertThat(plan.absent()).hasSize(1);
    }

    @Test
    void namesEmptyPositionsAndSwitchesThatAreTooMany() {
        TestTorus torus = new TestTorus(6, 6, 6);
        torus.fabric.remove(torus.guid(3, 3, 3));
        torus.fabric.addSwitch(0x999, 8, "lost");
        torus.fabric.unplug(torus.guid(0, 0, 0), 7);
        torus.fabric.cable(0x999, 1, torus.guid(0, 0, 0), 7);
        CablingPlan plan = compare(torus, SHAPE);
        assertThat(plan.empty()).containsExactly("(3,3,3)");
        assertThat(plan.unplaced()).hasSize(1);
        assertThat(plan.surplus()).hasSize(1);
        assertThat(plan.moves()).isEmpty();
    }

    @Test
    void refusesAnotherSize() {
        CablingPlan.ProposedCabling result = CablingPlan.compare(new TestTorus(6, 5, 4).fabric.fabric(), SHAPE);
        assertThat(result.plan()).isEmpty();
        assertThat(result.reason()).contains("\"torus 6 6 6\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "6", "6x6x6x6", "0x3x3", "999x999x999", "6x6xm", "1x1x1"})
    void refusesWhatIsNoSize(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TorusShape.parse(text))
                .withMessageContaining("\"" + text + "\"");
    }
}
