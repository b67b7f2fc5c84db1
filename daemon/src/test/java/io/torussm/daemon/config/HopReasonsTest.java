package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineFile;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedRoutes;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Every engine explains each hop of its paths, and so does the last resort. */
class HopReasonsTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 10);

    private final Subnet tree = Subnets.of(tree(true));

    @Test
    void allEnginesExplainAllHopsOnFabricsOfAllShapes() {
        for (int seed = 0; seed < SEEDS; seed++) {
            DrawnFabric drawn = new DrawnFabric(Seeds.random(seed), 9);
            for (Engine engine : Engines.ALL) {
                Plan plan = route(engine, drawn.subnet, config(Map.of()));
                if (plan != null) {
                    assertAllExplained("seed " + seed + ", " + engine.name() + " on " + drawn.shape, plan);
                }
            }
        }
    }

    @Test
    void treesGoUpTurnAtTheTopAndGoDown() {
        for (String engine : List.of("ftree", "updn")) {
            assertThat(reasons(route(engine, tree), 5, 6))
                    .as(engine)
                    .satisfiesExactly(
                            reason -> assertThat(reason)
                                    .matches("up: rank 1 to 0; of 2 .* the one with the fewest paths"),
                            reason -> assertThat(reason).startsWith("at the top, down: rank 0 to 1; the only such "),
                            reason -> assertThat(reason).isEqualTo("delivery to host port"));
        }
    }

    @Test
    void enginesWithoutRanksNameWeightOrderOrLane() {
        assertThat(reasons(route("minhop", tree), 5, 6))
                .containsExactly(
                        "nearest: 2 hops to the last switch; of 2 such ports the one with the fewest paths",
                        "nearest: 1 hop to the last switch; the only such port",
                        "delivery to host port");
        assertThat(reasons(route("dor", tree), 5, 6).get(0)).startsWith("dimension order: ");
        assertThat(reasons(route("dfsssp", tree), 5, 6).get(0))
                .startsWith("least weight")
                .contains("lane of SL ");
        assertThat(reasons(route("lash", tree), 5, 6).get(0))
                .startsWith("shortest")
                .contains("lane of SL 0");
        assertThat(reasons(route("nue", tree), 5, 6).get(0)).contains("credit loop");
        assertThat(reasons(route("auto", tree), 5, 6).get(0)).startsWith("up: ");
    }

    /** ftree refuses this tree; detours of the last resort are distinguished from routes of ftree. */
    @Test
    void theLastResortNamesItsDetours() {
        Subnet ring = Subnets.of(Sketch.ring(6).build());
        Plan plan = route("updn", ring);
        assertAllExplained("ring", plan);
        Plan uneven = route("ftree", Subnets.of(tree(false)));
        assertThat(uneven.degradation()).isPresent();
        assertAllExplained("uneven tree", uneven);
        Plan minhop = route("minhop", ring);
        assertThat(minhop.degradation()).isPresent();
        List<String> all = new ArrayList<>();
        Fabric fabric = ring.fabric();
        for (int from = fabric.switchCount(); from < fabric.nodeCount(); from++) {
            for (int to = fabric.switchCount(); to < fabric.nodeCount(); to++) {
                if (from != to) {
                    all.addAll(reasons(minhop, from, to));
                }
            }
        }
        assertThat(all)
                .anyMatch(reason -> reason.startsWith("detour of the last resort: port "))
                .anyMatch(reason -> reason.startsWith("nearest: "));
    }

    /** Switches have other indexes once one of them is gone. */
    @Test
    void standingRoutesKeepTheirReasons() {
        Plan before = route("minhop", Subnets.of(Sketch.ring(6).build()));
        Fabric all = before.subnet().fabric();
        FabricBuilder less = FabricBuilder.of(all);
        less.unlink(all.nodeGuid(2), 1);
        less.unlink(all.nodeGuid(2), 2);
        less.retrace();
        Plan after = RetainedRoutes.ofRefused(before, null, before.subnet().restrictedTo(less.build()))
                .orElseThrow();
        Fabric left = after.subnet().fabric();
        assertThat(left.switchCount()).isEqualTo(5);
        int compared = 0;
        for (int sw = 0; sw < 5; sw++) {
            for (int lid = 1; lid <= after.subnet().topLid(); lid++) {
                int out = after.lft(sw)[lid] & 0xff;
                if (after.subnet().portOfLid(lid) >= 0 && out <= 4) {
                    compared++;
                    assertThat(after.explainHop(sw, 0, out, lid))
                            .isEqualTo(before.explainHop(all.nodeByGuid(left.nodeGuid(sw)), 0, out, lid));
                }
            }
        }
        assertThat(compared).isPositive();
    }

    /**
     * Returns two spines above three leaves with a host each. A leaf has port 1 to sw-0, port 2 to sw-1, and its host
     * at port 3.
     */
    private static Fabric tree(boolean isWhole) {
        Sketch sketch = new Sketch();
        for (String name : List.of("spine-0", "spine-1", "leaf-0", "leaf-1", "leaf-2")) {
            sketch.addSwitch(name, 4);
        }
        for (int leaf = 0; leaf < 3; leaf++) {
            sketch.link(0, leaf + 1, leaf + 2, 1);
            if (isWhole || leaf > 0) {
                sketch.link(1, leaf + 1, leaf + 2, 2);
            }
            sketch.addHost(leaf + 2, 3);
        }
        return sketch.build();
    }

    private static Engine engine(String name) {
        return Engines.ALL.stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static @Nullable Plan route(Engine engine, Subnet subnet, EngineConfig config) {
        return new RoutingChain(
                        new DeadlockChecker(1),
                        List.of(new RoutingChain.Member(engine, config)),
                        ChainPolicy.WITH_LAST_RESORT)
                .route(subnet, TestRouting.QOS)
                .plan();
    }

    private static EngineConfig config(Map<String, EngineFile> files) {
        return new EngineConfig(Map.of(), files, "", Sl2VlTables.DEFAULT, 1);
    }

    private static Plan route(String engine, Subnet subnet) {
        return Objects.requireNonNull(route(engine(engine), subnet, config(Map.of())));
    }

    /** Returns the reasons of the path from a host to the next one, switch by switch. */
    private static List<String> reasons(Plan plan, int from, int to) {
        Fabric fabric = plan.subnet().fabric();
        int lid = plan.subnet().lid(fabric.port(to, 1));
        List<String> reasons = new ArrayList<>();
        int in = fabric.peer(fabric.port(from, 1));
        while (fabric.isSwitch(fabric.nodeOf(in))) {
            int sw = fabric.nodeOf(in);
            int out = plan.lft(sw)[lid] & 0xff;
            reasons.add(plan.explainHop(sw, fabric.portNum(in), out, lid));
            in = fabric.peer(fabric.port(sw, out));
        }
        return reasons;
    }

    private static void assertAllExplained(String label, Plan plan) {
        Fabric fabric = plan.subnet().fabric();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int lid = 1; lid <= plan.subnet().topLid(); lid++) {
                int out = plan.lft(sw)[lid] & 0xff;
                for (int in = 0;
                        in <= fabric.numPorts(sw)
                                && out <= fabric.numPorts(sw)
                                && plan.subnet().portOfLid(lid) >= 0;
                        in++) {
                    assertThat(plan.explainHop(sw, in, out, lid))
                            .as("%s: %s, port %d to %d, LID %d", label, fabric.name(sw), in, out, lid)
                            .isNotEmpty();
                }
            }
        }
    }
}
