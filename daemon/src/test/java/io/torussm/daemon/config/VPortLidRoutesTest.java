package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.HeldPlan;
import io.torussm.deadlock.chain.OnCreditLoop;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineFile;
import io.torussm.routing.EngineSetting;
import io.torussm.routing.Plan;
import io.torussm.routing.RetainedRoutes;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.testing.Seeds;
import io.torussm.testing.TestRouting;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The routes of LIDs of virtual ports, by every engine on random fabrics of all shapes: those of their physical ports.
 * A fabric is routed with and without virtual ports, and all entries, SLs and explanations are compared. Then virtual
 * ports are added, removed and moved. Each engine has to route some of the fabrics; fabrics that it refuses are not
 * counted.
 */
class VPortLidRoutesTest {
    private static final int MAX_SWITCHES = 12;
    private static final int SEEDS = 24;
    private static final long FIRST_VPORT_GUID = 0x7700;

    /** Entry of a forwarding table that drops packets. */
    private static final int NO_PATH = 0xff;

    /** The engines torus-2QoS and file refuse without them. */
    private static final Set<String> REQUIRED_FILES = Set.of("torus_config", "lfts_file");

    /** Number of compared entries of forwarding tables that belong to LIDs of virtual ports. */
    private int comparedEntries;

    private int routedFabrics;

    /** Number of fabrics whose routes could be kept when virtual ports moved. */
    private int fabricsWithRetainedRoutes;

    static List<Engine> engines() {
        return Engines.ALL;
    }

    @ParameterizedTest
    @MethodSource("engines")
    void aLidOfAVPortHasTheRoutesOfItsPort(Engine engine) {
        Seeds.first(SEEDS).forEach(seed -> verify(engine, seed));
        assertThat(routedFabrics).as("fabrics that were routed").isPositive();
        assertThat(comparedEntries).as("entries of VPorts").isPositive();
        assertThat(fabricsWithRetainedRoutes).as("fabrics with retained routes").isPositive();
    }

    /** Verifies the routes of the fabric of a seed, if the engine accepts it. */
    private void verify(Engine engine, long seed) {
        DrawnFabric drawn = new DrawnFabric(Seeds.random(seed), MAX_SWITCHES);
        Random random = Seeds.random(seed, "virtual ports");
        Subnet withoutVPorts = drawn.subnet;
        Subnet withVPorts = withoutVPorts.with(draw(withoutVPorts, random));
        RoutingChain chain = chain(engine, drawn, random.nextBoolean());
        String title = "seed " + seed + ": " + engine.name() + " on " + drawn.shape;
        ChainResult plainResult = chain.route(withoutVPorts, TestRouting.QOS);
        ChainResult vportResult = chain.route(withVPorts, TestRouting.QOS);
        assertThat(vportResult.isAccepted()).as(title).isEqualTo(plainResult.isAccepted());
        if (vportResult.isAccepted()) {
            routedFabrics++;
            Plan plan = planOf(vportResult);
            verifyPlan(title, plan, planOf(plainResult), withVPorts);
            assertThat(vportResult.verdict()).as(title).hasSameClassAs(plainResult.verdict());
            verifyMove(title, chain, vportResult, withoutVPorts.with(draw(withoutVPorts, random)));
        }
    }

    /**
     * Verifies the plan after virtual ports were added, removed and moved, with the proof and the tables of the plan
     * before.
     */
    private void verifyMove(String title, RoutingChain chain, ChainResult before, Subnet moved) {
        Plan plan = planOf(before);
        Certificate proof = before.verdict() instanceof Certificate certificate ? certificate : null;
        ChainResult movedResult = chain.route(moved, TestRouting.QOS, plan, EarlierFacts.NONE, proof);
        ChainResult plainResult =
                chain.route(moved.with(VPortLids.NONE), TestRouting.QOS, plan, EarlierFacts.NONE, proof);
        assertThat(movedResult.isAccepted()).as(title).isTrue();
        verifyPlan(title, planOf(movedResult), planOf(plainResult), moved);
        assertThatCode(() -> chain.transition(new HeldPlan(plan, false), plan, movedResult, TestRouting.QOS))
                .as("%s: search for an order", title)
                .doesNotThrowAnyException();
        Plan routes = RetainedRoutes.ofRefused(plan, before.multicast(), moved).orElse(null);
        if (routes != null) {
            fabricsWithRetainedRoutes++;
            verifyRetained(title, routes);
        }
    }

    private static void verifyRetained(String title, Plan routes) {
        Subnet subnet = routes.subnet();
        for (VPortLid vport : subnet.vportLids().lids()) {
            assertThat(routes.lft(subnet.switchOfLid(vport.lid()))[vport.lid()] & 0xff)
                    .as("%s: port of LID %d in retained routes", title, vport.lid())
                    .isEqualTo(subnet.deliveryPort(vport.lid()));
        }
    }

    private static Plan planOf(ChainResult result) {
        return Objects.requireNonNull(result.plan());
    }

    private void verifyPlan(String title, Plan plan, Plan planWithoutVPorts, Subnet subnet) {
        Subnet routed = plan.subnet();
        assertThat(routed.vportLids()).as(title).isEqualTo(subnet.vportLids());
        for (int sw = 0; sw < routed.fabric().switchCount(); sw++) {
            assertThat(plan.lft(sw)).as(title).hasSize(routed.topLid() + 1);
            for (int lid = 1; lid <= routed.topLid(); lid++) {
                if (routed.portOfLid(lid) != Fabric.NONE) {
                    verifyLid(title + ": LID " + lid + " at switch " + sw, plan, planWithoutVPorts, sw, lid);
                }
            }
        }
    }

    /** Compares the entry, the SLs and the explanation of a LID at a switch with those of the base LID. */
    private void verifyLid(String title, Plan plan, Plan planWithoutVPorts, int sw, int lid) {
        Subnet routed = plan.subnet();
        int base = routed.routedLid(lid);
        int out = plan.lft(sw)[lid] & 0xff;
        assertThat(out).as(title).isEqualTo(planWithoutVPorts.lft(sw)[base] & 0xff);
        boolean isOfVPort = lid != base;
        comparedEntries += isOfVPort ? 1 : 0;
        if (routed.switchOfLid(lid) != Fabric.NONE) {
            int lidOfSwitch = routed.lid(routed.fabric().port(sw, 0));
            assertThat(plan.slMask(sw, lid)).as(title).isEqualTo(planWithoutVPorts.slMask(sw, base));
            assertThat(plan.pathSl(lid, lidOfSwitch, 1))
                    .as("%s: SL from it", title)
                    .isEqualTo(planWithoutVPorts.pathSl(base, lidOfSwitch, 1));
            assertThat(plan.pathSl(lidOfSwitch, lid, 1))
                    .as("%s: SL to it", title)
                    .isEqualTo(planWithoutVPorts.pathSl(lidOfSwitch, base, 1));
            if (out != NO_PATH) {
                assertThat(plan.explainHop(sw, 0, out, lid))
                        .as(title)
                        .isEqualTo(planWithoutVPorts.explainHop(sw, 0, out, base));
            }
        }
    }

    /** Draws LIDs of virtual ports, below and above those of ports; some are absent, or at ports without a LID. */
    private static VPortLids draw(Subnet subnet, Random random) {
        Fabric fabric = subnet.fabric();
        Map<Long, VPortLid> lids = new HashMap<>();
        List<Integer> free = IntStream.rangeClosed(1, subnet.topLid() + 20)
                .filter(lid -> subnet.portOfLid(lid) == Fabric.NONE)
                .boxed()
                .toList();
        for (int i = 0; i < free.size(); i++) {
            int port = random.nextInt(fabric.portCount());
            boolean isPresent = random.nextInt(8) > 0;
            if (random.nextBoolean() && fabric.portGuid(port) != 0) {
                lids.put(FIRST_VPORT_GUID + i, new VPortLid(free.get(i), fabric.portGuid(port), isPresent));
            }
        }
        return VPortLids.of(lids);
    }

    private static RoutingChain chain(Engine engine, DrawnFabric drawn, boolean hasLastResort) {
        Map<String, String> values = new HashMap<>();
        Map<String, EngineFile> files = new HashMap<>();
        for (EngineSetting setting : engine.settings()) {
            if (REQUIRED_FILES.contains(setting.key())) {
                files.put(setting.key(), EngineFile.read(setting.key(), drawn.file(setting.key())));
            } else if (setting.kind() != EngineSetting.ValueFormat.FILE) {
                values.put(setting.key(), setting.byDefault());
            }
        }
        EngineConfig config = new EngineConfig(values, files, "", Sl2VlTables.DEFAULT, 1);
        return new RoutingChain(
                new DeadlockChecker(1),
                List.of(new RoutingChain.Member(engine, config)),
                new ChainPolicy(hasLastResort, OnCreditLoop.REFUSE));
    }
}
