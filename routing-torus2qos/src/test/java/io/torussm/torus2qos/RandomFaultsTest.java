package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.torus2qos.NaiveRouteChecker.Verdict;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Tori and meshes with random failures, against what follows from the rules when every packet is followed. Failures of
 * this test come as one line each, with the seed to replay by ({@code -Dseed=N}). The campaign takes {@code -Dcases=N},
 * too.
 */
@Tag("slow")
class RandomFaultsTest {
    private static final int CASES = 300;

    /** In turn: parallel cables that no MLID takes together; ports that agree in four switches by chance. */
    private static final long[] ONCE_WRONG = {100_673, 100_890, 101_840, 102_397, 105_577};

    private static final long CAMPAIGN_CASES = Long.getLong("cases", 10_000);
    private static final int FIRST_OF_CAMPAIGN = 100_000;

    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> disagreements = new ArrayList<>();

    @Test
    void acceptsSafeTablesAndRefusesUnsafeOnes() {
        verifyAll(LongStream.concat(LongStream.range(0, CASES), LongStream.of(ONCE_WRONG)));
    }

    @Test
    @Tag("campaign")
    void acceptsSafeTablesAndRefusesUnsafeOnesInManyMoreCases() {
        verifyAll(LongStream.range(FIRST_OF_CAMPAIGN, FIRST_OF_CAMPAIGN + CAMPAIGN_CASES));
    }

    private void verifyAll(LongStream seeds) {
        Long replay = Long.getLong("seed");
        (replay != null ? LongStream.of(replay) : seeds).forEach(seed -> {
            FaultyCase drawn = FaultyCase.draw(seed);
            int before = disagreements.size();
            verify(drawn);
            if (disagreements.size() > before) {
                disagreements.add("  " + drawn);
            }
        });
        System.out.println("random faults: " + counts);
        assertThat(disagreements).as(counts.toString()).isEmpty();
        if (replay == null) {
            assertThat(counts)
                    .containsKeys(
                            "accepted",
                            "accepted beyond the rules of the reference",
                            "refused: UNROUTABLE",
                            "refused: CREDIT_LOOP",
                            "multicast: the tree of the reference",
                            "multicast: another tree");
        }
    }

    private void count(String noun) {
        counts.merge(noun, 1, Integer::sum);
    }

    private void disagree(FaultyCase drawn, String outcome) {
        disagreements.add("seed " + drawn.seed() + ": " + outcome);
    }

    private void verify(FaultyCase drawn) {
        NaiveRouteChecker judge = new NaiveRouteChecker(drawn.damaged(), drawn.dataVls());
        Subnet subnet = drawn.torus().fabric.subnet(drawn.lmc());
        ChainResult result = TestTorus.chain(drawn.conf(), subnet, drawn.options());
        Plan plan = result.plan();
        if (plan == null) {
            verifyRefusal(drawn, judge, result);
            return;
        }
        count("accepted");
        if (!(result.verdict() instanceof Certificate)) {
            disagree(drawn, "accepted without a certificate");
        }
        List<Integer> unplaced = unplaced(drawn, plan);
        if (unplaced.isEmpty()) {
            verifyPlan(drawn, judge, result, plan);
        } else {
            count("accepted without a switch that is there");
            disagree(
                    drawn,
                    "accepted without "
                            + unplaced.stream().map(drawn.damaged()::name).toList() + ", which "
                            + (judge.switchesOnNoSquare().containsAll(unplaced)
                                    ? "lie on no square"
                                    : "LIE ON A SQUARE")
                            + "; with them " + judge.verdict() + " " + judge.reason());
            FaultyCase rest = new FaultyCase(
                    drawn.seed(), drawn.damaged().without(unplaced), drawn.conf(), drawn.lmc(), drawn.dataVls());
            verifyPlan(rest, new NaiveRouteChecker(rest.damaged(), rest.dataVls()), result, plan);
        }
    }

    private static List<Integer> unplaced(FaultyCase drawn, Plan plan) {
        return drawn.damaged().switches().stream()
                .filter(sw -> plan.coordinates(drawn.index(plan.subnet().fabric(), sw))
                        .isEmpty())
                .toList();
    }

    private void verifyPlan(FaultyCase drawn, NaiveRouteChecker judge, ChainResult result, Plan plan) {
        count(
                judge.isWithinRulesOfReference()
                        ? "accepted within the rules of the reference"
                        : "accepted beyond the rules of the reference");
        if (judge.verdict() == Verdict.UNROUTABLE) {
            disagree(drawn, "accepted, but " + judge.reason());
        } else if (judge.verdict() == Verdict.CREDIT_LOOP) {
            count("accepted though parallel cables taken together have a credit loop");
            if (drawn.torus().links == 1) {
                disagree(drawn, "accepted, but a credit loop: " + judge.reason());
            }
        }
        verifyTables(drawn, judge, plan);
        NaiveTables tables = new NaiveTables(drawn.damaged(), plan);
        tables.errors.stream().limit(3).forEach(error -> disagree(drawn, error));
        if (!tables.unicastCycle().isEmpty()) {
            disagree(drawn, "the tables have a credit loop: " + tables.unicastCycle());
        }
        verifyMulticast(drawn, plan, result.multicast(), tables);
    }

    private void verifyRefusal(FaultyCase drawn, NaiveRouteChecker judge, ChainResult result) {
        String reason =
                result.refusals().stream().map(Refusal::reason).findFirst().orElse("");
        if (!reason.matches("(?s).*\\(\\d,\\d,\\d\\).*") && !reason.matches("(?s).*0x[0-9a-f]{16}.*")) {
            disagree(drawn, "the refusal names no place: " + reason);
        }
        if (reason.contains("defect of the engine")) {
            disagree(drawn, "the refusal speaks of a defect: " + reason);
        }
        if (judge.verdict() != Verdict.ROUTABLE_SAFE) {
            count("refused: " + judge.verdict());
        } else if (names(drawn, reason, judge.cutOffSwitches())) {
            count("refused: safe if one knew where a switch is that has one neighbour left");
        } else if (names(drawn, reason, judge.switchesOnNoSquare())) {
            count("refused: safe if one knew where a switch is that lies on no square");
        } else {
            disagree(drawn, "refused though safe: " + unplaced(result) + reason);
        }
    }

    private static boolean names(FaultyCase drawn, String reason, List<Integer> switches) {
        return switches.stream()
                .anyMatch(sw -> reason.contains(
                        Guid.format(drawn.torus().guid(drawn.torus().at(sw)))));
    }

    private static String unplaced(ChainResult result) {
        return result.findings().stream()
                .map(Finding::text)
                .filter(text -> text.contains("has no place in the torus"))
                .map(text -> text + "; ")
                .collect(Collectors.joining());
    }

    private void verifyTables(FaultyCase drawn, NaiveRouteChecker judge, Plan plan) {
        DamagedTorus damaged = drawn.damaged();
        Fabric fabric = plan.subnet().fabric();
        for (int sw : damaged.switches()) {
            int index = drawn.index(fabric, sw);
            if (!plan.coordinates(index).equals(damaged.name(sw))) {
                disagree(drawn, "the switch at " + damaged.name(sw) + " is placed at " + plan.coordinates(index));
                return;
            }
            int[] groups = new int[fabric.numPorts(index) + 1];
            for (int port = 0; port < groups.length; port++) {
                groups[port] = damaged.group(sw, port);
            }
            for (int dst : damaged.switches()) {
                int dlid = plan.subnet().lid(fabric.port(drawn.index(fabric, dst), 0));
                int out = plan.lft(index)[dlid] & 0xff;
                int group = out < groups.length ? groups[out] : NaiveRouteChecker.NO_WAY;
                if (dst != sw && group != judge.nextGroup(sw, dst)) {
                    disagree(
                            drawn,
                            "from " + damaged.name(sw) + " to " + damaged.name(dst) + " by port " + out + " on side "
                                    + group + " instead of " + judge.nextGroup(sw, dst));
                    return;
                }
            }
            for (int in = 0; in < groups.length; in++) {
                for (int out = 0; out < groups.length; out++) {
                    if (plan.sl2vl(index, in, out) != row(drawn.dataVls(), groups[in] / 2, groups[out] / 2)) {
                        disagree(drawn, "SL2VL of " + damaged.name(sw) + " from port " + in + " to port " + out);
                        return;
                    }
                }
            }
        }
    }

    private static long row(int dataVls, int inClass, int outClass) {
        int[] vls = new int[16];
        for (int sl = 0; sl < vls.length; sl++) {
            vls[sl] = NaiveRouteChecker.vl(dataVls, inClass, outClass, sl);
        }
        return SlToVlMappingTable.pack(vls);
    }

    private void verifyMulticast(FaultyCase drawn, Plan plan, @Nullable MulticastTree chosen, NaiveTables tables) {
        DamagedTorus damaged = drawn.damaged();
        Fabric fabric = plan.subnet().fabric();
        NaiveMulticast reference = NaiveMulticast.ofReference(damaged);
        Map<String, String> proposed = plan.multicastTree()
                .map(tree -> NaiveMulticast.of(damaged, tree, fabric).edges())
                .orElse(Map.of());
        if (!proposed.equals(reference == null ? Map.of() : reference.edges())) {
            disagree(
                    drawn,
                    "the tree proposed is not that of the reference: " + proposed.size() + " switches, root "
                            + rootOf(proposed) + " instead of "
                            + (reference == null ? "none" : damaged.name(reference.root)));
        }
        boolean isReferenceSafe =
                reference != null && tables.cycleWith(reference).isEmpty();
        if (chosen == null) {
            count("multicast: no tree");
            if (isReferenceSafe) {
                disagree(drawn, "no tree though that of the reference is safe");
            }
            return;
        }
        NaiveMulticast tree = NaiveMulticast.of(damaged, chosen, fabric);
        boolean isReference = reference != null && tree.edges().equals(reference.edges());
        count(isReference ? "multicast: the tree of the reference" : "multicast: another tree");
        if (reference == null) {
            count("multicast: the reference has no tree");
        } else if (!isReferenceSafe) {
            count("multicast: the tree of the reference has a credit loop");
        }
        if (reference != null && isReferenceSafe && !isReference) {
            disagree(
                    drawn,
                    "another tree though that of the reference is safe"
                            + (tables.cycleWithAnyCables(reference).isEmpty()
                                    ? ""
                                    : "; it has a loop only over cables that no group uses together"));
        }
        if (!tree.spansEverything()) {
            disagree(drawn, "the tree does not span all switches");
        } else if (!tables.cycleWith(tree).isEmpty()) {
            disagree(drawn, "the tree has a credit loop: " + tables.cycleWith(tree));
        } else {
            verifyEntries(drawn, plan.subnet(), chosen, tree);
        }
    }

    private static String rootOf(Map<String, String> edges) {
        return edges.isEmpty() ? "none" : edges.keySet().iterator().next();
    }

    private void verifyEntries(FaultyCase drawn, Subnet subnet, MulticastTree chosen, NaiveMulticast tree) {
        Fabric fabric = subnet.fabric();
        Random random = Seeds.unmixed(drawn.seed());
        List<Integer> endports = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            if (fabric.isEndport(port)) {
                endports.add(port);
            }
        }
        for (int group = 0; group < 4; group++) {
            int mlid = group == 0 ? 0xc000 : 0xc000 + random.nextInt(0x3fff);
            Set<Integer> members = new LinkedHashSet<>();
            for (int i = 1 + random.nextInt(group == 0 ? endports.size() : 6); i > 0; i--) {
                members.add(endports.get(random.nextInt(endports.size())));
            }
            Map<Integer, Set<Integer>> portsBySwitch = new TreeMap<>();
            for (int sw : drawn.damaged().switches()) {
                int index = drawn.index(fabric, sw);
                for (int member : members) {
                    if (fabric.switchOf(member) == index) {
                        int port = fabric.nodeOf(member) == index ? 0 : fabric.portNum(fabric.peer(member));
                        portsBySwitch
                                .computeIfAbsent(sw, any -> new TreeSet<>())
                                .add(port);
                    }
                }
            }
            Map<Integer, Set<Integer>> entries = new TreeMap<>();
            tree.entries(mlid, portsBySwitch).forEach((sw, ports) -> entries.put(drawn.index(fabric, sw), ports));
            int[] array = members.stream().mapToInt(Integer::intValue).toArray();
            Map<Integer, Set<Integer>> routed = new TreeMap<>();
            chosen.route(mlid, array).forEach((sw, mask) -> routed.put(sw, ports(mask)));
            if (!routed.equals(entries)) {
                disagree(drawn, "entries of MLID " + mlid + ": " + routed + " instead of " + entries);
            }
        }
    }

    private static Set<Integer> ports(long[] mask) {
        Set<Integer> ports = new TreeSet<>();
        for (int port = 0; port < 64 * mask.length; port++) {
            if ((mask[port / 64] >> port % 64 & 1) != 0) {
                ports.add(port);
            }
        }
        return ports;
    }
}
