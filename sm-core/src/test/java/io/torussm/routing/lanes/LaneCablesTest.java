package io.torussm.routing.lanes;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Engine;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineContext;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingResult;
import io.torussm.routing.Sl2VlTables;
import io.torussm.routing.dfsssp.DfssspEngine;
import io.torussm.routing.lash.LashEngine;
import io.torussm.routing.nue.NueEngine;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Ports that report few VLs, and a switch without SL2VL tables: only their cables are excluded, and all VLs stay in
 * use.
 */
class LaneCablesTest {
    private static final int SIDE = 4;
    private static final int HOST_PORT = 5;
    private static final int LIAR = 5;
    private static final Map<String, Engine> ENGINES =
            Map.of("dfsssp", new DfssspEngine(), "lash", new LashEngine(), "nue", new NueEngine());

    /** Returns a torus of 4x4 switches with a host each; ports 1 and 3 lead forward, 2 and 4 back. */
    private static Fabric torus() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < SIDE * SIDE; sw++) {
            sketch.addSwitch("sw-" + sw, HOST_PORT);
        }
        for (int sw = 0; sw < SIDE * SIDE; sw++) {
            sketch.link(sw, 1, sw / SIDE * SIDE + (sw + 1) % SIDE, 2);
            sketch.link(sw, 3, (sw + SIDE) % (SIDE * SIDE), 4);
            sketch.addHost(sw, HOST_PORT);
        }
        return sketch.build();
    }

    private static Fabric withVlCap(Fabric fabric, int sw, int portNum, int vlCap) {
        int port = fabric.port(sw, portNum);
        return fabric.with(port, Objects.requireNonNull(fabric.portInfo(port)).with(PortInfo.VL_CAP, vlCap));
    }

    private static Plan route(String engine, Fabric fabric) {
        RoutingResult result = result(engine, fabric);
        assertThat(result).isInstanceOf(Plan.class);
        return (Plan) result;
    }

    private static RoutingResult result(String engine, Fabric fabric) {
        EngineConfig config = new EngineConfig(Map.of("nue_max_num_vls", "0"), Map.of(), "", Sl2VlTables.DEFAULT, 1);
        return Objects.requireNonNull(ENGINES.get(engine))
                .route(new EngineContext(Subnets.of(fabric), TestRouting.QOS, config, null));
    }

    /** Returns the SLs of paths between hosts. */
    private static BitSet sls(Plan plan) {
        Subnet subnet = plan.subnet();
        int[] hosts = IntStream.rangeClosed(1, subnet.topLid())
                .filter(lid -> !subnet.fabric().isSwitch(subnet.fabric().nodeOf(subnet.portOfLid(lid))))
                .toArray();
        BitSet sls = new BitSet();
        for (int from : hosts) {
            for (int to : hosts) {
                sls.set(plan.pathSl(from, to, 0));
            }
        }
        return sls;
    }

    private static boolean isUsed(Plan plan, int sw, int portNum) {
        byte[] lft = plan.lft(sw);
        return IntStream.range(0, lft.length).anyMatch(lid -> (lft[lid] & 0xff) == portNum);
    }

    private static void assertServedAndProved(Plan plan, Fabric fabric) {
        assertThat(plan.subnet().fabric()).isSameAs(fabric);
        assertThat(new DeadlockChecker(1).prove(plan, TestRouting.QOS).verdict())
                .isInstanceOf(Certificate.class);
    }

    private static List<String> fewVlFindings(Plan plan) {
        return plan.findings().stream()
                .filter(finding -> finding.event() == SmEvent.LINK_HAS_FEW_VLS)
                .map(Finding::text)
                .toList();
    }

    /** VLCap 0 is no value, and counts as none. */
    @ParameterizedTest
    @CsvSource({"dfsssp,1", "lash,1", "nue,1", "dfsssp,0", "lash,0", "nue,0", "dfsssp,2", "lash,2", "nue,2"})
    void onePortCostsItsCable(String engine, int vlCap) {
        Fabric fabric = torus();
        Fabric withFalseValue = withVlCap(fabric, LIAR, 1, vlCap);
        Plan plan = route(engine, withFalseValue);
        assertServedAndProved(plan, withFalseValue);
        assertThat(sls(plan)).isEqualTo(sls(route(engine, fabric)));
        assertThat(isUsed(plan, LIAR, 1)).isEqualTo(vlCap == 0);
        if (vlCap == 0) {
            assertThat(fewVlFindings(plan)).isEmpty();
        } else {
            assertThat(fewVlFindings(plan)).singleElement().asString().contains("\"sw-5\" port 1");
        }
    }

    /** All cables of the switch report too few VLs. The cables to one neighbour are kept. */
    @ParameterizedTest
    @ValueSource(strings = {"dfsssp", "lash", "nue"})
    void aSwitchIsReachedThroughOneNeighbour(String engine) {
        Fabric fabric = torus();
        Fabric withFalseValue = fabric;
        for (int portNum = 1; portNum < HOST_PORT; portNum++) {
            withFalseValue = withVlCap(withFalseValue, LIAR, portNum, 1);
        }
        Plan plan = route(engine, withFalseValue);
        assertServedAndProved(plan, withFalseValue);
        assertThat(sls(plan)).isEqualTo(sls(route(engine, fabric)));
        assertThat(IntStream.range(1, HOST_PORT).filter(portNum -> isUsed(plan, LIAR, portNum)))
                .hasSize(1);
        assertThat(fewVlFindings(plan)).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"dfsssp", "lash", "nue"})
    void aSwitchWithoutSl2VlTablesIsReachedThroughOneNeighbour(String engine) {
        Fabric fabric = torus();
        int port0 = fabric.port(LIAR, 0);
        Fabric withFalseValue = fabric.with(
                port0, Objects.requireNonNull(fabric.portInfo(port0)).with(PortInfo.CAPABILITY_MASK, 0));
        Plan plan = route(engine, withFalseValue);
        assertServedAndProved(plan, withFalseValue);
        assertThat(sls(plan)).isEqualTo(sls(route(engine, fabric)));
        assertThat(fewVlFindings(plan)).hasSize(3).allMatch(text -> text.contains("no SL2VL tables"));
    }

    /** Four VLs are enough, so the cable is used. */
    @ParameterizedTest
    @ValueSource(strings = {"dfsssp", "lash", "nue"})
    void aCableWithFourVlsIsUsedAsLongAsLanesSuffice(String engine) {
        Fabric withFalseValue = withVlCap(torus(), LIAR, 1, 3);
        Plan plan = route(engine, withFalseValue);
        assertServedAndProved(plan, withFalseValue);
        assertThat(isUsed(plan, LIAR, 1)).isTrue();
        assertThat(fewVlFindings(plan)).isEmpty();
    }

    /** If half of the ports or more have VLCap 1, the fabric has one VL. */
    @Test
    void manyAreNoOutliers() {
        Fabric withFalseValue = torus();
        for (int sw = 0; sw < SIDE * SIDE; sw++) {
            for (int portNum = 1; portNum < HOST_PORT; portNum++) {
                withFalseValue = withVlCap(withFalseValue, sw, portNum, 1);
            }
        }
        RoutingResult result = result("lash", withFalseValue);
        assertThat(result).isInstanceOf(Refusal.class);
        assertThat(((Refusal) result).reason()).contains("more than 1 VLs");
        assertThat(Stream.of(route("nue", withFalseValue)))
                .allMatch(plan -> fewVlFindings(plan).isEmpty());
    }
}
