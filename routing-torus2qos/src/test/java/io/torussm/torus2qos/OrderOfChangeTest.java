package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.transition.Transition;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.Plan;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.dfsssp.DfssspEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A torus fails and is repaired, and its tables are written, entry by entry in random order within each step.
 * At no moment is there a credit loop, or a packet in a forwarding loop.
 */
@Tag("slow")
class OrderOfChangeTest {
    private static final int VERIFICATIONS = 4;

    /** Changes by kind, for the message of a failure and the output. */
    private final Map<String, Integer> counts = new TreeMap<>();

    /** Compares the transition with that of a search which follows all packets, not only those that meet a change. */
    private static void assertFindsTheSameAsAThoroughSearch(Change change, String context) {
        Transition quick = change.transition;
        Transition thorough = change.thoroughTransition();
        assertThat(quick.isFree()).as(context).isEqualTo(thorough.isFree());
        for (int sw = 0; sw < change.fabric.switchCount(); sw++) {
            assertThat(quick.earlyLids(sw)).as(context).isEqualTo(thorough.earlyLids(sw));
            assertThat(quick.lateLids(sw)).as(context).isEqualTo(thorough.lateLids(sw));
            assertThat(quick.droppedLids(sw)).as(context).isEqualTo(thorough.droppedLids(sw));
        }
    }

    /**
     * Writes all tables in random order within each step, and verifies the tables several times in each. Entries of
     * LIDs without a port may be written last ({@code isVanishedLast}), so they are left out of the steps and verified
     * apart.
     *
     * @param packets plan that gives packets their SLs
     * @param isOldSafe whether the previous tables are free of credit loops, so that the first step is verified too
     */
    private static void writeAndVerify(Change change, Plan packets, Random random, String context, boolean isOldSafe) {
        assertFindsTheSameAsAThoroughSearch(change, context);
        TablesInTransition writing = new TablesInTransition(change, packets);
        List<List<Runnable>> steps = writing.steps();
        for (int step = 0; step < steps.size(); step++) {
            List<Runnable> writes = new ArrayList<>(steps.get(step));
            Collections.shuffle(writes, random);
            boolean isEmptyStep = writes.isEmpty();
            writes.removeAll(writing.removals);
            for (int part = 0; part <= VERIFICATIONS && !isEmptyStep; part++) {
                int from = writes.size() * part / (VERIFICATIONS + 1);
                int to = writes.size() * (part + 1) / (VERIFICATIONS + 1);
                if (isOldSafe || step > 0) {
                    boolean isAllUp = change.transition.isFree() && random.nextBoolean();
                    writing.verify(context + ", step " + step + ", " + from + " of " + writes.size(), isAllUp);
                }
                writes.subList(from, to).forEach(Runnable::run);
            }
        }
        if (!writing.removals.isEmpty()) {
            writing.verify(context + ", only entries of LIDs without a port are left", false);
            writing.removals.forEach(Runnable::run);
        }
        assertThat(writing.lfts).isDeepEqualTo(writing.newLfts);
        assertThat(writing.rows).isDeepEqualTo(writing.newRows);
        writing.verify(context + ", all written", false);
        writing.verify(context + ", links up", true);
    }

    private void count(String occasion, Change change) {
        Transition transition = change.transition;
        String outcome = transition.isFree() ? "any order" : transition.droppedCount() == 0 ? "in steps" : "with drops";
        counts.merge(occasion + ", " + outcome, 1, Integer::sum);
        if (transition.droppedCount() > 0) {
            counts.merge(occasion + ", entries dropped", transition.droppedCount(), Integer::sum);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void aTorusIsSafeAtEveryMomentOfAChange(long seed) {
        assertSafeAtEveryMoment(seed, 3, TestTorus::chain, change -> change.after);
    }

    /**
     * Packets keep their SLs. The last resort may give a path another SL than a previous plan with another
     * route. With that SL the previous tables may have a credit loop. But no host gets it before all tables
     * are written and the SA grants it. With the SLs of the new plan 9 of 300 random sequences failed before
     * a single write; with kept SLs none failed.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void aTorusOfTheLastResortIsSafeAtEveryMomentOfAChange(long seed) {
        assertSafeAtEveryMoment(seed, 4, TestTorus::routeWithLastResort, change -> change.planWithKeptSls);
    }

    /** The engines lash and dfsssp in turn, which keep the lanes of paths without a loss. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {5, 6, 8, 13})
    void aTorusOfALaneEngineIsSafeAtEveryMomentOfAChange(long seed) {
        Engine engine = seed % 2 == 0 ? new LashEngine() : new DfssspEngine();
        EngineConfig config = new EngineConfig(Map.of(), Map.of(), "", Sl2VlTables.DEFAULT, 2);
        RoutingChain lanes = new RoutingChain(
                new DeadlockChecker(2), List.of(new RoutingChain.Member(engine, config)), ChainPolicy.STRICT);
        AtomicReference<@Nullable Plan> activePlan = new AtomicReference<>(); // A lane engine keeps its lanes.
        assertSafeAtEveryMoment(
                seed,
                3,
                (conf, subnet) -> {
                    ChainResult result = lanes.route(subnet, TestTorus.QOS, activePlan.get(), EarlierFacts.NONE);
                    activePlan.set(result.isAccepted() ? result.plan() : activePlan.get());
                    return result;
                },
                change -> change.planWithKeptSls);
    }

    @ParameterizedTest(name = "seed {0}")
    @Tag("campaign")
    @MethodSource("io.torussm.testing.Seeds#few")
    void moreToriOfLaneEnginesAreSafeAtEveryMomentOfAChange(long seed) {
        aTorusOfALaneEngineIsSafeAtEveryMomentOfAChange(seed);
    }

    /** Draws a torus of 3 to 7 by 3 to 6 switches, flat or three deep. */
    private static TestTorus draw(Random random) {
        int[] radix = {3 + random.nextInt(5), 3 + random.nextInt(4), random.nextInt(3) == 0 ? 3 : 1};
        int links = 1 + random.nextInt(2);
        int hosts = random.nextInt(2);
        return new TestTorus(radix, "", links, hosts, null);
    }

    /**
     * Draws six sets of faults, and verifies the change to each that the chain accepts.
     *
     * @param newFaults one more than the max number of faults that a change adds
     * @param planOfPackets plan that gives packets their SLs during a change
     */
    private static void assertSafeAtEveryMoment(
            long seed,
            int newFaults,
            BiFunction<String, Subnet, ChainResult> chain,
            Function<Change, Plan> planOfPackets) {
        Random random = Seeds.random(seed);
        TestTorus whole = draw(random);
        Map<Long, Integer> lids = new HashMap<>();
        ChainResult current = chain.apply(whole.confOfSeeds(), TestFabric.subnet(whole.fabric.fabric(), lids));
        TreeSet<Fault> faults = new TreeSet<>();
        int written = 0;
        for (int i = 0; i < 6; i++) {
            TreeSet<Fault> next = new TreeSet<>(faults);
            next.removeIf(fault -> random.nextInt(3) == 0);
            for (int more = random.nextInt(newFaults); more > 0; more--) {
                next.add(Fault.draw(whole, 3, random));
            }
            ChainResult result = chain.apply(whole.confOfSeeds(), TestFabric.subnet(Fault.damaged(whole, next), lids));
            if (result.isAccepted() && !next.equals(faults)) {
                Change change = new Change(TestTorus.plan(current), result);
                writeAndVerify(
                        change,
                        planOfPackets.apply(change),
                        random,
                        "seed " + seed + ": " + whole + faults + " to " + next,
                        true);
                current = result;
                faults = next;
                written++;
            }
        }
        assertThat(written).as("changes of %s", whole).isPositive();
    }

    /** The previous tables have credit loops, and all SL2VL rows change. From the second step on there is none. */
    @ParameterizedTest
    @CsvSource({"6, 5, 1", "4, 4, 3", "5, 5, 3"})
    void aChangeFromRoutesWithCreditLoopsAddsNone(int x, int y, int z) {
        TestTorus whole = new TestTorus(x, y, z);
        Subnet subnet = TestFabric.subnet(whole.fabric.fabric(), new HashMap<>());
        Engine minHop = new MinHopEngine();
        ChainResult before = new RoutingChain(List.of(minHop), new DeadlockChecker(2), ChainPolicy.LOOPS_ACCEPTED)
                .route(subnet, TestTorus.QOS);
        ChainResult after = TestTorus.chain(whole.confOfSeeds(), subnet);
        Change change = new Change(TestTorus.plan(before), after);
        assertThat(change.transition.isFree()).isFalse();
        writeAndVerify(change, change.after, Seeds.random(1), x + "x" + y + "x" + z, false);
    }

    @Test
    void anUnchangedPlanNeedsNoOrder() {
        TestTorus whole = new TestTorus(5, 4, 3);
        ChainResult result = TestTorus.chain(whole.confOfSeeds(), whole.fabric.subnet(0));
        assertThat(new Change(TestTorus.plan(result), result).transition).isSameAs(Transition.FREE);
    }

    /**
     * The search asks for the SLs of a switch and a LID. When it followed all packets of each changed
     * destination, it asked 8,760 and 83,855 times after the loss of a switch; all pairs are 41,472 and 524,288.
     */
    @ParameterizedTest
    @CsvSource({"12, 12, 1, 4000", "8, 8, 8, 25000"})
    void aSearchFollowsPacketsOnlyUntilTheyMeetAChange(int x, int y, int z, long max) {
        TestTorus whole = new TestTorus(x, y, z);
        Map<Long, Integer> lids = new HashMap<>();
        ChainResult pristine = TestTorus.chain(whole.confOfSeeds(), TestFabric.subnet(whole.fabric.fabric(), lids));
        Fault fault = Fault.ofSwitch(whole.count() / 2 + 3);
        ChainResult result =
                TestTorus.chain(whole.confOfSeeds(), TestFabric.subnet(Fault.damaged(whole, List.of(fault)), lids));
        Change failure = new Change(TestTorus.plan(pristine), result);
        Change repair = new Change(TestTorus.plan(result), pristine);
        for (Change change : List.of(failure, repair)) {
            assertThat(change.transition.droppedCount()).isPositive();
            assertThat(change.slQueries()).isLessThan(max);
            assertFindsTheSameAsAThoroughSearch(change, x + "x" + y + "x" + z);
        }
    }

    /**
     * An array of one number for each channel of 8x8x8 takes 0.2 MB, of 16x16x16 1.6 MB; with twenty of them
     * it was 5.3 MB here.
     */
    @Test
    void aSearchAllocatesLittleMemory() {
        TestTorus whole = new TestTorus(8, 8, 8);
        Map<Long, Integer> lids = new HashMap<>();
        ChainResult pristine = TestTorus.chain(whole.confOfSeeds(), TestFabric.subnet(whole.fabric.fabric(), lids));
        Fault fault = Fault.ofCable(whole.count() / 2 + 3, 0);
        ChainResult result =
                TestTorus.chain(whole.confOfSeeds(), TestFabric.subnet(Fault.damaged(whole, List.of(fault)), lids));
        Change failure = new Change(TestTorus.plan(pristine), result);
        assertThat(failure.transition.droppedCount()).isPositive();
        assertThat(failure.allocatedBytes()).isLessThan(2_500_000);
    }

    /**
     * Pairs that have a path both before and after a fault keep it meanwhile. Prints how often which order is needed,
     * for the documentation.
     */
    @ParameterizedTest
    @CsvSource({"3, 3, 3", "6, 5, 4", "8, 8, 1"})
    void singleFaultsAndRepairsDropNoEntryNeedlessly(int x, int y, int z) {
        TestTorus whole = new TestTorus(x, y, z);
        Map<Long, Integer> lids = new HashMap<>();
        ChainResult pristine = TestTorus.chain(whole.confOfSeeds(), TestFabric.subnet(whole.fabric.fabric(), lids));
        for (int i = 0; i < 8; i++) {
            int at = (i * 7919 + 13) % whole.count();
            for (Fault fault : Fault.allAt(whole, at)) {
                ChainResult damaged = TestTorus.chain(
                        whole.confOfSeeds(), TestFabric.subnet(Fault.damaged(whole, List.of(fault)), lids));
                String part = fault.isSwitch() ? "switch" : "link";
                if (damaged.isAccepted()) {
                    verifySingle(part + " fails", new Change(TestTorus.plan(pristine), damaged), at, i == 0);
                    verifySingle(part + " is repaired", new Change(TestTorus.plan(damaged), pristine), at, i == 0);
                } else {
                    counts.merge(part + " refused", 1, Integer::sum);
                }
            }
        }
        System.out.println("order of change " + x + "x" + y + "x" + z + ": " + counts);
        for (String occasion : List.of("switch fails", "switch is repaired", "link fails", "link is repaired")) {
            assertThat(counts.keySet()).anyMatch(key -> key.startsWith(occasion + ", "));
        }
    }

    private void verifySingle(String occasion, Change change, int at, boolean isWritten) {
        String context = occasion + " at " + at;
        count(occasion, change);
        assertFindsTheSameAsAThoroughSearch(change, context);
        assertThat(new TablesInTransition(change, change.after).needlessDropCount())
                .as(context)
                .isZero();
        if (isWritten) {
            writeAndVerify(change, change.after, Seeds.random(at), context, true);
        }
    }
}
