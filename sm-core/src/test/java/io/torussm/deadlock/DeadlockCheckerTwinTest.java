package io.torussm.deadlock;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.proof.ChannelRanks;
import io.torussm.proof.FabricProof;
import io.torussm.proof.FabricTables;
import io.torussm.proof.PlanTables;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.routing.RoutingOptions;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The checker, compared with {@link NaiveChecker}, on random fabrics with random tables. */
class DeadlockCheckerTwinTest {
    private static final int ROUNDS = 120;
    private static final int SL_ROUNDS = 12;
    private static final String LETTERS = "ABC";

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void agreesWithTheNaiveCheckerInVerdictAndInEveryDependency(long seed) {
        Random random = Seeds.random(seed);
        int[] verdicts = new int[3];
        for (int round = 0; round < ROUNDS; round++) {
            PlanSketch plan = randomPlan(random);
            RoutingOptions options = new RoutingOptions(random.nextInt(8) != 0, 1 + random.nextInt(5), 0);
            verdicts[compare(plan, options)]++;
        }
        assertThat(verdicts).as("certificates, cycles, broken tables").doesNotContain(0);
    }

    /** Two checkers that share nothing: this one, and the one that judges what files say. */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void agreesWithTheProofOfTheSameTablesFromFiles(long seed) {
        Random random = Seeds.random(seed);
        int[] verdicts = new int[3];
        for (int round = 0; round < 2 * ROUNDS; round++) {
            PlanSketch plan = randomPlan(random);
            PlanSketch.Masks all = plan.masks;
            PlanSketch.Masks byLid = plan.masksByLid;
            plan.masks = (from, to) -> Integer.lowestOneBit(all.sls(from, to));
            plan.masksByLid = byLid == null ? null : (from, to) -> Integer.lowestOneBit(byLid.sls(from, to));
            RoutingOptions options = new RoutingOptions(random.nextInt(8) != 0, 1 + random.nextInt(5), 0);
            if (haveTables(plan.subnet().fabric())) {
                verdicts[compareWithFiles(plan.plan(), options)]++;
            }
        }
        assertThat(verdicts).as("certificates, cycles, broken tables").doesNotContain(0);
    }

    /** Files do not say that a switch has no SL2VL table, and may put packets on any VL. */
    private static boolean haveTables(Fabric fabric) {
        return IntStream.range(0, fabric.switchCount())
                .mapToObj(sw -> fabric.portInfo(fabric.port(sw, 0)))
                .allMatch(port0 -> port0 == null || port0.hasCapability(PortInfo.CAP_SL_MAPPING));
    }

    private static int compareWithFiles(Plan plan, RoutingOptions options) {
        Verdict verdict = new DeadlockChecker(1).check(plan, options);
        FabricTables tables = PlanTables.of(plan, null, options);
        FabricProof proof = FabricProof.of(tables);
        if (verdict instanceof BrokenTables broken && plan.subnet().portOfLid(broken.dlid()) == broken.sourcePort()) {
            return 2; // no port sends packets to itself through a switch, which this checker ignores
        }
        assertThat(proof.lost() + proof.lostWithSwitches() > 0)
                .as(verdict.text() + proof.losses())
                .isEqualTo(verdict instanceof BrokenTables);
        FabricProof.Verdict withSwitches = proof.withSwitches().orElse(proof.hosts());
        if (verdict instanceof Cycle cycle) {
            assertThat(withSwitches.circle()).hasSize(cycle.waits().size());
            return 1;
        } else if (verdict instanceof Certificate certificate) {
            assertThat(withSwitches.isFree()).isTrue();
            assertThat(withSwitches.channels()).isEqualTo(certificate.channelCount());
            assertThat(withSwitches.dependencies()).isEqualTo(certificate.dependencyCount());
            ChannelRanks ranks = proof.ranks().orElseThrow();
            assertThat(FabricProof.check(tables, ranks)).isEmpty();
            List<ChannelRanks.Channel> few = ranks.channels().stream().skip(1).toList();
            assertThat(FabricProof.check(tables, new ChannelRanks(ranks.coversSwitches(), false, few)))
                    .filteredOn(fault -> fault.endsWith(" is used and has no rank"))
                    .hasSize(ranks.channels().size() - few.size());
            return 0;
        }
        assertThat(FabricProof.check(tables, new ChannelRanks(true, false, List.of())))
                .anyMatch(fault -> fault.endsWith(" are lost"));
        return 2;
    }

    /** Compares the checkers; returns 0 for a certificate, 1 for a cycle, 2 for broken tables. */
    static int compare(PlanSketch plan, RoutingOptions options) {
        NaiveChecker naive = new NaiveChecker(plan.plan(), options);
        Verdict verdict = new DeadlockChecker(1).check(plan.plan(), options);
        assertThat(new DeadlockChecker(3).check(plan.plan(), options).text()).isEqualTo(verdict.text());
        assertThat(verdict instanceof BrokenTables).as(verdict.text()).isEqualTo(naive.broken);
        if (naive.broken) {
            return 2;
        }
        assertThat(dependencies(new DeadlockChecker(2).graph(plan.plan(), options)))
                .isEqualTo(naive.dependencies());
        assertThat(verdict instanceof Cycle).as(verdict.text()).isEqualTo(naive.hasCycle());
        if (verdict instanceof Cycle cycle) {
            checkCycle(cycle, naive);
            checkPackets(cycle, plan.plan(), options);
            return 1;
        }
        Certificate certificate = (Certificate) verdict;
        checkCertificate(certificate, naive);
        assertThat(certificate.verify(plan.plan(), options)).isTrue();
        return 0;
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void judgesOneSlAndAnySlAsTheNaiveCheckerDoes(long seed) {
        Random random = Seeds.random(seed);
        for (int round = 0; round < SL_ROUNDS; round++) {
            PlanSketch plan = random.nextInt(3) == 0 ? ringPlan(LETTERS, random.nextInt(16)) : randomPlan(random);
            RoutingOptions options = new RoutingOptions(random.nextInt(8) != 0, 1 + random.nextInt(5), 0);
            NaiveChecker records = followPackets(plan, options, 0, true);
            if (!records.broken) {
                compareSls(plan, options, records);
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "A, 16, 16, true", "C, 0, 0, false", "AB, 16, 8, false", "AC, 8, 8, false",
        "AD, 8, 8, true", "AE, 8, 8, true", "AF, 8, 8, true", "CF, 0, 0, false"
    })
    void judgesARingOfFive(String letters, int safe, int beside, boolean anySl) {
        PlanSketch plan = ringPlan(letters, 0);
        RoutingOptions options = TestRouting.QOS;
        SlVerdicts verdicts = SlVerdicts.of(plan.plan(), null, options, new DeadlockChecker(1));
        assertThat(verdicts.safeSls()).hasSize(safe);
        assertThat(verdicts.safeBesidePathRecords()).hasSize(beside);
        assertThat(verdicts.anySl()).isEqualTo(anySl);
        assertThat(verdicts.discardedSls()).hasSize(letters.matches(".*[DEF]") ? 8 : 0);
        compareSls(plan, options, followPackets(plan, options, 0, true));
    }

    /**
     * A ring of five with short ways. An SL has a letter of some, in turns: A packets change from VL 0 to 1 after the
     * first hop, which closes no loop; B from 1 to 0; C stay on VL 0, which closes one; D are discarded after the first
     * hop, E before it, F by their source.
     *
     * @param recordSl the SL of all path records
     */
    private static PlanSketch ringPlan(String letters, int recordSl) {
        TorusSketch ring = TorusSketch.of(5, 1, 1, 1, 1);
        PlanSketch plan = DatelineRouter.route(ring);
        plan.masks = (from, to) -> 1 << recordSl;
        plan.rows = (sw, in, out) -> {
            boolean isTransit = ring.group(in) < 6;
            int[] vls = new int[16];
            for (int sl = 0; sl < vls.length && ring.group(out) < 6; sl++) {
                vls[sl] = switch (letters.charAt(sl % letters.length())) {
                    case 'A' -> isTransit ? 1 : 0;
                    case 'B' -> isTransit ? 0 : 1;
                    case 'D' -> isTransit ? 15 : 0;
                    case 'E' -> 15;
                    default -> 0;
                };
            }
            return SlToVlMappingTable.pack(vls);
        };
        plan.sourceRows = endport -> {
            int[] vls = new int[16];
            for (int sl = 0; sl < vls.length; sl++) {
                vls[sl] = letters.charAt(sl % letters.length()) == 'F' ? 15 : 0;
            }
            return SlToVlMappingTable.pack(vls);
        };
        return plan;
    }

    private static void compareSls(PlanSketch plan, RoutingOptions options, NaiveChecker records) {
        SlVerdicts verdicts = SlVerdicts.of(plan.plan(), null, options, new DeadlockChecker(2));
        if (!records.broken) {
            assertThat(verdicts.pathRecords()).isEqualTo(!records.hasCycle());
        }
        NaiveChecker any = followPackets(plan, options, 0xffff, false);
        List<Integer> safe = new ArrayList<>();
        List<Integer> beside = new ArrayList<>();
        List<Integer> discarded = new ArrayList<>();
        for (int sl = 0; sl < 16; sl++) {
            NaiveChecker one = followPackets(plan, options, 1 << sl, false);
            if (one.broken) {
                discarded.add(sl);
            } else if (!one.hasCycle()) {
                safe.add(sl);
                if (verdicts.pathRecords()
                        && !followPackets(plan, options, 1 << sl, true).hasCycle()) {
                    beside.add(sl);
                }
            }
        }
        assertThat(verdicts.discardedSls()).isEqualTo(discarded);
        assertThat(verdicts.safeSls()).isEqualTo(safe);
        assertThat(verdicts.safeBesidePathRecords()).isEqualTo(beside);
        if (discarded.isEmpty()) {
            assertThat(verdicts.anySl()).isEqualTo(!any.hasCycle());
        }
        if (verdicts.anySl()) {
            assertThat(verdicts.pathRecords()).isTrue();
            assertThat(beside).hasSize(16 - discarded.size());
        }
    }

    /**
     * Follows the packets between hosts.
     *
     * @param sls SLs (bit n: SL n) of packets wherever there is a path
     * @param isByRecord whether packets also use the SLs of the path records
     */
    private static NaiveChecker followPackets(PlanSketch plan, RoutingOptions options, int sls, boolean isByRecord) {
        Fabric fabric = plan.subnet().fabric();
        Set<Integer> withHosts = new TreeSet<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port))) {
                withHosts.add(fabric.switchOf(port));
            }
        }
        boolean areHosts = !withHosts.isEmpty();
        PlanSketch sent = new PlanSketch(plan.subnet());
        System.arraycopy(plan.lfts, 0, sent.lfts, 0, plan.lfts.length);
        sent.rows = plan.rows;
        sent.sourceRows = plan.sourceRows;
        sent.masksByLid = (from, dlid) -> {
            boolean isHost = !fabric.isSwitch(fabric.nodeOf(plan.subnet().portOfLid(dlid)));
            int granted = areHosts && !(isHost && withHosts.contains(from)) ? 0 : plan.slMask(from, dlid) & 0xffff;
            return granted == 0 ? 0 : (isByRecord ? granted : 0) | sls;
        };
        return new NaiveChecker(sent.plan(), options);
    }

    private static Map<Integer, Set<Integer>> dependencies(ChannelDependencyGraph graph) {
        Map<Integer, Set<Integer>> all = new TreeMap<>();
        for (int channel = 0; channel < graph.size(); channel++) {
            if (graph.isUsed(channel)) {
                Set<Integer> successors = new TreeSet<>();
                for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
                    assertThat(successors.add(naiveChannel(graph, graph.successor(edge))))
                            .isTrue();
                }
                all.put(naiveChannel(graph, channel), successors);
            }
        }
        return all;
    }

    private static int naiveChannel(ChannelDependencyGraph graph, int channel) {
        return graph.channels.linkPort(channel / 16) * 16 + channel % 16;
    }

    private static void checkCycle(Cycle cycle, NaiveChecker naive) {
        Map<Integer, Set<Integer>> dependencies = naive.dependencies();
        List<Cycle.Wait> waits = cycle.waits();
        for (int i = 0; i < waits.size(); i++) {
            Cycle.Wait next = waits.get((i + 1) % waits.size());
            assertThat(dependencies.get(waits.get(i).port() * 16 + waits.get(i).vl()))
                    .contains(next.port() * 16 + next.vl());
        }
        assertThat(waits).hasSize(girth(dependencies));
    }

    /** Checks that the packets of the report have granted SLs, and make its dependencies. */
    private static void checkPackets(Cycle cycle, Plan plan, RoutingOptions options) {
        for (int i = 0; i < cycle.waits().size(); i++) {
            Cycle.Wait wait = cycle.waits().get(i);
            Cycle.Wait next = cycle.waits().get((i + 1) % cycle.waits().size());
            int from = plan.subnet().fabric().switchOf(wait.sourcePort());
            assertThat(plan.slMask(from, wait.dlid()) >> wait.sl() & 1).isEqualTo(1);
            assertThat(NaiveChecker.dependenciesOfPacket(plan, options, wait.sourcePort(), wait.dlid(), wait.sl())
                            .get(wait.port() * 16 + wait.vl()))
                    .contains(next.port() * 16 + next.vl());
        }
    }

    private static int girth(Map<Integer, Set<Integer>> dependencies) {
        int best = Integer.MAX_VALUE;
        for (Integer start : dependencies.keySet()) {
            Set<Integer> reached = new TreeSet<>(Set.of(start));
            Set<Integer> level = reached;
            for (int length = 1; !level.isEmpty(); length++) {
                Set<Integer> next = new TreeSet<>();
                level.forEach(channel -> next.addAll(dependencies.get(channel)));
                if (next.contains(start)) {
                    best = Math.min(best, length);
                    break;
                }
                next.removeAll(reached);
                reached.addAll(next);
                level = next;
            }
        }
        return best;
    }

    private static void checkCertificate(Certificate certificate, NaiveChecker naive) {
        Map<Integer, Set<Integer>> dependencies = naive.dependencies();
        assertThat(certificate.channelCount()).isEqualTo(dependencies.size());
        assertThat(certificate.dependencyCount())
                .isEqualTo(dependencies.values().stream().mapToInt(Set::size).sum());
        dependencies.forEach((channel, successors) -> {
            int number = certificate.number(channel / 16, channel % 16);
            assertThat(number).isNotNegative();
            successors.forEach(
                    next -> assertThat(certificate.number(next / 16, next % 16)).isGreaterThan(number));
        });
    }

    private static PlanSketch randomPlan(Random random) {
        int switches = 1 + random.nextInt(7);
        Fabric fabric = randomFabric(random, switches);
        PlanSketch plan = new PlanSketch(Subnets.of(fabric));
        for (int to = 0; to < switches; to++) {
            boolean shared = random.nextBoolean();
            int[] column = randomTree(random, fabric, to);
            for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
                if (plan.subnet().switchOfLid(lid) == to) {
                    column = shared ? column : randomTree(random, fabric, to);
                    for (int sw = 0; sw < switches; sw++) {
                        plan.lfts[sw][lid] = sw == to ? plan.lfts[sw][lid] : (byte) column[sw];
                    }
                }
            }
        }
        if (random.nextInt(4) == 0) {
            plan.lfts[random.nextInt(switches)][1 + random.nextInt(plan.subnet().topLid())] = (byte) random.nextInt(14);
        }
        int kind = random.nextInt(3);
        int bound = List.of(1, 1, 2, 2, 4, 8, 15, 16).get(random.nextInt(8));
        long[] rows = random.longs(1 << 12).map(row -> capVls(row, bound)).toArray();
        plan.rows = (sw, in, out) -> rows[kind == 0 ? sw : kind == 1 ? sw << 8 | out << 4 : sw << 8 | out << 4 | in];
        boolean sparse = random.nextBoolean();
        int[] masks = random.ints((long) switches * switches).toArray();
        plan.masks =
                (from, to) -> sparse ? 1 << (masks[from * switches + to] & 15) : masks[from * switches + to] & 0xffff;
        randomlyDisconnected(random, plan, masks, switches);
        if (random.nextInt(3) == 0) {
            int[] byLid = random.ints(plan.subnet().topLid() + 1).toArray();
            plan.masksByLid =
                    (from, dlid) -> plan.masks.sls(from, plan.subnet().switchOfLid(dlid)) & (byLid[dlid] >>> from);
        }
        return plan;
    }

    /** Pairs without a path are no fault if the plan says so. */
    private static PlanSketch randomlyDisconnected(Random random, PlanSketch plan, int[] masks, int switches) {
        PlanSketch.Masks given = plan.masks;
        boolean honest = random.nextInt(4) != 0;
        plan.masks = (from, to) ->
                honest && isCutOff(plan, from, to) || masks[from * switches + to] % 7 == 0 ? 0 : given.sls(from, to);
        return plan;
    }

    private static boolean isCutOff(PlanSketch plan, int from, int to) {
        return IntStream.rangeClosed(1, plan.subnet().topLid())
                .anyMatch(lid -> plan.subnet().switchOfLid(lid) == to && plan.lfts[from][lid] == (byte) 0xff);
    }

    private static long capVls(long row, int bound) {
        long result = 0;
        for (int shift = 0; shift < 64; shift += 4) {
            result |= (row >>> shift & 15) % bound << shift;
        }
        return result;
    }

    private static Fabric randomFabric(Random random, int switches) {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < switches; sw++) {
            sketch.vlCap(1 + random.nextInt(5)).slMapping(random.nextInt(15) != 0);
            sketch.addSwitch("sw" + sw, 12);
        }
        sketch.vlCap(5).slMapping(true);
        int cables = switches + random.nextInt(switches);
        for (int cable = 0; cable < cables; cable++) {
            int a = cable % switches;
            int b = random.nextInt(4) == 0 ? random.nextInt(switches) : (a + 1) % switches;
            int portA = 1 + random.nextInt(9);
            int portB = 1 + random.nextInt(9);
            if (!sketch.isLinked(a, portA) && !sketch.isLinked(b, portB)) {
                sketch.link(a, portA, b, portB);
            }
        }
        for (int sw = 0; sw < switches; sw++) {
            for (int host = random.nextInt(3); host > 0; host--) {
                sketch.addHost(sw, 9 + host);
            }
        }
        return sketch.build();
    }

    /** Returns a random in-tree towards a switch: the port by which each switch forwards, 0xff if there is no way. */
    private static int[] randomTree(Random random, Fabric fabric, int to) {
        int[] column = new int[fabric.switchCount()];
        Arrays.fill(column, 0xff);
        List<Integer> reached = new ArrayList<>(List.of(to));
        List<int[]> ways = new ArrayList<>();
        for (int i = 0; i < reached.size(); i++) {
            for (int portNum = 1; portNum <= fabric.numPorts(reached.get(i)); portNum++) {
                int far = fabric.peer(fabric.port(reached.get(i), portNum));
                if (far != Fabric.NONE && fabric.isSwitch(fabric.nodeOf(far))) {
                    ways.add(new int[] {fabric.nodeOf(far), fabric.portNum(far)});
                }
            }
            Collections.shuffle(ways, random);
            int at = 0;
            while (i + 1 == reached.size() && at < ways.size()) {
                int[] way = ways.get(at++);
                if (!reached.contains(way[0])) {
                    reached.add(way[0]);
                    column[way[0]] = way[1];
                }
            }
        }
        return column;
    }
}
