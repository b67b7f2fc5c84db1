package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.Plan;
import io.torussm.routing.updn.UpDownEngine;
import io.torussm.subnet.CoordinateStore.Place;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The fabrics of {@link RandomFaultsTest} that torus-2QoS refuses. All connected pairs are routed, there is
 * no credit loop, and the SL of every pair is that of the complete torus. Verified by following every packet.
 */
@Tag("slow")
class LastResortTest {
    private static final int CASES = 250;
    private static final long CAMPAIGN_CASES = Long.getLong("cases", 10_000);
    private static final int FIRST_OF_CAMPAIGN = 100_000;

    private final Map<String, Integer> counts = new TreeMap<>();
    private final List<String> disagreements = new ArrayList<>();
    private final RouteFigures lastResortFigures = new RouteFigures();
    private final RouteFigures upDownFigures = new RouteFigures();
    private long keepablePaths;
    private long keptPaths;
    private long pairs;

    @Test
    void servesAnyConnectedPair() {
        verifyAll(LongStream.range(0, CASES), true);
    }

    @Test
    void servesSwitchesWithoutAKnownPlaceToo() {
        verifyAll(LongStream.range(0, CASES), false);
    }

    @Test
    @Tag("campaign")
    void servesAnyConnectedPairInManyMoreCases() {
        verifyAll(LongStream.range(FIRST_OF_CAMPAIGN, FIRST_OF_CAMPAIGN + CAMPAIGN_CASES), true);
    }

    @Test
    @Tag("campaign")
    void servesSwitchesWithoutAKnownPlaceInManyMoreCases() {
        verifyAll(LongStream.range(FIRST_OF_CAMPAIGN, FIRST_OF_CAMPAIGN + CAMPAIGN_CASES), false);
    }

    /** @param arePlacesKnown whether it is remembered where switches stood before anything failed */
    private void verifyAll(LongStream seeds, boolean arePlacesKnown) {
        Long replay = Long.getLong("seed");
        (replay != null ? LongStream.of(replay) : seeds).forEach(seed -> {
            FaultyCase drawn = FaultyCase.draw(seed);
            int before = disagreements.size();
            verify(drawn, arePlacesKnown);
            if (disagreements.size() > before) {
                disagreements.add("  seed " + seed + ": " + drawn);
            }
        });
        System.out.printf(
                Locale.ROOT,
                "last resort%s: %s; ways kept: %.4f of those that torus-2QoS has, %.4f of all; %s; up/down alone: %s%n",
                arePlacesKnown ? "" : ", places not known",
                counts,
                (double) keptPaths / keepablePaths,
                (double) keptPaths / pairs,
                lastResortFigures,
                upDownFigures);
        assertThat(disagreements).as(counts.toString()).isEmpty();
        if (replay == null) {
            assertThat(counts).containsKeys("accepted", "refused", "bent");
            assertThat((double) keptPaths / keepablePaths).isGreaterThan(0.97);
        }
    }

    private void verify(FaultyCase drawn, boolean arePlacesKnown) {
        Subnet subnet = drawn.torus().fabric.subnet(drawn.lmc());
        Torus2QosEngine engine = new Torus2QosEngine(TestTorus.parse(drawn.conf()), 1);
        DeadlockChecker checker = new DeadlockChecker(1);
        RoutingChain chain = new RoutingChain(List.of(engine), checker, ChainPolicy.WITH_LAST_RESORT);
        ChainResult result = chain.route(
                subnet, drawn.options(), null, new EarlierFacts(arePlacesKnown ? places(drawn) : Map.of(), null));
        Plan plan = result.plan();
        if (result.refusals().isEmpty()) {
            counts.merge("accepted", 1, Integer::sum);
            return;
        }
        counts.merge("refused", 1, Integer::sum);
        if (plan == null) {
            disagreements.add("not routed: " + result.refusals().get(0).reason());
            return;
        }
        verifyPlan(drawn, result, plan, arePlacesKnown);
        verifySecondRun(chain, drawn, result, plan, arePlacesKnown ? places(drawn) : Map.of());
        lastResortFigures.add(plan);
        upDownFigures.add((Plan) new UpDownEngine().route(subnet, drawn.options()));
    }

    /** Verifies that a second run on the same subnet, with the plan of the first one, has the same tables and tree. */
    private void verifySecondRun(
            RoutingChain chain, FaultyCase drawn, ChainResult first, Plan plan, Map<Long, Place> places) {
        Fabric fabric = plan.subnet().fabric();
        Map<Long, Place> now = new HashMap<>(places);
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (!plan.coordinates(sw).isEmpty()) {
                now.put(fabric.nodeGuid(sw), new Place(plan.coordinates(sw), fabric.nodeName(sw)));
            }
        }
        Certificate proof = first.verdict() instanceof Certificate certificate ? certificate : null;
        ChainResult second = chain.route(plan.subnet(), drawn.options(), plan, new EarlierFacts(now, null), proof);
        Plan again = Objects.requireNonNull(second.plan());
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            if (!Arrays.equals(plan.lft(sw), again.lft(sw))) {
                disagreements.add("a second run has another table of " + fabric.name(sw));
            }
            MulticastTree then = first.multicast();
            MulticastTree tree = second.multicast();
            if (then != null && tree != null && then.parent(sw) != tree.parent(sw)) {
                disagreements.add("a second run has another parent of " + fabric.name(sw) + " in the tree");
            }
        }
    }

    private void verifyPlan(FaultyCase drawn, ChainResult result, Plan plan, boolean arePlacesKnown) {
        Fabric fabric = plan.subnet().fabric();
        counts.merge(plan.degradation().orElseThrow().isUpDown() ? "all up and down" : "bent", 1, Integer::sum);
        if (arePlacesKnown) {
            drawn.damaged().switches().stream()
                    .map(sw -> drawn.index(fabric, sw))
                    .filter(index -> plan.coordinates(index).isEmpty())
                    .forEach(index -> disagreements.add(fabric.name(index) + " has lost its place"));
        }
        NaiveTables tables = new NaiveTables(drawn.damaged(), plan);
        disagreements.addAll(tables.errors.stream().limit(3).toList());
        if (!tables.unicastCycle().isEmpty()) {
            disagreements.add("credit loop: " + tables.unicastCycle());
        }
        verifyMulticast(drawn, plan, result.multicast(), tables);
        verifySl2Vl(drawn, plan);
        compare(drawn, plan);
    }

    private static Map<Long, Place> places(FaultyCase drawn) {
        Map<Long, Place> places = new HashMap<>();
        for (int sw = 0; sw < drawn.torus().count(); sw++) {
            places.put(
                    drawn.torus().guid(drawn.torus().at(sw)),
                    new Place(drawn.damaged().name(sw), drawn.damaged().name(sw)));
        }
        return places;
    }

    private void verifyMulticast(FaultyCase drawn, Plan plan, @Nullable MulticastTree chosen, NaiveTables tables) {
        if (chosen == null) {
            disagreements.add("no tree for multicast");
            return;
        }
        NaiveMulticast tree =
                NaiveMulticast.of(drawn.damaged(), chosen, plan.subnet().fabric());
        if (!tree.spansEverything() || !tables.cycleWith(tree).isEmpty()) {
            disagreements.add("the tree does not span everything, or has a credit loop");
        }
    }

    /** Verifies that each SL has a data VL that links have, from each port to each port. */
    private void verifySl2Vl(FaultyCase drawn, Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = 0; in <= fabric.numPorts(sw); in++) {
                for (int out = 0; out <= fabric.numPorts(sw); out++) {
                    for (int sl = 0; sl < 16; sl++) {
                        if (SlToVlMappingTable.vl(plan.sl2vl(sw, in, out), sl) >= drawn.dataVls()) {
                            disagreements.add("SL " + sl + " has no VL from port " + in + " to " + out);
                            return;
                        }
                    }
                }
            }
        }
    }

    /** Counts pairs of switches whose path equals torus-2QoS's, among pairs with such a path. */
    private void compare(FaultyCase drawn, Plan plan) {
        NaiveRouteChecker judge = new NaiveRouteChecker(drawn.damaged(), drawn.dataVls());
        DamagedTorus torus = drawn.damaged();
        Fabric fabric = plan.subnet().fabric();
        for (int to : torus.switches()) {
            int lid = plan.subnet().lid(fabric.port(drawn.index(fabric, to), 0));
            for (int from : torus.switches()) {
                boolean isSame = true;
                boolean hasWay = true;
                int sw = from;
                for (int hops = 0; sw != to && hasWay; hops++) {
                    int group = judge.nextGroup(sw, to);
                    hasWay = group != NaiveRouteChecker.NO_WAY && hops < torus.torus.count();
                    if (hasWay) {
                        int out = plan.lft(drawn.index(fabric, sw))[lid] & 0xff;
                        isSame &= torus.group(sw, out) == group;
                        sw = torus.neighbour(sw, group);
                    }
                }
                pairs += from == to ? 0 : 1;
                keepablePaths += from == to || !hasWay ? 0 : 1;
                keptPaths += from == to || !hasWay || !isSame ? 0 : 1;
            }
        }
    }
}
