package io.torussm.daemon.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.HeldTables;
import io.torussm.deadlock.chain.ChainPolicy;
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
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.subnet.VPortLids;
import io.torussm.subnet.VPortLids.VPortLid;
import io.torussm.testing.Seeds;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The routes of LIDs of virtual ports, by every engine on fabrics of all shapes: those of their physical ports. */
class VPortLidRoutesTest {
    private static final int MAX_SWITCHES = 12;
    private static final int SEEDS = 24;
    private static final RoutingOptions OPTIONS = new RoutingOptions(true, 5, 0);

    static IntStream seeds() {
        return IntStream.range(0, SEEDS);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void aLidOfAVPortHasTheRoutesOfItsPort(int seed) {
        DrawnFabric drawn = new DrawnFabric(Seeds.random(seed), MAX_SWITCHES);
        Random random = Seeds.random(seed + 1000L);
        Subnet plain = drawn.subnet;
        Subnet first = plain.with(draw(plain, random));
        Subnet second = plain.with(draw(plain, random));
        for (Engine engine : Engines.ALL) {
            RoutingChain chain = chain(engine, drawn, random.nextBoolean());
            ChainResult without = chain.route(plain, OPTIONS);
            ChainResult with = chain.route(first, OPTIONS);
            String title = engine.name() + " on " + drawn.shape;
            assertThat(with.isAccepted()).as(title).isEqualTo(without.isAccepted());
            Plan plan = with.plan();
            if (plan != null && without.plan() != null) {
                verify(title, plan, without.plan(), first);
                assertThat(with.verdict()).as(title).hasSameClassAs(without.verdict());
                verifyMove(title, chain, with, plan, second);
            }
        }
    }

    /** Verifies the plan after virtual ports have come, gone and moved, with the proof and the tables of before. */
    private static void verifyMove(String title, RoutingChain chain, ChainResult before, Plan plan, Subnet second) {
        Certificate proof = before.verdict() instanceof Certificate certificate ? certificate : null;
        ChainResult moved = chain.route(second, OPTIONS, plan, EarlierFacts.NONE, proof);
        ChainResult again = chain.route(second.with(VPortLids.NONE), OPTIONS, plan, EarlierFacts.NONE, proof);
        assertThat(moved.isAccepted()).as(title).isTrue();
        Plan next = moved.plan();
        if (next != null && again.plan() != null) {
            verify(title, next, again.plan(), second);
            chain.transition(held(plan), plan, moved, OPTIONS);
            RetainedRoutes.ofRefused(plan, before.multicast(), second)
                    .ifPresent(kept -> assertThat(kept.subnet().vportLids().lids())
                            .as(title)
                            .allMatch(vport -> kept.lft(kept.subnet().switchOfLid(vport.lid()))[vport.lid()]
                                    == (byte) kept.subnet().deliveryPort(vport.lid())));
        }
    }

    /** Returns the tables of a plan as those of the switches. */
    private static HeldTables held(Plan plan) {
        return new HeldTables() {
            @Override
            public byte[] lft(int sw) {
                return plan.lft(sw);
            }

            @Override
            public long sl2vl(int sw, int in, int out) {
                return plan.sl2vl(sw, in, out);
            }

            @Override
            public boolean isUp(int port) {
                return true;
            }
        };
    }

    private static void verify(String title, Plan plan, Plan plain, Subnet subnet) {
        Subnet routed = plan.subnet();
        assertThat(routed.vportLids()).as(title).isEqualTo(subnet.vportLids());
        int top = plain.subnet().topLid();
        for (int sw = 0; sw < routed.fabric().switchCount(); sw++) {
            byte[] lft = plan.lft(sw);
            assertThat(lft).as(title).hasSize(routed.topLid() + 1);
            for (int lid = 1; lid <= routed.topLid(); lid++) {
                int base = routed.routedLid(lid);
                int entry = base <= top && routed.portOfLid(lid) != Fabric.NONE ? plain.lft(sw)[base] : (byte) 0xff;
                boolean isUsed = routed.portOfLid(lid) != Fabric.NONE;
                assertThat(!isUsed || lft[lid] == entry)
                        .as("%s: LID %d at switch %d", title, lid, sw)
                        .isTrue();
                if (isUsed && routed.switchOfLid(lid) != Fabric.NONE) {
                    assertThat(plan.slMask(sw, lid)).as(title).isEqualTo(plain.slMask(sw, base));
                    assertThat(plan.pathSl(lid, lid, 1)).as(title).isEqualTo(plain.pathSl(base, base, 1));
                    int out = lft[lid] & 0xff;
                    assertThat(out == 0xff ? "" : plan.explainHop(sw, 0, out, lid))
                            .as(title)
                            .isEqualTo(out == 0xff ? "" : plain.explainHop(sw, 0, out, base));
                }
            }
        }
    }

    /** Draws LIDs of virtual ports, below and above those of ports; some at ports that do not exist. */
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
                lids.put(0x7700L + i, new VPortLid(free.get(i), fabric.portGuid(port), isPresent));
            }
        }
        return VPortLids.of(lids);
    }

    private static RoutingChain chain(Engine engine, DrawnFabric drawn, boolean hasLastResort) {
        Map<String, String> values = new HashMap<>();
        Map<String, EngineFile> files = new HashMap<>();
        for (EngineSetting setting : engine.settings()) {
            if (setting.key().equals("torus_config")) {
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
