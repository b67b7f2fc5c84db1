package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.event.Finding.Severity;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.Refusal;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables of the engine on recorded fabrics, compared bit for bit with OpenSM's. */
class GoldenTest {

    @ParameterizedTest
    @MethodSource("io.torussm.torus2qos.GoldenFabric#routedByTheReference")
    void routesAsTheReferenceDoes(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        ChainResult routed = TestTorus.chain(golden.conf, golden.subnet());
        Plan plan = TestTorus.plan(routed);
        assertThat(routed.findings()).noneMatch(finding -> finding.severity() == Severity.ERROR);
        assertThat(routed.multicast()).isNotNull();
        byte[][] tables = new byte[golden.fabric.switchCount()][];
        for (int sw = 0; sw < tables.length; sw++) {
            tables[sw] = plan.lft(sw);
        }
        compareTables(golden, plan.subnet(), tables);
        compareSls(golden, plan.subnet(), plan::pathSl);
    }

    /** Goes beyond the rule that missing switches be adjacent in z; the check finds it safe. */
    @ParameterizedTest
    @MethodSource("io.torussm.torus2qos.GoldenFabric#refusedForTheirPatternOnly")
    void routesFabricsThatTheReferenceRefusesForTheirPatternOnly(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        Subnet subnet = TestFabric.subnet(golden.fabric, 0);
        ChainResult routed = TestTorus.chain(golden.conf, subnet);
        assertThat(routed.verdict()).isInstanceOf(Certificate.class);
        assertThat(routed.multicast()).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "65_link_Sn_To|the ring \\(\\*,1,0\\) is broken into 2 disjoint parts: no cable from \\(1,1,0\\) .*\\(4,1,0\\).*",
                "65_mesh_link|the line \\(\\*,1,0\\), which does not wrap, is cut: no cable from .*",
                "666_ring2|the ring \\(3,\\*,3\\) is broken into 2 disjoint parts: no cable from .*",
                "666_sw2ring|the ring \\(3,3,\\*\\) is broken into 2 disjoint parts: no switch at \\(3,3,1\\); no .*",
                "66_sw_O_T|the switches at \\(3,1,0\\), \\(4,1,0\\) are missing, not adjacent along y, .*",
                "166_sw_O_T|the switches at \\(0,3,1\\), \\(0,4,1\\) are missing, not adjacent along z, .*",
                "666_sw2x|the switches at \\(2,3,3\\), \\(3,3,3\\) are missing, not adjacent along z, .*",
                "666_sw2y|the switches at \\(3,2,3\\), \\(3,3,3\\) are missing, not adjacent along z, .*"
            })
    void refusesWhatTheManualPageRefusesAndSaysWhy(String name, String reason) {
        GoldenFabric golden = new GoldenFabric(name);
        ChainResult refused = TestTorus.chain(golden.conf, TestFabric.subnet(golden.fabric, 0));
        assertThat(refused.plan()).isNull();
        assertThat(refused.findings())
                .filteredOn(finding -> finding.severity() == Severity.ERROR)
                .first()
                .satisfies(finding -> assertThat(finding.text()).matches(reason));
    }

    /** Fabrics on which the reference's tree and unicast can wait for one another; elsewhere its tree is taken. */
    @ParameterizedTest
    @ValueSource(strings = {"65_sw_root", "255_sw", "666_sw1", "666_sw1_links8", "666_sw2z", "888_sw1"})
    void takesAnotherTreeForMulticastWhereThatOfTheReferenceClosesACreditLoop(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        ChainResult routed = TestTorus.chain(golden.conf, golden.subnet());
        Plan plan = TestTorus.plan(routed);
        assertThat(routed.multicast())
                .isNotNull()
                .isNotEqualTo(plan.multicastTree().orElseThrow());
        assertThat(routed.verdict())
                .isInstanceOfSatisfying(Certificate.class, proof -> assertThat(proof.verify(plan, TestTorus.QOS))
                        .isTrue());
        assertThat(routed.findings()).anyMatch(finding -> finding.text().startsWith("multicast: the usual tree could"));
    }

    @ParameterizedTest
    @ValueSource(strings = "444_oneway")
    void refusesRadixFourWithoutLinksBothWaysAndNamesTheMissingKeyword(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        Refusal refusal = TestTorus.refusal(TestTorus.route(golden.conf, TestFabric.subnet(golden.fabric, 0)));
        assertThat(refusal.reason()).contains("torus-2QoS.conf:2: seed 0").contains("xm_link", "ym_link", "zm_link");
    }

    private interface PathSl {
        int sl(int srcLid, int dstLid, int wanted);
    }

    private static void compareTables(GoldenFabric golden, Subnet subnet, byte[][] tables) {
        byte[] expected = golden.tables();
        int length = subnet.topLid() + 1;
        Fabric fabric = golden.fabric;
        assertThat(expected).hasSize(length * tables.length);
        List<String> differences = new ArrayList<>();
        for (int sw = 0; sw < tables.length; sw++) {
            for (int lid = 0; lid < length; lid++) {
                if (tables[sw][lid] != expected[sw * length + lid]) {
                    differences.add(fabric.name(sw) + " LID " + lid + ": port " + (tables[sw][lid] & 0xff)
                            + " instead of " + (expected[sw * length + lid] & 0xff));
                }
            }
        }
        assertThat(differences).isEmpty();
    }

    private static void compareSls(GoldenFabric golden, Subnet subnet, PathSl pathSl) {
        byte[] expected = golden.sls();
        int length = subnet.topLid() + 1;
        int paths = 0;
        List<String> differences = new ArrayList<>();
        for (int src = 0; src < length; src++) {
            for (int dst = 0; dst < length; dst++) {
                int sl = expected[src * length + dst];
                if (sl < 0) {
                    continue;
                }
                paths++;
                if (pathSl.sl(src, dst, 0) != sl || pathSl.sl(src, dst, 15) != (sl | 8)) {
                    differences.add(
                            "LID " + src + " to " + dst + ": SL " + pathSl.sl(src, dst, 0) + " instead of " + sl);
                }
            }
        }
        assertThat(differences).isEmpty();
        assertThat(paths).isGreaterThan(golden.fabric.switchCount());
    }
}
