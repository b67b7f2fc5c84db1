package io.torussm.routing.nue;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.NaiveChecker;
import io.torussm.deadlock.chain.ChainPolicy;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.EarlierFacts;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.balance.Links;
import io.torussm.routing.weights.KeptEntries;
import io.torussm.subnet.Subnet;
import io.torussm.testing.RandomFabric;
import io.torussm.testing.Seeds;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import io.torussm.testing.TorusSketch;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Routes, VLs and SLs of nue, on random fabrics, on fabrics that OpenSM routed, and on tori of {@link TorusSketch}
 * ({@code of(x, y, z, parallel cables, hosts of each switch)}). LIDs are 1 to n, switches first, then hosts.
 */
class NueEngineTest {
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 60);

    private static EngineConfig config(int vls, boolean includesSwitches) {
        Map<String, String> values = Map.of(
                "nue_max_num_vls", Integer.toString(vls), "nue_include_switches", Boolean.toString(includesSwitches));
        return new EngineConfig(values, Map.of(), "", Sl2VlTables.DEFAULT, 1);
    }

    private static RoutingChain.ChainResult chain(
            Subnet subnet, EngineConfig config, RoutingOptions options, @Nullable Plan active) {
        return new RoutingChain(
                        new DeadlockChecker(1),
                        List.of(new RoutingChain.Member(new NueEngine(), config)),
                        ChainPolicy.STRICT)
                .route(subnet, options, active, EarlierFacts.NONE);
    }

    private static Plan plan(Subnet subnet, EngineConfig config) {
        return plan(chain(subnet, config, TestRouting.QOS, null));
    }

    private static Plan plan(RoutingChain.ChainResult result) {
        assertThat(result.verdict()).as(result.refusals().toString()).isInstanceOf(Certificate.class);
        return Objects.requireNonNull(result.plan());
    }

    /** Random fabrics have switches without hosts and parallel cables. The proof covers multicast and ports 0. */
    @Test
    void isFreeOfCreditLoopsOnAnyFabricWithAnyNumberOfVls() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = Seeds.random(seed);
            Subnet subnet = Subnets.of(RandomFabric.of(random));
            RoutingOptions options = new RoutingOptions(true, 1 + random.nextInt(5), 0);
            RoutingChain.ChainResult result =
                    chain(subnet, config(random.nextInt(5), random.nextBoolean()), options, null);
            assertThat(new NaiveChecker(plan(result), options).isSound())
                    .as("seed " + seed)
                    .isTrue();
            assertThat(result.multicast())
                    .as("seed " + seed)
                    .isNotNull()
                    .isEqualTo(plan(result).multicastTree().orElseThrow());
        }
    }

    static Set<String> recorded() {
        return RecordedCases.of("nue").keySet();
    }

    /**
     * OpenSM has credit loops with multicast in all of these fabrics, and with ports 0 of switches in fabrics where
     * nue_include_switches is false.
     */
    @ParameterizedTest
    @MethodSource("recorded")
    void grantsTheSlsOfTheReference(String name) {
        RecordedCases.Case recorded = RecordedCases.of("nue", name);
        RecordedCases.State state = recorded.states().get(0);
        Subnet subnet = state.subnet();
        RoutingChain.ChainResult result = chain(subnet, recorded.config(), TestRouting.QOS, null);
        assertThat(result.multicast()).isEqualTo(plan(result).multicastTree().orElseThrow());
        state.sls().forEach((sw, sls) -> {
            int from = subnet.lid(subnet.fabric().port(sw, 0));
            for (int lid = 1; lid <= sls.length(); lid++) {
                if (sls.charAt(lid - 1) != '-') {
                    assertThat(plan(result).pathSl(from, lid, 0))
                            .as("from LID " + from + " to " + lid)
                            .isEqualTo(Character.digit(sls.charAt(lid - 1), 16));
                }
            }
        });
    }

    /** With nue_include_switches, ports 0 are spread over SLs as hosts are. Otherwise all of them have SL 0. */
    @Test
    void dealsPortsOfSwitchesIfAskedTo() {
        Subnet torus = TorusSketch.of(4, 4, 1, 1, 1).subnet();
        for (boolean includesSwitches : new boolean[] {false, true}) {
            Plan plan = plan(torus, config(2, includesSwitches));
            long dealt = IntStream.range(0, torus.fabric().switchCount())
                    .map(sw -> torus.lid(torus.fabric().port(sw, 0)))
                    .filter(lid -> plan.pathSl(torus.smLid(), lid, 7) == 1)
                    .count();
            assertThat(dealt > 0).isEqualTo(includesSwitches);
            assertThat(plan.slMask(0, torus.topLid())).isEqualTo(1 << plan.pathSl(1, torus.topLid(), 7));
            assertThat(plan.pathSl(1, torus.topLid() + 1, 0)).isNegative();
            assertThat(plan.pathSl(torus.topLid() + 1, 1, 0)).isNegative();
        }
    }

    /** With one VL a path has the requested SL. */
    @Test
    void routesATorusWithOneVl() {
        Subnet torus = TorusSketch.of(5, 4, 4, 1, 1).subnet();
        for (int vlCode = 1; vlCode <= 4; vlCode += 3) {
            RoutingOptions options = new RoutingOptions(true, vlCode, 0);
            RoutingChain.ChainResult result = chain(torus, EngineConfig.NONE, options, null);
            assertThat(result.multicast()).isNotNull();
            assertThat(plan(result).pathSl(1, torus.topLid(), 6)).isEqualTo(6);
            assertThat(plan(result).findings()).hasSize(1);
        }
        RoutingOptions plain = TestRouting.NO_QOS;
        assertThat(plan(chain(torus, config(4, true), plain, null)).pathSl(1, torus.topLid(), 6))
                .isEqualTo(6);
    }

    /** For some destinations, every other path of some switch would close a credit loop. */
    @Test
    void sendsAlongTheEscapeTreeWhereAllElseWouldCloseALoop() {
        Subnet torus = TorusSketch.of(8, 8, 1, 1, 1).subnet();
        Plan plan = plan(torus, config(5, false));
        assertThat(new NaiveChecker(plan, TestRouting.QOS).isSound()).isTrue();
        Set<Integer> escaped = new HashSet<>();
        for (int lid = 1; lid <= torus.topLid(); lid++) {
            for (int sw = 0; sw < torus.fabric().switchCount(); sw++) {
                int out = plan.lft(sw)[lid];
                if (plan.explainer().explainHop(sw, 1, out, lid).contains("along the escape tree")) {
                    escaped.add(lid);
                }
            }
        }
        assertThat(escaped).hasSizeBetween(1, 20);
    }

    /** On some VL, a path through a switch that uses the escape tree must also use the escape tree. */
    @Test
    void pathsThroughAnEscapedSwitchUseTheEscapeTree() {
        Random random = Seeds.random(1);
        Sketch sketch = new Sketch();
        List<Integer> order = new ArrayList<>();
        for (int sw = 0; sw < 100; sw++) {
            sketch.addSwitch("sw-" + sw, 5);
            order.add(sw);
        }
        for (int ring = 0; ring < 2; ring++) {
            Collections.shuffle(order, random);
            for (int i = 0; i < 100; i++) {
                sketch.link(order.get(i), 2 * ring + 1, order.get((i + 1) % 100), 2 * ring + 2);
            }
        }
        for (int sw = 0; sw < 100; sw++) {
            sketch.addHost(sw, 5);
        }
        assertThat(new NaiveChecker(plan(Subnets.of(sketch.build()), config(6, false)), TestRouting.QOS).isSound())
                .isTrue();
    }

    @Test
    void warnsOfVlsThatAreNotThere() {
        RoutingOptions plain = TestRouting.NO_QOS;
        assertThat(new NueEngine().check(config(1, false), plain)).isEmpty();
        assertThat(new NueEngine().check(EngineConfig.NONE, plain)).isEmpty();
        assertThat(new NueEngine().check(config(0, false), plain)).hasSize(1);
        assertThat(new NueEngine().check(config(8, false), TestRouting.QOS)).isEmpty();
        Subnet torus = TorusSketch.of(3, 3, 1, 1, 1).subnet();
        Plan plan = plan(chain(torus, config(8, false), TestRouting.qosWithVls(2), null));
        assertThat(plan.findings()).extracting(Finding::text).anyMatch(text -> text.contains("there are 2 VLs"));
        assertThat(IntStream.rangeClosed(1, torus.topLid())
                        .map(lid -> plan.slMask(0, lid))
                        .distinct())
                .containsExactlyInAnyOrder(1, 2);
    }

    /** Without the previous plan, SLs of other hosts would change when switch 1 and its host are lost. */
    @Test
    void slsStayWhenHostsAndSwitchesGoAndComeBack() {
        Subnet whole = TorusSketch.of(4, 4, 1, 1, 1).subnet();
        Plan before = plan(whole, config(3, true));
        FabricBuilder builder = FabricBuilder.of(whole.fabric());
        for (int portNum = 1; portNum <= whole.fabric().numPorts(1); portNum++) {
            builder.unlink(whole.fabric().nodeGuid(1), portNum);
        }
        builder.retrace();
        Subnet less = whole.restrictedTo(builder.build());
        Plan after = plan(chain(less, config(3, true), TestRouting.QOS, before));
        Plan anew = plan(less, config(3, true));
        Plan again = plan(chain(whole, config(3, true), TestRouting.QOS, after));
        int others = 0;
        for (int lid = 1; lid <= whole.topLid(); lid++) {
            if (lid <= less.topLid() && less.switchOfLid(lid) != Fabric.NONE) {
                assertThat(after.slMask(0, lid)).isEqualTo(before.slMask(0, lid));
                others += anew.slMask(0, lid) == before.slMask(0, lid) ? 0 : 1;
            }
            assertThat(again.slMask(0, lid)).isEqualTo(before.slMask(0, lid));
        }
        assertThat(others).isPositive();
        Plan fewer = plan(chain(whole, config(2, true), TestRouting.QOS, before));
        assertThat(fewer.slMask(0, whole.topLid())).isLessThan(4);
    }

    /** The remaining routes close no credit loop. When the cable is back, all routes equal the first ones. */
    @Test
    void pathsThatAreWholeStayWhenACableIsLost() {
        Subnet whole = TorusSketch.of(5, 4, 3, 1, 1).subnet();
        for (int vls : new int[] {1, 4}) {
            Plan before = plan(whole, config(vls, false));
            for (int sw = 0; sw < whole.fabric().switchCount(); sw += 7) {
                FabricBuilder builder = FabricBuilder.of(whole.fabric());
                builder.unlink(whole.fabric().nodeGuid(sw), 1 + sw % 6);
                builder.retrace();
                Subnet less = whole.restrictedTo(builder.build());
                Plan after = plan(chain(less, config(vls, false), TestRouting.QOS, before));
                assertThat(new NaiveChecker(after, TestRouting.QOS).isSound()).isTrue();
                assertThat(share(after, before)).isGreaterThan(0.99);
                assertThat(after.findings()).extracting(Finding::text).anyMatch(text -> text.contains("stay, "));
                Plan again = plan(chain(whole, config(vls, false), TestRouting.QOS, after));
                IntStream.range(0, whole.fabric().switchCount())
                        .forEach(each -> assertThat(again.lft(each)).isEqualTo(before.lft(each)));
            }
        }
    }

    /** Returns the share of unchanged paths among paths without a lost cable. */
    private static double share(Plan after, Plan before) {
        Subnet subnet = after.subnet();
        KeptEntries whole = new KeptEntries(subnet, new Links(subnet.fabric()), tables(before));
        KeptEntries now = new KeptEntries(subnet, new Links(subnet.fabric()), tables(after));
        int same = 0;
        int all = 0;
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            for (int sw = 0; sw < subnet.fabric().switchCount(); sw++) {
                assertThat(now.isWhole(sw, lid)).isTrue();
                if (whole.isWhole(sw, lid)) {
                    all++;
                    same += after.lft(sw)[lid] == before.lft(sw)[lid] ? 1 : 0;
                }
            }
        }
        return (double) same / all;
    }

    private static byte[][] tables(Plan plan) {
        return IntStream.range(0, plan.subnet().fabric().switchCount())
                .mapToObj(plan::lft)
                .toArray(byte[][]::new);
    }

    /** One to four ports of random switches lose their cables at the same time. */
    @Test
    void isFreeOfCreditLoopsAfterLosses() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Random random = Seeds.random(seed);
            Fabric fabric = RandomFabric.of(random);
            Subnet whole = Subnets.of(fabric, random.nextInt(2));
            EngineConfig config = config(random.nextInt(5), random.nextBoolean());
            Plan before = plan(chain(whole, config, TestRouting.QOS, null));
            FabricBuilder builder = FabricBuilder.of(fabric);
            for (int i = random.nextInt(4); i >= 0; i--) {
                int sw = random.nextInt(fabric.switchCount());
                builder.unlink(fabric.nodeGuid(sw), 1 + random.nextInt(fabric.numPorts(sw)));
            }
            builder.retrace();
            Subnet less = whole.restrictedTo(builder.build());
            RoutingChain.ChainResult result = chain(less, config, TestRouting.QOS, before);
            if (result.plan() != null) {
                assertThat(new NaiveChecker(plan(result), TestRouting.QOS).isSound())
                        .as("seed " + seed)
                        .isTrue();
            }
        }
    }

    /** With LMC 1, the two LIDs of a port have different paths and the same SL. */
    @Test
    void routesEachLidOfAPortByItself() {
        Subnet torus = Subnets.of(TorusSketch.of(4, 4, 1, 1, 1).subnet().fabric(), 1);
        Plan plan = plan(torus, config(2, false));
        assertThat(new NaiveChecker(plan, TestRouting.QOS).isSound()).isTrue();
        Fabric fabric = torus.fabric();
        long apart = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            int lid = torus.lid(port);
            if (lid != 0 && torus.lmc(port) == 1) {
                assertThat(plan.slMask(0, lid + 1)).isEqualTo(plan.slMask(0, lid));
                apart += IntStream.range(0, fabric.switchCount())
                        .filter(sw -> plan.lft(sw)[lid] != plan.lft(sw)[lid + 1])
                        .count();
            }
        }
        assertThat(apart).isGreaterThan(50);
    }

    /** Both ends of the cable between the first two switches of a ring may be 4x, and are 1x. */
    @Test
    void avoidsThrottledLinksAndRefusesADisconnectedFabric() {
        Fabric ring = TorusSketch.of(5, 1, 1, 1, 1).subnet().fabric();
        FabricBuilder builder = FabricBuilder.of(ring);
        for (int sw = 0; sw < 2; sw++) {
            int portNum = 2 - sw;
            assertThat(ring.nodeOf(ring.peer(ring.port(sw, portNum)))).isEqualTo(1 - sw);
            builder.setPortInfo(
                    ring.nodeGuid(sw),
                    portNum,
                    Objects.requireNonNull(ring.portInfo(ring.port(sw, portNum)))
                            .with(PortInfo.LINK_WIDTH_ENABLED, 3)
                            .with(PortInfo.LINK_WIDTH_ACTIVE, 1));
        }
        Subnet slow = Subnets.of(builder.build());
        int lid = slow.lid(ring.port(1, 0));
        EngineConfig avoids =
                new EngineConfig(Map.of("avoid_throttled_links", "true"), Map.of(), "", Sl2VlTables.DEFAULT, 1);
        assertThat(plan(slow, EngineConfig.NONE).lft(0)[lid]).isEqualTo((byte) 2);
        assertThat(plan(slow, avoids).lft(0)[lid]).isEqualTo((byte) 1);
        builder.unlink(ring.nodeGuid(3), 2);
        Subnet line = Subnets.of(builder.build());
        assertThat(plan(line, EngineConfig.NONE).lft(0)[lid]).isEqualTo((byte) 2);
        assertThat(chain(line, avoids, TestRouting.QOS, null).refusals().get(0).reason())
                .contains("not all switches are connected")
                .contains("unset avoid_throttled_links");
    }

    @Test
    void explainsWays() {
        Subnet torus = TorusSketch.of(4, 4, 1, 1, 1).subnet();
        Plan plan = plan(torus, config(2, false));
        int lid = torus.topLid();
        int sw = torus.switchOfLid(lid) == 0 ? 1 : 0;
        assertThat(plan.explainer().explainHop(sw, 0, plan.lft(sw)[lid], lid)).contains("in lane ");
        assertThat(plan.explainer().explainHop(torus.switchOfLid(lid), 1, torus.deliveryPort(lid), lid))
                .isEmpty();
        assertThat(plan.explainer().slChangeCause()).contains("nue_max_num_vls");
    }
}
