package io.torussm.deadlock.chain;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.Verdict;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.transition.Transition;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Degradation;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.Refusal;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The packed differences of plans that were computed in advance: tables, order of writes and multicast tree are those
 * that were packed. The tables are random, because packing knows nothing about routes.
 */
class ReadyPlanContentTest {
    private static final byte NO_PATH = (byte) 0xff;
    private static final Certificate.Size SIZE = new Certificate.Size(11, 22, 33);

    /** A torus with two cables between neighbours; its first switch has LID 1, its last host the highest LID. */
    private final TorusSketch torus = TorusSketch.of(3, 3, 1, 2, 1);

    private final Subnet subnet = torus.subnet();
    private final Fabric fabric = subnet.fabric();
    private final PlanSketch active = randomTables(subnet, Seeds.random(1));

    private static PlanSketch randomTables(Subnet of, Random random) {
        PlanSketch sketch = new PlanSketch(of);
        for (byte[] lft : sketch.lfts) {
            for (int lid = 1; lid < lft.length; lid++) {
                lft[lid] = (byte) (random.nextInt(8) == 0 ? NO_PATH : random.nextInt(200));
            }
        }
        return sketch;
    }

    /** Returns the active tables with other entries for some LIDs of switches. */
    private PlanSketch changed(int[]... lidsOfSwitches) {
        PlanSketch next = new PlanSketch(subnet);
        for (int sw = 0; sw < next.lfts.length; sw++) {
            next.lfts[sw] = active.lfts[sw].clone();
            for (int lid : sw < lidsOfSwitches.length ? lidsOfSwitches[sw] : new int[0]) {
                next.lfts[sw][lid] ^= 0x40;
            }
        }
        return next;
    }

    private static Certificate certificate(Plan plan, @Nullable MulticastTree tree) {
        return new Certificate(plan, TestRouting.QOS, tree, SIZE, () -> {
            throw new AssertionError("the numbers are not used");
        });
    }

    private static ChainResult result(Plan plan, @Nullable MulticastTree tree) {
        return new ChainResult(plan, certificate(plan, tree), tree, List.of(), List.of());
    }

    private static ReadyPlan ready(Plan previous, Plan plan, @Nullable Transition transition) {
        return Objects.requireNonNull(
                ReadyPlan.of(previous, result(plan, plan.multicastTree().orElse(null)), transition));
    }

    /** A switch is absent and another new, so that indexes and the highest LID differ. */
    @ParameterizedTest
    @ValueSource(longs = {2, 3, 4, 5})
    void tablesOfAnotherFabricAreThoseThatWerePacked(long seed) {
        Random random = Seeds.random(seed);
        Subnet before = Subnets.of(ring(3 + random.nextInt(20), 2));
        Subnet after = Subnets.of(ring(3 + random.nextInt(20), random.nextInt(4)));
        Plan previous = randomTables(before, random).plan();
        PlanSketch next = randomTables(after, random);
        for (int sw = 0; sw < next.lfts.length; sw += 2) {
            byte[] same = sw < previous.subnet().fabric().switchCount() ? previous.lft(sw) : new byte[0];
            System.arraycopy(same, 0, next.lfts[sw], 0, Math.min(same.length, next.lfts[sw].length));
        }
        ReadyPlan ready = ready(previous, next.plan(), Transition.FREE);
        assertThat(ready.tables(previous, after.fabric())).isDeepEqualTo(next.lfts);
        assertThat(ready.isOf(next.plan(), previous)).isTrue();
    }

    /** Returns a ring with so many hosts at its first switch, besides one at each. */
    private static Fabric ring(int switches, int moreHosts) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < switches; sw++) {
            sketch.addSwitch("sw-" + sw, 8);
        }
        for (int sw = 0; sw < switches; sw++) {
            sketch.link(sw, 1, (sw + 1) % switches, 2);
            sketch.addHost(sw, 3);
        }
        for (int host = 0; host < moreHosts; host++) {
            sketch.addHost(0, 4 + host);
        }
        return sketch.build();
    }

    @Test
    void unchangedTablesAreTheArraysOfTheActivePlan() {
        PlanSketch next = changed(new int[0], new int[] {1, 2, 18});
        byte[][] tables = ready(active.plan(), next.plan(), Transition.FREE).tables(active.plan(), subnet.fabric());
        for (int sw = 0; sw < tables.length; sw++) {
            assertThat(tables[sw] == active.lfts[sw]).isEqualTo(sw != 1);
        }
        assertThat(tables).isDeepEqualTo(next.lfts);
        assertThat(ready(active.plan(), changed().plan(), Transition.FREE).tables(active.plan(), subnet.fabric()))
                .isDeepEqualTo(active.lfts);
    }

    @Test
    void aPlanWithAnotherEntryTreeOrTopLidDiffers() {
        Plan previous = active.plan();
        PlanSketch next = changed(new int[] {5}, new int[] {1, 2, 18});
        ReadyPlan ready = ready(previous, next.plan(), null);
        assertThat(ready.isOf(next.plan(), previous)).isTrue();
        assertThat(ready.isOf(changed(new int[] {5}, new int[] {1, 2}).plan(), previous))
                .isFalse();
        PlanSketch inLastSwitch = changed(new int[] {5}, new int[] {1, 2, 18});
        inLastSwitch.lfts[8][18] ^= 1;
        assertThat(ready.isOf(inLastSwitch.plan(), previous)).isFalse();
        next.tree = Optional.of(MulticastTree.nearest(fabric, 3));
        assertThat(ready.isOf(next.plan(), previous)).isFalse();
        Subnet longer = Subnets.of(ring(9, 1));
        assertThat(ready.isOf(randomTables(longer, Seeds.random(1)).plan(), previous))
                .isFalse();
    }

    @Test
    void theOrderOfWritesSurvivesPacking() {
        int[][] early = {{3}, {}, {1, 17}, {}, {}, {}, {}, {}, {}};
        int[][] late = {{}, {2, 9}, {}, {}, {}, {}, {}, {}, {4}};
        int[][] dropped = {{1, 18}, {3}, {}, {}, {}, {}, {}, {}, {}};
        PlanSketch next = changed(
                new int[] {1, 2, 3, 18},
                new int[] {2, 3, 9},
                new int[] {1, 17},
                new int[0],
                new int[] {7},
                new int[0],
                new int[0],
                new int[0],
                new int[] {4, 5});
        for (boolean isVanishedLast : new boolean[] {false, true}) {
            Transition transition = Transition.inSteps(early, late, dropped, isVanishedLast);
            ReadyPlan ready = ready(active.plan(), next.plan(), transition);
            assertThat(ready.hasOrder()).isTrue();
            Transition unpacked =
                    Objects.requireNonNull(ready.transition(new Held(active.lfts), active.plan(), next.plan()));
            assertThat(unpacked.isFree()).isFalse();
            assertThat(unpacked.isVanishedLast()).isEqualTo(isVanishedLast);
            for (int sw = 0; sw < 9; sw++) {
                assertThat(unpacked.earlyLids(sw)).isEqualTo(early[sw]);
                assertThat(unpacked.lateLids(sw)).isEqualTo(late[sw]);
                assertThat(unpacked.droppedLids(sw)).isEqualTo(dropped[sw]);
            }
        }
    }

    @Test
    void anyOrderStaysAnyOrder() {
        PlanSketch next = changed(new int[] {1});
        ReadyPlan ready = ready(active.plan(), next.plan(), Transition.FREE);
        assertThat(ready.hasOrder()).isTrue();
        assertThat(ready.transition(new Held(active.lfts), active.plan(), next.plan()))
                .isSameAs(Transition.FREE);
    }

    /** An entry of a step that the plans have in common is not packed. */
    @Test
    void anOrderThatCannotBePackedIsUnknown() {
        PlanSketch next = changed(new int[] {1, 2});
        int[][] none = {{}};
        Transition early = Transition.inSteps(new int[][] {{1, 3}}, none, none, false);
        Transition late = Transition.inSteps(none, new int[][] {{3}}, none, false);
        Transition dropped = Transition.inSteps(none, none, new int[][] {{1, 2, 3}}, false);
        for (Transition transition : new @Nullable Transition[] {null, early, late, dropped}) {
            ReadyPlan ready = ready(active.plan(), next.plan(), transition);
            assertThat(ready.hasOrder()).isFalse();
            assertThat(ready.transition(new Held(active.lfts), active.plan(), next.plan()))
                    .isNull();
            assertThat(ready.isOf(next.plan(), active.plan())).isTrue();
        }
    }

    /** The tables of switches, as a test sets them. */
    private static final class Held implements HeldTables {
        private final byte[] @Nullable [] lfts;
        private boolean areRowsPlanned = true;
        private int downPort = Fabric.NONE;

        Held(byte[] @Nullable [] lfts) {
            this.lfts = lfts.clone();
        }

        @Override
        public byte @Nullable [] lft(int sw) {
            return lfts[sw];
        }

        @Override
        public long sl2vl(int sw, int in, int out) {
            return 0;
        }

        @Override
        public boolean isUp(int port) {
            return port != downPort;
        }

        @Override
        public boolean areRowsPlanned() {
            return areRowsPlanned;
        }
    }

    private boolean isAsPrecomputed(Held held) {
        return ReadyPlan.isAsPrecomputed(held, active.plan(), fabric);
    }

    @Test
    void anOrderIsValidOnlyForTheTablesFromWhichItWasComputed() {
        assertThat(isAsPrecomputed(new Held(active.lfts))).isTrue();
        for (int sw : new int[] {0, 8}) {
            for (int lid : new int[] {0, 1, 18}) {
                Held held = new Held(active.lfts);
                byte[] other = active.lfts[sw].clone();
                other[lid] ^= 1;
                held.lfts[sw] = other;
                assertThat(isAsPrecomputed(held)).isFalse();
            }
            Held cold = new Held(active.lfts);
            cold.lfts[sw] = null;
            assertThat(isAsPrecomputed(cold)).as("no packet depends on it").isFalse();
        }
        Held rows = new Held(active.lfts);
        rows.areRowsPlanned = false;
        assertThat(isAsPrecomputed(rows)).isFalse();
        Fabric larger = ring(10, 0);
        assertThat(ReadyPlan.isAsPrecomputed(
                        new Held(IntStream.range(0, 10)
                                .mapToObj(sw -> active.lfts[Math.min(sw, 8)])
                                .toArray(byte[][]::new)),
                        active.plan(),
                        larger))
                .as("a switch that the active plan lacks")
                .isFalse();
    }

    /** Blocks of a table are longer than the plan, and equal if no further LID has a path. */
    @Test
    void aLongerTableIsTheSameIfItIsEmptyAboveThePlan() {
        for (int sw : new int[] {0, 8}) {
            Held held = new Held(active.lfts);
            byte[] longer = Arrays.copyOf(active.lfts[sw], 64);
            Arrays.fill(longer, active.lfts[sw].length, 64, NO_PATH);
            held.lfts[sw] = longer;
            assertThat(isAsPrecomputed(held)).isTrue();
            longer[63] = 1;
            assertThat(isAsPrecomputed(held)).isFalse();
            longer[63] = NO_PATH;
            longer[active.lfts[sw].length] = 1;
            assertThat(isAsPrecomputed(held)).isFalse();
            byte[] shorter = Arrays.copyOf(active.lfts[sw], 10);
            held.lfts[sw] = shorter;
            assertThat(isAsPrecomputed(held)).isFalse();
        }
    }

    @Test
    void allLinksBetweenSwitchesMustBeUp() {
        for (int port = fabric.port(0, 1); port < fabric.portCount(); port++) {
            Held held = new Held(active.lfts);
            held.downPort = port;
            int far = fabric.peer(port);
            boolean isBetweenSwitches =
                    fabric.isSwitch(fabric.nodeOf(port)) && far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far));
            assertThat(isAsPrecomputed(held)).isEqualTo(!isBetweenSwitches);
        }
    }

    /** Two switches of four ports, which the last port of both connects. */
    @Test
    void theLastPortOfASwitchMustBeUpAsWell() {
        Sketch sketch = new Sketch();
        sketch.addSwitch("left", 4);
        sketch.addSwitch("right", 4);
        sketch.link(0, 4, 1, 4);
        Subnet pair = Subnets.of(sketch.build());
        PlanSketch tables = randomTables(pair, Seeds.random(1));
        Held held = new Held(tables.lfts);
        assertThat(ReadyPlan.isAsPrecomputed(held, tables.plan(), pair.fabric()))
                .isTrue();
        held.downPort = pair.fabric().port(0, 4);
        assertThat(ReadyPlan.isAsPrecomputed(held, tables.plan(), pair.fabric()))
                .isFalse();
    }

    @Test
    void anOrderForOtherTablesIsNotUsed() {
        PlanSketch next = changed(new int[] {1});
        Held held = new Held(active.lfts);
        held.downPort = fabric.port(0, 1);
        assertThat(ready(active.plan(), next.plan(), Transition.FREE).transition(held, active.plan(), next.plan()))
                .isNull();
    }

    @Test
    void theProofCoversTheTreeThatWasPacked() {
        PlanSketch next = changed(new int[] {1});
        MulticastTree engineTree = MulticastTree.nearest(fabric, 0);
        MulticastTree grown = MulticastTree.nearest(fabric, 5);
        next.tree = Optional.of(engineTree);
        Plan plan = next.plan();
        for (MulticastTree tree : List.of(engineTree, grown)) {
            ReadyPlan ready = Objects.requireNonNull(ReadyPlan.of(active.plan(), result(plan, tree), null));
            DeadlockChecker.Proof proof = ready.proof(plan, TestRouting.QOS, () -> certificate(plan, tree));
            assertThat(proof.multicast()).isEqualTo(tree);
            assertThat(proof.isPlanned()).isEqualTo(tree.equals(engineTree));
            assertThat(((Certificate) proof.verdict()).size()).isEqualTo(SIZE);
            assertThat(((Certificate) proof.verdict()).isIncremental()).isTrue();
            for (int sw = 0; sw < fabric.switchCount(); sw++) {
                MulticastTree unpacked = Objects.requireNonNull(proof.multicast());
                assertThat(unpacked.parent(sw)).isEqualTo(tree.parent(sw));
                assertThat(unpacked.parent(sw) == Fabric.NONE ? 0 : unpacked.cableCount(sw))
                        .isEqualTo(tree.parent(sw) == Fabric.NONE ? 0 : tree.cableCount(sw));
            }
        }
        Plan without = changed(new int[] {1}).plan();
        DeadlockChecker.Proof proof =
                ready(active.plan(), without, null).proof(without, TestRouting.QOS, () -> certificate(without, null));
        assertThat(proof.multicast()).isNull();
        assertThat(proof.isPlanned()).isFalse();
    }

    /** A plan takes an octet or two for each changed entry, and the room of a tree of its own. */
    @Test
    void memoryGrowsWithTheChangesAndTheTree() {
        int[] all = IntStream.rangeClosed(1, 18).toArray();
        int none = ready(active.plan(), changed().plan(), null).bytes();
        int some = ready(active.plan(), changed(all, all, all, all, all).plan(), null)
                .bytes();
        assertThat(none).isBetween(96, 100);
        assertThat(some).isGreaterThan(none + 5 * 18);
        PlanSketch next = changed();
        next.tree = Optional.of(MulticastTree.nearest(fabric, 0));
        Plan plan = next.plan();
        ReadyPlan ownTree = Objects.requireNonNull(
                ReadyPlan.of(active.plan(), result(plan, MulticastTree.nearest(fabric, 5)), null));
        assertThat(ownTree.bytes()).isGreaterThan(none + 9);
    }

    /** The results that a sweep would compute again anyway. */
    @Test
    void onlyAnUndegradedPlanOfTheFirstEngineWithAnIncrementalProofIsKept() {
        PlanSketch next = changed(new int[] {1});
        Plan plan = next.plan();
        assertThat(ReadyPlan.of(active.plan(), result(plan, null), null)).isNotNull();
        assertThat(ReadyPlan.of(active.plan(), new ChainResult(null, null, null, List.of(), List.of()), null))
                .isNull();
        Refusal refusal = new Refusal("first", List.of(Finding.error("no seed found")));
        assertThat(ReadyPlan.of(
                        active.plan(),
                        new ChainResult(plan, certificate(plan, null), null, List.of(refusal), List.of()),
                        null))
                .isNull();
        Plan degraded = plan.withTables(next.lfts)
                .degradation(new Degradation("a ring is cut", false, 1, 1, 1, 1, 1, 1))
                .build();
        assertThat(ReadyPlan.of(active.plan(), result(degraded, null), null)).isNull();
        assertThat(ReadyPlan.of(active.plan(), result(plan.forHostsOnly(), null), null))
                .isNull();
        Plan dateline = DatelineRouter.route(torus).plan();
        for (Plan proved : List.of(plan, dateline)) {
            Verdict verdict = new DeadlockChecker(1).check(proved, TestRouting.QOS);
            assertThat(ReadyPlan.of(dateline, new ChainResult(proved, verdict, null, List.of(), List.of()), null))
                    .as("without a proof, or with one that rests on no earlier proof")
                    .isNull();
        }
        next.roots = new int[] {3};
        assertThat(ReadyPlan.of(active.plan(), result(next.plan(), null), null))
                .as("multicast is off")
                .isNull();
        next.roots = new int[0];
        next.tree = Optional.of(MulticastTree.nearest(fabric, 0));
        assertThat(ReadyPlan.of(active.plan(), result(next.plan(), null), null)).isNull();
    }
}
