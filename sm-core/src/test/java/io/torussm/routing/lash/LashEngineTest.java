package io.torussm.routing.lash;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.OnCreditLoop;
import io.torussm.deadlock.RoutingChain;
import io.torussm.fabric.Fabric;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.RecordedCases;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.subnet.Subnet;
import io.torussm.testing.RandomFabric;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What tables on recorded fabrics do not say; for those see RecordedTablesTest. */
class LashEngineTest {
    private static final RoutingOptions QOS = new RoutingOptions(true, 5, 0);
    private static final int SEEDS = Integer.getInteger("campaign.seeds", 60);

    private static RoutingResult route(
            Subnet subnet, RoutingOptions options, Sl2VlTables tables, Map<String, String> values) {
        EngineConfig config = new EngineConfig(values, Map.of(), "", tables, 1);
        return new LashEngine().route(new EngineContext(subnet, options, config, null));
    }

    private static RoutingResult route(Subnet subnet, int maxOpVls, int start) {
        return route(
                subnet,
                new RoutingOptions(true, maxOpVls, 0),
                Sl2VlTables.DEFAULT,
                Map.of("lash_start_vl", Integer.toString(start)));
    }

    /** Needs three lanes; the reference notices at the second sweep that there are two, and goes on with these. */
    private static Subnet torus() {
        return RecordedCases.of("lash", "fewvls").states().get(0).subnet();
    }

    @ParameterizedTest
    @CsvSource({"3,0", "5,5"})
    void routesWhereLanesSuffice(int maxOpVls, int start) {
        Plan plan = (Plan) route(torus(), maxOpVls, start);
        assertThat(new DeadlockChecker(1)
                        .prove(plan, new RoutingOptions(true, maxOpVls, 0))
                        .verdict())
                .isInstanceOf(Certificate.class);
    }

    @ParameterizedTest
    @CsvSource({"2,0,more than 2 VLs", "4,6,more than 2 VLs", "4,8,SL 8 has no VL", "5,15,SL 15 has no VL"})
    void refusesAtOnceWhereTheyDoNot(int maxOpVls, int start, String reason) {
        assertThat(((Refusal) route(torus(), maxOpVls, start)).reason()).contains(reason);
    }

    /** Switches have no SL2VL tables then. */
    @Test
    void hasOneLaneWithoutQos() {
        RoutingOptions plain = new RoutingOptions(false, 5, 0);
        assertThat(((Refusal) route(torus(), plain, Sl2VlTables.DEFAULT, Map.of())).reason())
                .contains("qos = true");
        Subnet mesh = RecordedCases.of("lash", "cube4_mesh").states().get(0).subnet();
        assertThat(route(mesh, plain, Sl2VlTables.DEFAULT, Map.of("do_mesh_analysis", "true")))
                .isInstanceOf(Plan.class);
    }

    /** SLs 1 to 15 all on VL 1: two lanes are left. */
    @Test
    void countsLanesByTheSl2VlTablesOfTheOperator() {
        long two = 0x0111_1111_1111_1111L;
        Sl2VlTables tables = new Sl2VlTables(two, two, two, two);
        assertThat(((Refusal) route(torus(), QOS, tables, Map.of())).reason()).contains("more than 2 VLs");
    }

    /** Hosts may have fewer VLs: packets wait for nobody there. */
    @Test
    void vlsOfHostLinksDoNotCount() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < 5; sw++) {
            sketch.addSwitch("sw-" + sw, 4);
        }
        for (int sw = 0; sw < 5; sw++) {
            sketch.link(sw, 1, (sw + 1) % 5, 2);
        }
        sketch.vlCap(1);
        for (int sw = 0; sw < 5; sw++) {
            sketch.addHost(sw, 3);
        }
        Subnet subnet = Subnets.of(sketch.build());
        Plan plan = (Plan) route(subnet, 5, 0);
        assertThat(new DeadlockChecker(1).prove(plan, QOS).verdict()).isInstanceOf(Certificate.class);
    }

    @Test
    void doesNotLookAtTheSlThatIsWanted() {
        Subnet subnet = torus();
        Plan plan = (Plan) route(subnet, 5, 0);
        Fabric fabric = subnet.fabric();
        for (int from = 0; from < fabric.switchCount(); from++) {
            for (int to = 0; to < fabric.switchCount(); to++) {
                int source = subnet.lid(fabric.port(from, 0));
                int destination = subnet.lid(fabric.port(to, 0));
                int sl = plan.pathSl(source, destination, 0);
                assertThat(sl).isBetween(0, 2).isEqualTo(plan.pathSl(source, destination, 7));
                assertThat(sl).isEqualTo(plan.pathSl(destination, source, 0));
            }
        }
    }

    /** Some switches have no hosts, some cables are parallel; with multicast as well as with ports 0 of switches. */
    @Test
    void isFreeOfCreditLoopsOnAnyFabric() {
        for (int seed = 0; seed < SEEDS; seed++) {
            Subnet subnet = Subnets.of(RandomFabric.of(new Random(seed)));
            for (String mesh : List.of("false", "true")) {
                EngineConfig config =
                        new EngineConfig(Map.of("do_mesh_analysis", mesh), Map.of(), "", Sl2VlTables.DEFAULT, 1);
                RoutingChain.ChainResult result = new RoutingChain(
                                new DeadlockChecker(1),
                                List.of(new RoutingChain.Member(new LashEngine(), config)),
                                new RoutingChain.Policy(false, OnCreditLoop.REFUSE))
                        .route(subnet, QOS);
                assertThat(result.verdict()).as("seed " + seed).isInstanceOf(Certificate.class);
                assertThat(result.multicast()).as("seed " + seed).isNotNull();
            }
        }
    }
}
