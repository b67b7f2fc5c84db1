package io.torussm.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Dependencies of multicast and the check of their numbers, compared with packets of each group that {@link
 * NaiveChecker} follows alone. Trees are random: edges of one to four cables, some of which are lost, beside cables
 * that no group uses. There is no unicast.
 */
class MulticastTwinTest {
    private static final int ROUNDS = 4;
    private static final int MAX_CABLES = 4;

    /** Ports that each switch has for its cables to one other switch, after port 0 and those of its hosts. */
    private static final int PORTS_TO_SWITCH = MAX_CABLES + 1;

    private static final int HOST_PORTS = 2;
    private static final int FIRST_MLID = 0xC000;

    /** Number of MLIDs after which the cables of all groups repeat: a multiple of 1 to {@link #MAX_CABLES}. */
    private static final int MLIDS = 12;

    private static final int[] GROUP_SLS = {0, 8};

    private final DeadlockChecker checker = new DeadlockChecker(2);

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void dependenciesAreThoseOfThePacketsOfAllGroups(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            compareDependencies(randomPlan(random), TestRouting.qosWithVls(1 << random.nextInt(4)));
        }
    }

    /** The switches of a star have no SL2VL tables, so all eight VLs of each cable wait for all VLs of the others. */
    @Test
    void aTreeMayHaveThousandsOfDependencies() {
        int leaves = 5;
        Sketch sketch = new Sketch().slMapping(false);
        int[][] cables = new int[1 + leaves][];
        cables[0] = new int[0];
        sketch.addSwitch("hub", leaves);
        for (int leaf = 1; leaf <= leaves; leaf++) {
            sketch.addSwitch("leaf" + leaf, 1);
            sketch.link(0, leaf, leaf, 1);
            cables[leaf] = new int[] {leaf};
        }
        Fabric fabric = sketch.build();
        PlanSketch plan = new PlanSketch(Subnets.of(fabric));
        plan.masks = (from, to) -> 0;
        plan.tree = Optional.of(new MulticastTree(fabric, 0, new int[] {Fabric.NONE, 0, 0, 0, 0, 0}, cables));

        compareDependencies(plan, TestRouting.QOS);

        int pairs = leaves * (leaves - 1);
        assertThat(proof(plan, TestRouting.QOS, null).dependencyCount()).isEqualTo(GROUP_SLS.length * pairs * 8 * 8);
    }

    private void compareDependencies(PlanSketch plan, RoutingOptions options) {
        Certificate certificate = proof(plan, options, null);
        ChannelDependencyGraph graph = certificate.graph();
        MulticastDependencies groups = Objects.requireNonNull(certificate.groupTraffic());
        Map<Integer, Set<Integer>> found = new TreeMap<>();
        int[] used = IntStream.range(0, graph.size()).filter(graph::isUsed).toArray();
        for (int channel : used) {
            found.put(portChannel(graph.channels, channel), successors(graph, channel));
        }
        assertThat(found).isEqualTo(dependencies(plan, options));
        for (int held : used) {
            Set<Integer> wanted = IntStream.of(used)
                    .filter(other -> groups.contains(held, other))
                    .mapToObj(other -> portChannel(graph.channels, other))
                    .collect(Collectors.toSet());
            assertThat(wanted).isEqualTo(successors(graph, held));
        }
    }

    /** Returns the channels for which packets in a channel wait. SLs with the same VLs give a dependency twice. */
    private static Set<Integer> successors(ChannelDependencyGraph graph, int channel) {
        return IntStream.range(graph.first(channel), graph.first(channel + 1))
                .mapToObj(edge -> portChannel(graph.channels, graph.successor(edge)))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** Numbers are valid if and only if the packets of all groups ascend, whatever the source of the numbers. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void numbersAreVerifiedAgainstThePacketsOfAllGroups(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            PlanSketch plan = randomPlan(random);
            RoutingOptions options = TestRouting.qosWithVls(1 << random.nextInt(4));
            Map<Integer, Set<Integer>> dependencies = dependencies(plan, options);
            Map<Integer, Integer> numbers = randomNumbers(dependencies, random);
            assertThat(isVerified(plan, options, numbers)).isTrue();
            dependencies.forEach((held, wanted) -> {
                Map<Integer, Integer> forged = new TreeMap<>(numbers);
                forged.remove(held);
                assertThat(isVerified(plan, options, forged))
                        .as("without a number")
                        .isFalse();
                if (!wanted.isEmpty()) {
                    int next = wanted.stream()
                            .skip(random.nextInt(wanted.size()))
                            .findFirst()
                            .orElseThrow();
                    forged.put(held, numbers.get(next));
                    assertThat(isVerified(plan, options, forged))
                            .as("equal numbers")
                            .isFalse();
                }
            });
        }
    }

    /** Returns random numbers of channels that ascend along all dependencies. */
    private static Map<Integer, Integer> randomNumbers(Map<Integer, Set<Integer>> dependencies, Random random) {
        Map<Integer, Integer> numbers = new TreeMap<>();
        List<Integer> open = new ArrayList<>(dependencies.keySet());
        while (!open.isEmpty()) {
            List<Integer> last = open.stream()
                    .filter(channel -> numbers.keySet().containsAll(dependencies.get(channel)))
                    .toList();
            Integer channel = last.get(random.nextInt(last.size()));
            open.remove(channel);
            numbers.put(channel, open.size());
        }
        return numbers;
    }

    private boolean isVerified(PlanSketch plan, RoutingOptions options, Map<Integer, Integer> numbers) {
        return proof(plan, options, numbers).verify(plan.plan(), options);
    }

    /**
     * Returns the certificate of a plan.
     *
     * @param numbers the numbers by channel of an untrusted source; null for those of the checker
     */
    private Certificate proof(PlanSketch plan, RoutingOptions options, @Nullable Map<Integer, Integer> numbers) {
        DeadlockChecker.TrafficSource source =
                (channels, lfts) -> numbers == null ? null : new ForgedNumbers(channels, lfts, options, numbers);
        return (Certificate) checker.prove(plan.plan(), options, source, DeadlockChecker.TreeSource.NONE)
                .verdict();
    }

    /** The traffic of a plan with numbers that the checker has not computed. */
    private record ForgedNumbers(
            SlUsage traffic, DestinationGroups groups, RoutingOptions options, Map<Integer, Integer> numbers)
            implements StatedTraffic {
        ForgedNumbers(Channels channels, byte[][] lfts, RoutingOptions options, Map<Integer, Integer> numbers) {
            this(new SlUsage(channels), DestinationGroups.of(channels, lfts, 1), options, numbers);
        }

        @Override
        public int[] numbering(ChannelDependencyGraph unicast, @Nullable MulticastDependencies groupTraffic) {
            return IntStream.range(0, unicast.size())
                    .map(channel -> numbers.getOrDefault(portChannel(unicast.channels, channel), Fabric.NONE))
                    .toArray();
        }
    }

    /** Returns a channel of the checker as {@link NaiveChecker} numbers it. */
    private static int portChannel(Channels channels, int channel) {
        return channels.linkPort(channel / Channels.VLS) * Channels.VLS + channel % Channels.VLS;
    }

    /** Returns the channels that packets wait for, by channel, as {@link NaiveChecker} numbers them. */
    private static Map<Integer, Set<Integer>> dependencies(PlanSketch plan, RoutingOptions options) {
        Fabric fabric = plan.subnet().fabric();
        MulticastTree tree = plan.tree.orElseThrow();
        NaiveChecker naive = new NaiveChecker(plan.plan(), options);
        int[] members =
                IntStream.range(0, fabric.portCount()).filter(fabric::isEndport).toArray();
        for (int mlid = FIRST_MLID; mlid < FIRST_MLID + MLIDS; mlid++) {
            Map<Integer, long[]> entries = tree.route(mlid, members);
            for (int source : members) {
                for (int sl : GROUP_SLS) {
                    if (entries.containsKey(fabric.switchOf(source))) {
                        naive.flood(entries, source, sl);
                    }
                }
            }
        }
        assertThat(naive.isBroken()).isFalse();
        return naive.dependencies();
    }

    /**
     * Returns a plan without unicast, and with a tree from which cables may be lost. Cables are compared in pairs, so
     * three cables may pass for those of one group, although no group has all three. This adds dependencies only if the
     * VL depends on the input port and edges differ in their number of cables. No plan has both.
     */
    private static PlanSketch randomPlan(Random random) {
        int switches = 2 + random.nextInt(5);
        int[] parent = IntStream.range(0, switches)
                .map(sw -> sw == 0 || random.nextInt(8) == 0 ? Fabric.NONE : random.nextInt(sw))
                .toArray();
        boolean isByInput = random.nextBoolean();
        Fabric whole = randomFabric(random, parent);
        MulticastTree tree = randomTree(random, whole, parent, isByInput);
        FabricBuilder rest = FabricBuilder.of(whole);
        for (int sw = 1; sw < switches && random.nextInt(3) == 0; sw++) {
            if (tree.cableCount(sw) > 0) {
                int lost = tree.portAtParent(sw, random.nextInt(tree.cableCount(sw)));
                rest.unlink(whole.nodeGuid(whole.nodeOf(lost)), whole.portNum(lost));
            }
        }
        Subnet subnet = Subnets.of(rest.build());
        PlanSketch plan = new PlanSketch(subnet);
        plan.masks = (from, to) -> 0;
        plan.tree = Optional.of(tree.remainingOn(subnet.fabric()));
        long[] rows = random.longs((long) whole.portCount() * PORTS_TO_SWITCH).toArray();
        plan.rows = (sw, in, out) -> dataVls(rows[whole.port(sw, out) + (isByInput ? in : 0)]);
        return plan;
    }

    /** Returns a row that maps no SL to VL15. */
    private static long dataVls(long row) {
        return SlToVlMappingTable.pack(IntStream.range(0, Channels.VLS)
                .map(sl -> SlToVlMappingTable.vl(row, sl) & 7)
                .toArray());
    }

    /** Returns switches with hosts. Neighbours in the tree have cables, and so have some others. */
    private static Fabric randomFabric(Random random, int[] parent) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < parent.length; sw++) {
            sketch.slMapping(random.nextInt(8) != 0);
            sketch.addSwitch("sw" + sw, HOST_PORTS + PORTS_TO_SWITCH * parent.length);
        }
        sketch.slMapping(true);
        for (int sw = 0; sw < parent.length; sw++) {
            for (int other = 0; other < sw; other++) {
                int cables = other == parent[sw] ? PORTS_TO_SWITCH : random.nextInt(2);
                for (int cable = 0; cable < cables; cable++) {
                    sketch.link(sw, port(other, cable), other, port(sw, cable));
                }
            }
            for (int host = random.nextInt(HOST_PORTS + 1); host > 0; host--) {
                sketch.addHost(sw, host);
            }
        }
        return sketch.build();
    }

    /** Returns the number of a port that is for cables to a switch. */
    private static int port(int to, int cable) {
        return 1 + HOST_PORTS + PORTS_TO_SWITCH * to + cable;
    }

    /**
     * Returns a tree that uses some of the cables between parents and children.
     *
     * @param isEven whether all edges have the same number of cables
     */
    private static MulticastTree randomTree(Random random, Fabric fabric, int[] parent, boolean isEven) {
        int[][] cables = new int[parent.length][0];
        int even = 1 + random.nextInt(MAX_CABLES);
        for (int sw = 1; sw < parent.length; sw++) {
            if (parent[sw] != Fabric.NONE) {
                int to = sw;
                int used = isEven ? even : 1 + random.nextInt(MAX_CABLES);
                cables[sw] = random.ints(0, PORTS_TO_SWITCH)
                        .distinct()
                        .limit(used)
                        .map(cable -> port(to, cable))
                        .toArray();
            }
        }
        return new MulticastTree(fabric, 0, parent, cables);
    }
}
