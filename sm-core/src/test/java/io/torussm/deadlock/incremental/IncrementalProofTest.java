package io.torussm.deadlock.incremental;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.BrokenTables;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Cycle;
import io.torussm.deadlock.DatelineRouter;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.Verdict;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.balance.RoutedSls;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The proof of a plan from the proof of another one, against the proof from nothing. */
class IncrementalProofTest {
    private static final int FABRICS = 30;
    private static final int CHANGES = 12;
    private static final int PORTS = 12;
    private static final byte NO_ROUTE = (byte) 0xff;

    private int certificates;
    private int cycles;
    private int broken;
    private int incremental;

    /**
     * Switches with random cables, of which some are down, random trees towards each LID, and SLs and SL2VL rows by
     * switch.
     */
    private static final class RandomNet {
        final Random random;
        final int switches;
        final List<int[]> cables = new ArrayList<>();
        final boolean[] isDown;
        final int[] hosts;
        final int[][] columns;
        final int[] masks;
        final long[] rows;
        final boolean isByLid;

        RandomNet(Random random) {
            this.random = random;
            switches = 4 + random.nextInt(9);
            hosts = random.ints(switches, 0, 3).toArray();
            boolean[][] isUsed = new boolean[switches][PORTS];
            for (int i = 0; i < 2 * switches; i++) {
                int a = i % switches;
                int b = i < switches ? (a + 1) % switches : random.nextInt(switches);
                int portA = 1 + random.nextInt(9);
                int portB = 1 + random.nextInt(9);
                if (a != b && !isUsed[a][portA] && !isUsed[b][portB]) {
                    isUsed[a][portA] = true;
                    isUsed[b][portB] = true;
                    cables.add(new int[] {a, portA, b, portB});
                }
            }
            isDown = new boolean[cables.size()];
            columns = new int[fabric().portCount()][];
            masks = random.ints((long) switches * switches).toArray();
            int vls = 1 + random.nextInt(4);
            rows = random.longs(1 << 12).map(row -> capVls(row, vls)).toArray();
            isByLid = random.nextInt(3) == 0;
            route(1.0);
        }

        private static long capVls(long row, int bound) {
            long result = 0;
            for (int shift = 0; shift < 64; shift += 4) {
                result |= (row >>> shift & 15) % bound << shift;
            }
            return result;
        }

        Fabric fabric() {
            Sketch sketch = new Sketch();
            for (int sw = 0; sw < switches; sw++) {
                sketch.addSwitch("sw" + sw, PORTS);
            }
            for (int i = 0; i < cables.size(); i++) {
                int[] cable = cables.get(i);
                if (isDown == null || !isDown[i]) {
                    sketch.link(cable[0], cable[1], cable[2], cable[3]);
                }
            }
            for (int sw = 0; sw < switches; sw++) {
                for (int host = 0; host < hosts[sw]; host++) {
                    sketch.addHost(sw, 10 + host);
                }
            }
            return sketch.build();
        }

        /** Routes some of the LIDs anew, and all whose tree has a cable that is down. */
        void route(double share) {
            PlanSketch plan = new PlanSketch(Subnets.of(fabric()));
            for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
                int[] column = columns[lid];
                if (column == null
                        || random.nextDouble() < share
                        || !leads(plan.subnet().fabric(), column)) {
                    int[] other = lid > 1 && random.nextBoolean() ? columns[lid - 1] : null;
                    boolean isShared = other != null
                            && plan.subnet().switchOfLid(lid - 1)
                                    == plan.subnet().switchOfLid(lid);
                    columns[lid] = isShared
                            ? other
                            : tree(plan.subnet().fabric(), plan.subnet().switchOfLid(lid));
                }
            }
        }

        private static boolean leads(Fabric fabric, int[] column) {
            for (int sw = 0; sw < column.length; sw++) {
                if (column[sw] != 0xff && fabric.peer(fabric.port(sw, column[sw])) == Fabric.NONE) {
                    return false;
                }
            }
            return true;
        }

        private int[] tree(Fabric fabric, int to) {
            int[] column = new int[switches];
            Arrays.fill(column, 0xff);
            List<Integer> reached = new ArrayList<>(List.of(to));
            while (!reached.isEmpty()) {
                int at = reached.remove(random.nextInt(reached.size()));
                for (int port = 1; port < 10; port++) {
                    int far = fabric.peer(fabric.port(at, port));
                    int next = far == Fabric.NONE ? to : fabric.nodeOf(far);
                    if (next != to && column[next] == 0xff) {
                        column[next] = fabric.portNum(far);
                        reached.add(next);
                    }
                }
            }
            return column;
        }

        PlanSketch plan() {
            PlanSketch plan = new PlanSketch(Subnets.of(fabric()));
            for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
                for (int sw = 0; sw < switches; sw++) {
                    if (sw != plan.subnet().switchOfLid(lid)) {
                        plan.lfts[sw][lid] = (byte) columns[lid][sw];
                    }
                }
            }
            plan.rows = (sw, in, out) -> rows[sw << 8 | out << 4 | in];
            plan.masks = (from, to) -> 1 << (masks[from * switches + to] & 3);
            plan.masksByLid = isByLid ? (from, lid) -> 1 << (masks[from] >> lid % 29 & 3) : null;
            return plan;
        }
    }

    /** Routes change here and there, cables fail and come back; now and then packets get lost, or wait in circles. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void isTheSameAsFromNothing(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < FABRICS; round++) {
            RandomNet net = new RandomNet(random);
            @Nullable Certificate before = null;
            for (int change = 0; change < CHANGES; change++) {
                PlanSketch plan = net.plan();
                if (random.nextInt(8) == 0) {
                    int sw = random.nextInt(net.switches);
                    plan.lfts[sw][1 + random.nextInt(plan.subnet().topLid())] = (byte) random.nextInt(PORTS + 1);
                }
                before = compare(plan, before);
                if (random.nextBoolean() && !net.cables.isEmpty()) {
                    int cable = random.nextInt(net.cables.size());
                    net.isDown[cable] = !net.isDown[cable];
                }
                net.route(0.1);
            }
        }
        assertThat(List.of(certificates, cycles, broken, incremental)).doesNotContain(0);
    }

    /** Switches lose their routes to a LID and get them back. A pair without a route has no SL. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void isTheSameAsFromNothingWhereRoutesComeAndGo(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < FABRICS; round++) {
            RandomNet net = new RandomNet(random);
            @Nullable Certificate before = null;
            for (int change = 0; change < CHANGES; change++) {
                PlanSketch sketch = net.plan();
                for (int i = random.nextInt(8); i > 0; i--) {
                    removeRoutes(
                            sketch,
                            random.nextInt(net.switches),
                            1 + random.nextInt(sketch.subnet().topLid()));
                }
                Plan plan = sketch.plan();
                PathSls granted = new GrantedAlike(plan.sls());
                before = compare(
                        plan.withTables(sketch.lfts)
                                .sls(new RoutedSls(granted, sketch.subnet(), sketch.lfts))
                                .build(),
                        before);
                net.route(0.1);
            }
        }
        assertThat(List.of(certificates, cycles)).doesNotContain(0);
        assertThat(incremental).isGreaterThan(certificates / 4);
    }

    /** SLs that are the same in all plans of a fabric. */
    private record GrantedAlike(PathSls all) implements PathSls {
        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            return all.sl(srcLid, dstLid, wanted);
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            return all.mask(srcSw, dstLid);
        }

        @Override
        public boolean isBySwitch() {
            return all.isBySwitch();
        }

        @Override
        public boolean isSameAs(PathSls other) {
            return other instanceof GrantedAlike;
        }
    }

    /** Takes the routes to a LID from a switch, and from all that forward through it. */
    private static void removeRoutes(PlanSketch sketch, int sw, int lid) {
        Fabric fabric = sketch.subnet().fabric();
        int home = sketch.subnet().switchOfLid(lid);
        for (int from = 0; from < sketch.lfts.length && home != Fabric.NONE; from++) {
            int at = from;
            while (at != home && at != sw && sketch.lfts[at][lid] != NO_ROUTE) {
                at = fabric.nodeOf(fabric.peer(fabric.port(at, sketch.lfts[at][lid] & 0xff)));
            }
            if (at != home) {
                sketch.lfts[from][lid] = NO_ROUTE;
            }
        }
    }

    private @Nullable Certificate compare(PlanSketch sketch, @Nullable Certificate before) {
        return compare(sketch.plan(), before);
    }

    private @Nullable Certificate compare(Plan plan, @Nullable Certificate before) {
        var proof =
                IncrementalProof.prove(new DeadlockChecker(1), plan, TestRouting.QOS, before, TreeGrowth::candidates);
        var whole = new DeadlockChecker(2).prove(plan, TestRouting.QOS, TreeGrowth::candidates);
        assertThat(proof.verdict().text()).isEqualTo(whole.verdict().text());
        assertThat(proof.isPlanned()).isEqualTo(whole.isPlanned());
        cycles += proof.verdict() instanceof Cycle ? 1 : 0;
        broken += proof.verdict() instanceof BrokenTables ? 1 : 0;
        if (!(proof.verdict() instanceof Certificate certificate)) {
            return before;
        }
        assertThat(certificate.isSameProof((Certificate) whole.verdict())).isTrue();
        assertThat(certificate.verify(plan, TestRouting.QOS)).isTrue();
        certificates++;
        incremental += certificate.isIncremental() ? 1 : 0;
        return certificate;
    }

    /**
     * Few entries change, so few switches are looked at: a proof that walks everything again would not be incremental.
     */
    @Test
    void walksWhatChangesAlone() {
        Certificate before =
                (Certificate) new DeadlockChecker(1).check(twoCables().plan(), TestRouting.QOS);
        PlanSketch changed = twoCables();
        takeTheOtherCable(changed, 1, changed.subnet().topLid());
        var proof = IncrementalProof.prove(
                new DeadlockChecker(1), changed.plan(), TestRouting.QOS, before, TreeGrowth::candidates);
        assertIncremental(proof.verdict());
    }

    /** On a loaded machine one task does nearly all of the work; in a pool of one thread it does all. */
    @Test
    void staysIncrementalIfOneTaskDoesAllTheWork() {
        var checker = new DeadlockChecker(64);
        Certificate before = (Certificate) checker.check(twoCables().plan(), TestRouting.QOS);
        PlanSketch changed = twoCables();
        for (int lid = 1; lid <= 60; lid++) {
            takeTheOtherCable(changed, 3 * lid, lid);
        }
        ForkJoinPool pool = new ForkJoinPool(1);
        try {
            var proof = pool.submit(() -> IncrementalProof.prove(
                            checker, changed.plan(), TestRouting.QOS, before, TreeGrowth::candidates))
                    .join();
            assertIncremental(proof.verdict());
        } finally {
            pool.shutdownNow();
        }
    }

    /** Enough switches for several ranges: numbers of channels, too, are the same however many tasks there are. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void doesNotDependOnTasks(long seed) {
        Random random = Seeds.random(seed);
        var alone = new DeadlockChecker(1);
        var together = new DeadlockChecker(4);
        Plan plan = twoCables().plan();
        Certificate before = (Certificate)
                alone.prove(plan, TestRouting.QOS, TreeGrowth::candidates).verdict();
        Certificate before4 = (Certificate)
                together.prove(plan, TestRouting.QOS, TreeGrowth::candidates).verdict();
        for (int change = 0; change < 6; change++) {
            PlanSketch sketch = twoCables();
            for (int i = random.nextInt(60); i >= 0; i--) {
                takeTheOtherCable(
                        sketch,
                        random.nextInt(sketch.lfts.length),
                        1 + random.nextInt(sketch.subnet().topLid()));
            }
            Plan changed = sketch.plan();
            var proof = IncrementalProof.prove(alone, changed, TestRouting.QOS, before, TreeGrowth::candidates);
            var proof4 = IncrementalProof.prove(together, changed, TestRouting.QOS, before4, TreeGrowth::candidates);
            assertIncremental(proof.verdict());
            assertIncremental(proof4.verdict());
            before = (Certificate) proof.verdict();
            before4 = (Certificate) proof4.verdict();
            assertThat(before4.isSameProof(before)).isTrue();
            assertThat(before4.numbering()).isEqualTo(before.numbering());
        }
    }

    private static void assertIncremental(Verdict verdict) {
        assertThat(verdict)
                .isInstanceOfSatisfying(Certificate.class, certificate -> assertThat(certificate.isIncremental())
                        .isTrue());
    }

    /** Routes a torus with two cables between neighbours. */
    private static PlanSketch twoCables() {
        return DatelineRouter.route(TorusSketch.of(8, 8, 4, 2, 1));
    }

    /** Lets a switch forward packets to a LID of another switch by the other one of two cables. No cycle arises. */
    private static void takeTheOtherCable(PlanSketch sketch, int sw, int lid) {
        if (sw != sketch.subnet().switchOfLid(lid)) {
            sketch.lfts[sw][lid] = (byte) ((sketch.lfts[sw][lid] - 1 ^ 1) + 1);
        }
    }
}
