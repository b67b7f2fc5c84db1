package io.torussm.deadlock.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.NaiveChecker;
import io.torussm.deadlock.Verdict;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.PlanSketch;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The order of small changes on rings with one VL, which can be followed by hand. */
class TransitionTest {
    private static final int UP = 2;
    private static final int DOWN = 1;
    private static final int SIDE = 3;

    /**
     * Switches in a circle; port 2 leads to the next, port 1 to the one before; without the cable after {@code gap}.
     */
    private static PlanSketch ring(int size, int missing) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < size; sw++) {
            sketch.addSwitch("sw" + sw, 3);
        }
        for (int sw = 0; sw < size; sw++) {
            if (sw != missing) {
                sketch.link(sw, UP, (sw + 1) % size, DOWN);
            }
            sketch.addHost(sw, 3);
        }
        return new PlanSketch(Subnets.of(sketch.build()));
    }

    /** Routes that never take the cable after a switch. */
    private static PlanSketch avoiding(int gap, PlanSketch plan) {
        int size = plan.lfts.length;
        for (int sw = 0; sw < size; sw++) {
            for (int lid = 1; lid <= plan.subnet.topLid(); lid++) {
                int to = plan.subnet.switchOfLid(lid);
                int here = Math.floorMod(sw - gap - 1, size);
                int there = Math.floorMod(to - gap - 1, size);
                if (here != there) {
                    plan.lfts[sw][lid] = (byte) (there > here ? UP : DOWN);
                }
            }
        }
        return plan;
    }

    private static HeldTables heldTables(PlanSketch before, Set<Integer> downPorts) {
        return new HeldTables() {
            @Override
            public byte[] lft(int sw) {
                return before.lfts[sw];
            }

            @Override
            public long sl2vl(int sw, int in, int out) {
                return before.rows.row(sw, in, out);
            }

            @Override
            public boolean isUp(int port) {
                return !downPorts.contains(port);
            }
        };
    }

    private static Transition transition(PlanSketch before, PlanSketch after, int tasks, Set<Integer> downPorts) {
        DeadlockChecker checker = new DeadlockChecker(tasks);
        Verdict verdict = checker.check(after.plan(), TestRouting.QOS);
        assertThat(verdict).as(verdict.text()).isInstanceOf(Certificate.class);
        HeldTables held = heldTables(before, downPorts);
        Transition found = new TransitionPlanner(
                        held, before.plan(), after.plan(), (Certificate) verdict, TestRouting.QOS, checker.tasks())
                .find();
        Transition thorough = new TransitionPlanner(
                        held, before.plan(), after.plan(), (Certificate) verdict, TestRouting.QOS, tasks, true)
                .find();
        assertThat(found.isFree()).isEqualTo(thorough.isFree());
        for (int sw = 0; sw < after.lfts.length; sw++) {
            assertThat(found.droppedLids(sw)).isEqualTo(thorough.droppedLids(sw));
        }
        return found;
    }

    private static boolean hasCycle(byte[][] lfts, PlanSketch like) {
        PlanSketch now = new PlanSketch(like.subnet);
        for (int sw = 0; sw < lfts.length; sw++) {
            now.lfts[sw] = lfts[sw];
        }
        return new NaiveChecker(now.plan(), TestRouting.QOS).hasCycle();
    }

    private static byte[][] copy(byte[][] lfts) {
        return Arrays.stream(lfts).map(byte[]::clone).toArray(byte[][]::new);
    }

    private static List<int[]> changedEntries(byte[][] from, byte[][] to) {
        List<int[]> entries = new ArrayList<>();
        for (int sw = 0; sw < from.length; sw++) {
            for (int lid = 1; lid < from[sw].length; lid++) {
                if (from[sw][lid] != to[sw][lid]) {
                    entries.add(new int[] {sw, lid});
                }
            }
        }
        return entries;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void aRingThatIsOpenElsewhereDropsSomeEntriesFirst(long seed) {
        Random random = Seeds.random(seed);
        int size = 4 + random.nextInt(4);
        PlanSketch before = avoiding(0, ring(size, Fabric.NONE));
        PlanSketch after = avoiding(1 + random.nextInt(size - 1), ring(size, Fabric.NONE));
        Transition transition = transition(before, after, 1, Set.of());
        assertThat(transition.isFree()).isFalse();
        assertThat(transition.droppedCount())
                .isPositive()
                .isLessThan(changedEntries(before.lfts, after.lfts).size());

        byte[][] now = copy(before.lfts);
        List<int[]> steady = new ArrayList<>();
        for (int sw = 0; sw < size; sw++) {
            for (int lid : transition.droppedLids(sw)) {
                assertThat(before.lfts[sw][lid]).isNotEqualTo(after.lfts[sw][lid]);
                now[sw][lid] = (byte) 0xff;
                assertThat(hasCycle(now, before)).isFalse();
                steady.add(new int[] {sw, lid});
            }
        }
        List<int[]> rest = changedEntries(now, after.lfts);
        rest.removeIf(entry -> now[entry[0]][entry[1]] == (byte) 0xff);
        for (List<int[]> step : List.of(rest, steady)) {
            Collections.shuffle(step, random);
            for (int[] entry : step) {
                now[entry[0]][entry[1]] = after.lfts[entry[0]][entry[1]];
                assertThat(hasCycle(now, before)).isFalse();
            }
        }
        assertThat(now).isDeepEqualTo(after.lfts);
    }

    /** Shows that steps are necessary: entries in any order close a cycle, though old and new ones do not. */
    @Test
    void withoutStepsTheSameRingHasLoops() {
        Random random = Seeds.random(1);
        int loops = 0;
        for (int round = 0; round < 20; round++) {
            PlanSketch before = avoiding(0, ring(6, Fabric.NONE));
            PlanSketch after = avoiding(3, ring(6, Fabric.NONE));
            byte[][] now = copy(before.lfts);
            List<int[]> entries = changedEntries(before.lfts, after.lfts);
            Collections.shuffle(entries, random);
            boolean hasLoop = false;
            for (int[] entry : entries) {
                now[entry[0]][entry[1]] = after.lfts[entry[0]][entry[1]];
                hasLoop |= hasCycle(now, before);
            }
            loops += hasLoop ? 1 : 0;
        }
        assertThat(loops).isPositive();
    }

    /**
     * The cable that was added is down, so what leads into it goes first, and nothing that works is dropped for long.
     */
    @Test
    void entriesIntoALinkThatIsNotUpGoFirst() {
        int size = 5;
        PlanSketch before = avoiding(0, ring(size, Fabric.NONE));
        PlanSketch after = avoiding(2, ring(size, Fabric.NONE));
        Fabric fabric = after.subnet.fabric();
        Set<Integer> down = Set.of(fabric.port(0, UP), fabric.port(1, DOWN));
        Transition transition = transition(before, after, 2, down);
        assertThat(transition.isFree()).isFalse();
        for (int sw = 0; sw < size; sw++) {
            Set<Integer> into = new TreeSet<>();
            for (int[] entry : changedEntries(before.lfts, after.lfts)) {
                boolean isInto = sw == 0 && after.lfts[0][entry[1]] == UP || sw == 1 && after.lfts[1][entry[1]] == DOWN;
                if (entry[0] == sw && isInto) {
                    into.add(entry[1]);
                }
            }
            assertThat(Arrays.stream(transition.earlyLids(sw)).boxed().toList()).containsExactlyElementsOf(into);
        }
    }

    @Test
    void entriesIntoACableThatIsGoneComeLast() {
        int size = 5;
        PlanSketch before = avoiding(2, ring(size, Fabric.NONE));
        PlanSketch after = avoiding(0, ring(size, 0));
        Transition transition = transition(before, after, 2, Set.of());
        assertThat(transition.isFree()).isFalse();
        for (int sw = 0; sw < size; sw++) {
            Set<Integer> into = new TreeSet<>();
            for (int[] entry : changedEntries(before.lfts, after.lfts)) {
                byte old = before.lfts[sw][entry[1]];
                if (entry[0] == sw && (sw == 0 && old == UP || sw == 1 && old == DOWN)) {
                    into.add(entry[1]);
                }
            }
            assertThat(Arrays.stream(transition.lateLids(sw)).boxed().toList()).containsExactlyElementsOf(into);
        }
    }

    @Test
    void aRingThatIsOpenWhereItWasWaitsForNothing() {
        PlanSketch before = avoiding(2, ring(5, Fabric.NONE));
        assertThat(transition(before, avoiding(2, ring(5, Fabric.NONE)), 1, Set.of()))
                .isSameAs(Transition.FREE);
        PlanSketch fewer = avoiding(2, ring(5, Fabric.NONE));
        fewer.lfts[4][1] = (byte) 0xff;
        assertThat(transition(fewer, avoiding(2, ring(5, Fabric.NONE)), 1, Set.of())
                        .isFree())
                .isTrue();
    }

    @Test
    void aFabricThatCarriesNothingWaitsForNothing() {
        PlanSketch before = avoiding(0, ring(5, Fabric.NONE));
        PlanSketch after = avoiding(2, ring(5, Fabric.NONE));
        Set<Integer> all = new TreeSet<>();
        for (int port = 0; port < after.subnet.fabric().portCount(); port++) {
            all.add(port);
        }
        assertThat(transition(before, after, 1, all)).isSameAs(Transition.FREE);
    }

    /**
     * The ways to a few destinations change; what packets to the others wait for closes the circle as often as that
     * does. In a small mesh: rows first, but for two destinations any shortest way. Compared with the walk over
     * everything.
     */
    @Test
    void packetsThatMeetNoChangeCountToo() {
        Random random = Seeds.random(5);
        int found = 0;
        for (int round = 0; round < 1000; round++) {
            PlanSketch before = mesh();
            PlanSketch after = mesh();
            for (int to = 0; to < SIDE * SIDE; to++) {
                route(before, to, () -> true);
                route(after, to, () -> true);
            }
            route(before, random.nextInt(SIDE * SIDE), random::nextBoolean);
            route(after, random.nextInt(SIDE * SIDE), random::nextBoolean);
            int port = after.subnet.fabric().port(random.nextInt(SIDE * SIDE), 1 + random.nextInt(4));
            Set<Integer> down = random.nextInt(3) > 0 ? Set.of() : Set.of(port);
            found += isFree(after) && transition(before, after, 1, down).droppedCount() > 0 ? 1 : 0;
        }
        assertThat(found).isPositive();
    }

    private static boolean isFree(PlanSketch plan) {
        return new DeadlockChecker(1).check(plan.plan(), TestRouting.QOS) instanceof Certificate;
    }

    /** Returns a mesh: ports 1 and 2 lead to the next and the previous switch in a row, 3 and 4 in a column. */
    private static PlanSketch mesh() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < SIDE * SIDE; sw++) {
            sketch.addSwitch("sw" + sw, 5);
        }
        for (int sw = 0; sw < SIDE * SIDE; sw++) {
            if (sw % SIDE < SIDE - 1) {
                sketch.link(sw, 1, sw + 1, 2);
            }
            if (sw / SIDE < SIDE - 1) {
                sketch.link(sw, 3, sw + SIDE, 4);
            }
            sketch.addHost(sw, 5);
        }
        return new PlanSketch(Subnets.of(sketch.build()));
    }

    /** Routes to a switch by a tree of shortest ways, which turn at random. */
    private static void route(PlanSketch plan, int to, BooleanSupplier isRowFirst) {
        for (int sw = 0; sw < SIDE * SIDE; sw++) {
            int dx = to % SIDE - sw % SIDE;
            int dy = to / SIDE - sw / SIDE;
            boolean isInRow = dy == 0 || dx != 0 && isRowFirst.getAsBoolean();
            byte port = (byte) (isInRow ? dx > 0 ? 1 : 2 : dy > 0 ? 3 : 4);
            for (int lid = 1; lid <= plan.subnet.topLid() && sw != to; lid++) {
                plan.lfts[sw][lid] = plan.subnet.switchOfLid(lid) == to ? port : plan.lfts[sw][lid];
            }
        }
    }

    /** SL2VL rows alone: both plans break the ring at its dateline, but on VLs the other way round. */
    @Test
    void aChangedRowCountsAsAChangedEntry() {
        int size = 5;
        PlanSketch before = clockwise(ring(size, Fabric.NONE), 0);
        PlanSketch after = clockwise(ring(size, Fabric.NONE), 1);
        Transition transition = transition(before, after, 1, Set.of());
        assertThat(transition.droppedCount()).isPositive();
    }

    /**
     * Routes all packets one way around the ring, with at most two hops. Those that cross the dateline have SL 1 and a
     * VL of their own.
     */
    private static PlanSketch clockwise(PlanSketch plan, int vlOfSl1) {
        int size = plan.lfts.length;
        for (int sw = 0; sw < size; sw++) {
            for (int lid = 1; lid <= plan.subnet.topLid(); lid++) {
                if (plan.subnet.switchOfLid(lid) != sw) {
                    plan.lfts[sw][lid] = UP;
                }
            }
        }
        int[] vls = new int[16];
        vls[0] = 1 - vlOfSl1;
        vls[1] = vlOfSl1;
        plan.rows = (sw, in, out) -> SlToVlMappingTable.pack(vls);
        plan.masks = (from, to) -> Math.floorMod(to - from, size) > 2 ? 0 : from > to ? 2 : 1;
        return plan;
    }

    @Test
    void theResultDoesNotDependOnTheNumberOfTasks() {
        PlanSketch before = avoiding(0, ring(7, Fabric.NONE));
        PlanSketch after = avoiding(4, ring(7, Fabric.NONE));
        Transition one = transition(before, after, 1, Set.of());
        Transition three = transition(before, after, 3, Set.of());
        for (int sw = 0; sw < 7; sw++) {
            assertThat(three.droppedLids(sw)).isEqualTo(one.droppedLids(sw));
        }
    }

    /** Four switches have nine entries each, LID 0 included; an eighth of all is four. */
    @Test
    void entriesAreListedIfAtMostAnEighthOfThemChanges() {
        PlanSketch after = avoiding(0, ring(4, Fabric.NONE));
        PlanSketch before = avoiding(0, ring(4, Fabric.NONE));
        Certificate certificate = (Certificate) new DeadlockChecker(1).check(after.plan(), TestRouting.QOS);
        int[][] entries = {{0, 6}, {0, 7}, {1, 5}, {1, 7}, {2, 5}};
        for (int changed = 1; changed <= entries.length; changed++) {
            before.lfts[entries[changed - 1][0]][entries[changed - 1][1]] = UP + DOWN;
            HeldTables held = heldTables(before, Set.of());
            MixedDestinations destinations = new MixedDestinations(
                    new Channels(after.plan(), TestRouting.QOS, held),
                    held,
                    before.plan(),
                    certificate.groups(),
                    false,
                    1);
            assertThat(changedEntries(before.lfts, after.lfts)).hasSize(changed);
            assertThat(destinations.isSparse()).isEqualTo(changed <= 4);
        }
    }
}
