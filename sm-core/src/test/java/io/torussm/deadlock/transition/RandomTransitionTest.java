package io.torussm.deadlock.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.growth.TreeGrowth;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random changes of small fabrics: other spanning trees, a few entries, hosts and switches that leave, come or move,
 * links that are down, rows that change, multicast. The transition is compared with {@link FollowedPackets}.
 */
class RandomTransitionTest {
    private static final int ROUNDS = 150;
    private static final int PORTS = 8;

    private Random random = Seeds.random(0);
    private final Map<String, Integer> outcomes = new TreeMap<>();

    /** Returns a ring with chords, and up to three hosts at a switch. */
    private Fabric fabric() {
        Sketch sketch = new Sketch();
        int switches = random.nextInt(20) == 0 ? 16 : 4 + random.nextInt(4);
        int[] used = new int[switches];
        for (int sw = 0; sw < switches; sw++) {
            sketch.addSwitch("sw" + sw, PORTS);
        }
        for (int sw = 0; sw < switches; sw++) {
            link(sketch, used, sw, (sw + 1) % switches);
        }
        for (int chord = random.nextInt(4); chord > 0; chord--) {
            int from = random.nextInt(switches);
            int to = random.nextInt(switches);
            if (from != to && used[from] < 5 && used[to] < 5) {
                link(sketch, used, from, to);
            }
        }
        for (int sw = 0; sw < switches; sw++) {
            for (int host = random.nextInt(4); host > 0; host--) {
                sketch.addHost(sw, ++used[sw]);
            }
        }
        return sketch.build();
    }

    private static void link(Sketch sketch, int[] used, int from, int to) {
        sketch.link(from, ++used[from], to, ++used[to]);
    }

    /** Returns a subnet on a part of the fabric, with the LIDs of the whole. */
    private static Subnet without(Subnet whole, int sw) {
        FabricBuilder rest = FabricBuilder.of(whole.fabric());
        for (int portNum = 1; portNum <= PORTS; portNum++) {
            rest.unlink(whole.fabric().nodeGuid(sw), portNum);
        }
        rest.retrace();
        return whole.restrictedTo(rest.build());
    }

    /** Swaps the LIDs of two hosts, or takes the LID of one. */
    private Subnet withOtherLids(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        int[] lids = IntStream.range(0, fabric.portCount()).map(subnet::lid).toArray();
        int[] hosts = IntStream.range(0, lids.length)
                .filter(port -> lids[port] != 0 && !fabric.isSwitch(fabric.nodeOf(port)))
                .toArray();
        if (hosts.length > 0) {
            int one = hosts[random.nextInt(hosts.length)];
            int other = hosts[random.nextInt(hosts.length)];
            int lid = lids[one];
            lids[one] = random.nextBoolean() ? 0 : lids[other];
            lids[other] = lids[one] == 0 ? lids[other] : lid;
        }
        return new Subnet(fabric, lids, new byte[lids.length], Subnets.DEFAULT_PREFIX);
    }

    /** A random spanning tree: the parent of each switch, and the port that leads there. */
    private record SpanningTree(Fabric fabric, int root, int[] parent, int[] up) {
        boolean spansAll() {
            return IntStream.range(0, parent.length).allMatch(sw -> sw == root || parent[sw] != Fabric.NONE);
        }

        /** Returns the port by which a switch sends to another one along the tree. */
        int port(int from, int to) {
            int below = to;
            while (below != root && parent[below] != from) {
                below = parent[below];
            }
            return below == root ? up[from] : fabric.portNum(fabric.peer(fabric.port(below, up[below])));
        }

        MulticastTree multicast() {
            int[][] cables = new int[parent.length][];
            for (int sw = 0; sw < parent.length; sw++) {
                cables[sw] = sw == root ? new int[0] : new int[] {fabric.portNum(fabric.peer(fabric.port(sw, up[sw])))};
            }
            return new MulticastTree(fabric, root, parent, cables);
        }
    }

    private SpanningTree tree(Fabric fabric) {
        int count = fabric.switchCount();
        int root = random.nextInt(count);
        int[] parent = new int[count];
        int[] up = new int[count];
        Arrays.fill(parent, Fabric.NONE);
        List<Integer> reached = new ArrayList<>(List.of(root));
        for (int tries = 0; tries < 400 && reached.size() < count; tries++) {
            int from = reached.get(random.nextInt(reached.size()));
            int far = fabric.peer(fabric.port(from, 1 + random.nextInt(PORTS)));
            int next = far == Fabric.NONE ? Fabric.NONE : fabric.nodeOf(far);
            if (next != Fabric.NONE && fabric.isSwitch(next) && !reached.contains(next)) {
                parent[next] = from;
                up[next] = fabric.portNum(far);
                reached.add(next);
            }
        }
        return new SpanningTree(fabric, root, parent, up);
    }

    private PlanSketch plan(Subnet subnet, SpanningTree tree, long rows) {
        PlanSketch plan = new PlanSketch(subnet);
        for (int sw = 0; sw < plan.lfts.length; sw++) {
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                int to = subnet.switchOfLid(lid);
                if (to != Fabric.NONE && to != sw) {
                    plan.lfts[sw][lid] = (byte) tree.port(sw, to);
                }
            }
        }
        plan.masks = masks(plan.lfts.length);
        plan.rows = (sw, in, out) -> row(rows + sw * 97L + in * 13L + out);
        return plan;
    }

    /** Returns random SLs of 0 to 2 and 8, by source and destination. */
    private PlanSketch.Masks masks(int switches) {
        int[] masks = random.ints((long) switches * switches, 0, 9)
                .map(draw -> draw == 8 ? 0x100 : 1 + draw % 7)
                .toArray();
        return (from, to) -> masks[from * switches + to];
    }

    private static long row(long seed) {
        int[] vls = new int[16];
        Random draws = Seeds.random(seed);
        Arrays.setAll(vls, sl -> draws.nextInt(3));
        return SlToVlMappingTable.pack(vls);
    }

    /** The tables before a change, by the switches of the new fabric. */
    private record Before(byte[][] lfts, PlanSketch plan, int changedRow, BitSet downPorts) implements HeldTables {
        @Override
        public byte @Nullable [] lft(int sw) {
            return lfts[sw].length == 0 ? null : lfts[sw];
        }

        @Override
        public long sl2vl(int sw, int in, int out) {
            return sw == changedRow ? row(7 + in + out * 3L) : plan.rows.row(sw, in, out);
        }

        @Override
        public boolean isUp(int port) {
            return !downPorts.get(port);
        }
    }

    private Before before(Subnet previous, PlanSketch next) {
        int kind = random.nextInt(4);
        int top = Math.max(previous.topLid(), next.subnet.topLid());
        Fabric fabric = next.subnet.fabric();
        SpanningTree tree = tree(fabric);
        while (!tree.spansAll()) {
            tree = tree(fabric);
        }
        byte[][] lfts = new byte[fabric.switchCount()][];
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = new byte[top + 1];
            for (int lid = 0; lid <= top; lid++) {
                boolean hasEntry = lid < next.lfts[sw].length && next.lfts[sw][lid] != (byte) 0xff;
                lfts[sw][lid] = hasEntry ? next.lfts[sw][lid] : (byte) 0xff;
                int to = lid == 0 ? Fabric.NONE : switchOf(previous, lid, fabric);
                if (to != Fabric.NONE && to != sw && (kind == 0 || !hasEntry || next.subnet.switchOfLid(lid) != to)) {
                    lfts[sw][lid] = (byte) tree.port(sw, to);
                }
            }
        }
        BitSet down = new BitSet();
        if (kind == 3) {
            changeEntriesInto(random.nextInt(lfts.length), 1 + random.nextInt(3), lfts, down, fabric);
        }
        int others = kind == 1 ? 1 + random.nextInt(4) : kind == 2 ? random.nextInt(12) : 0;
        for (; others > 0; others--) {
            int portNum = random.nextInt(9) == 0 ? 0xff : random.nextInt(PORTS + 2);
            lfts[random.nextInt(lfts.length)][1 + random.nextInt(top)] = (byte) portNum;
        }
        if (random.nextInt(5) == 0) {
            int sw = random.nextInt(lfts.length);
            lfts[sw] = Arrays.copyOf(lfts[sw], random.nextBoolean() ? 0 : 1 + random.nextInt(top));
        }
        int downs = random.nextInt(60) == 0 ? 200 : random.nextInt(3) == 0 ? 1 + random.nextInt(2) : 0;
        for (; downs > 0; downs--) {
            down.set(fabric.port(random.nextInt(lfts.length), 1 + random.nextInt(PORTS)));
        }
        return new Before(lfts, next, random.nextInt(5) == 0 ? random.nextInt(lfts.length) : Fabric.NONE, down);
    }

    /** Takes a port of a switch down. The old entries of the switch that lead there lead to random ports instead. */
    private void changeEntriesInto(int sw, int portNum, byte[][] lfts, BitSet down, Fabric fabric) {
        down.set(fabric.port(sw, portNum));
        for (int lid = 0; lid < lfts[sw].length; lid++) {
            lfts[sw][lid] = lfts[sw][lid] == portNum ? (byte) (1 + random.nextInt(PORTS)) : lfts[sw][lid];
        }
    }

    private static int switchOf(Subnet previous, int lid, Fabric fabric) {
        int sw = lid > previous.topLid() ? Fabric.NONE : previous.switchOfLid(lid);
        return sw == Fabric.NONE
                ? Fabric.NONE
                : fabric.nodeByGuid(previous.fabric().nodeGuid(sw));
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void theOrderIsThatOfPacketsFollowedOneByOne(long seed) {
        random = Seeds.random(seed);
        int rounds = 0;
        while (rounds < ROUNDS) {
            Subnet whole = Subnets.of(fabric());
            Subnet part = random.nextInt(3) == 0
                    ? without(whole, random.nextInt(whole.fabric().switchCount()))
                    : whole;
            List<Subnet> ends = new ArrayList<>(List.of(whole, part));
            Collections.shuffle(ends, random);
            Subnet next = random.nextInt(3) == 0 ? withOtherLids(ends.get(1)) : ends.get(1);
            SpanningTree tree = tree(next.fabric());
            if (tree.spansAll()) {
                compare("seed " + seed + ", round " + rounds, ends.get(0), next, tree);
                rounds++;
            }
        }
        assertThat(outcomes).as("seed %d", seed).containsKeys("free", "in steps", "with drops", "vanished last");
    }

    private void compare(String context, Subnet previous, Subnet next, SpanningTree tree) {
        PlanSketch sketch = plan(next, tree, random.nextInt(1000));
        sketch.tree = random.nextBoolean() ? Optional.of(tree.multicast()) : Optional.empty();
        Before before = before(previous, sketch);
        PlanSketch active = new PlanSketch(previous);
        active.masks = masks(active.lfts.length);
        DeadlockChecker checker = new DeadlockChecker(1 + random.nextInt(3));
        Plan plan = sketch.plan();
        Plan previousPlan = random.nextInt(8) > 0 ? active.plan() : null;
        DeadlockChecker.Proof proof = checker.prove(plan, TestRouting.QOS, TreeGrowth::candidates);
        assertThat(proof.multicast() != null).as(context).isEqualTo(sketch.tree.isPresent());
        Certificate certificate = (Certificate) proof.verdict();
        FollowedPackets followed = new FollowedPackets(before, previousPlan, plan, certificate, TestRouting.QOS);
        boolean isSparse = before.changedRow == Fabric.NONE
                && new MixedDestinations(
                                new Channels(plan, TestRouting.QOS, before),
                                before,
                                previousPlan,
                                certificate.groups(),
                                false,
                                1)
                        .isSparse();
        for (boolean isThorough : new boolean[] {false, true}) {
            Transition transition = new TransitionPlanner(
                            before, previousPlan, plan, certificate, TestRouting.QOS, checker.tasks(), isThorough)
                    .find();
            boolean isExact = isSparse && !isThorough;
            compare(context + (isThorough ? ", thorough" : "") + followed, transition, followed, isExact);
        }
    }

    /**
     * Compares a transition with the expected one.
     *
     * @param isSparse whether so few entries change that vanished LIDs are examined apart
     */
    private void compare(String context, Transition transition, FollowedPackets followed, boolean isSparse) {
        assertThat(transition.isFree()).as(context).isEqualTo(followed.isFree());
        outcomes.merge(
                transition.isFree() ? "free" : transition.droppedCount() > 0 ? "with drops" : "in steps",
                1,
                Integer::sum);
        if (transition.isFree()) {
            return;
        }
        BitSet[] dropped = followed.dropped();
        int lids = followed.topLid() + 1;
        for (int sw = 0; sw < dropped.length; sw++) {
            int current = sw;
            assertThat(transition.earlyLids(sw))
                    .as("early %d, %s", sw, context)
                    .isEqualTo(IntStream.range(0, lids)
                            .filter(lid -> followed.isEarly(current, lid))
                            .toArray());
            assertThat(transition.lateLids(sw))
                    .as("late %d, %s", sw, context)
                    .isEqualTo(IntStream.range(0, lids)
                            .filter(lid -> followed.isLate(current, lid))
                            .toArray());
            assertThat(transition.droppedLids(sw))
                    .as("dropped %d, %s", sw, context)
                    .isEqualTo(dropped[sw].stream().toArray());
        }
        if (isSparse || transition.isVanishedLast()) {
            assertThat(transition.isVanishedLast()).as(context).isEqualTo(followed.isVanishedLastSafe());
            outcomes.merge(transition.isVanishedLast() ? "vanished last" : "vanished first", 1, Integer::sum);
        }
    }
}
