package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Finding;
import io.torussm.routing.Finding.Severity;
import io.torussm.routing.Refusal;
import io.torussm.routing.RoutingPlan;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The engine against what the reference SM computed, bit for bit. */
class GoldenTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "65_pristine",
                "66_pristine",
                "166_pristine",
                "333_pristine",
                "444_pristine",
                "555_pristine",
                "666_pristine",
                "888_pristine",
                "345_pristine",
                "255_pristine",
                "552_pristine",
                "222_pristine",
                "65_mesh",
                "444_mesh",
                "555_mesh_x",
                "555_mesh_z",
                "444_par2",
                "444_par2_cut",
                "333_hosts4",
                "444_hosts8",
                "333_par2_hosts3",
                "555_hosts_some",
                "333_lmc1"
            })
    void routesAsTheReferenceDoes(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        RoutingPlan plan = TestTorus.plan(TestTorus.route(golden.conf, golden.subnet()));
        assertThat(plan.findings()).noneMatch(finding -> finding.severity() == Severity.ERROR);
        byte[][] tables = new byte[golden.fabric.switchCount()][];
        for (int sw = 0; sw < tables.length; sw++) {
            tables[sw] = plan.lft(sw);
        }
        compareTables(golden, plan.subnet(), tables);
        compareSls(golden, plan.subnet(), plan::pathSl);
    }

    /** Refused by the engine as yet, but the routes are there and are those of the reference. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "166_sw_T_R", "255_sw", "444_par2_gone", "555_mesh_z_link", "555_seed_sw", "65_link_Sn", "65_link_mc",
                "65_link_nT", "65_link_nT_To", "65_lmc1_link", "65_sw_T", "65_sw_root", "666_link1", "666_links12",
                "666_links40", "666_sw1", "666_sw1_links8", "666_sw2z", "666_sw3z", "888_sw1"
            })
    void refusesDamageThatTheReferenceRoutesAround(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        Subnet subnet = golden.subnet();
        Refusal refusal = TestTorus.refusal(TestTorus.route(golden.conf, subnet));
        assertThat(refusal.reason()).containsAnyOf("no link from (", "switch missing at (");

        Torus2QosConf conf = TestTorus.conf(golden.conf);
        Torus torus = TestTorus.place(golden.fabric, conf, name.equals("555_seed_sw") ? 1 : 0);
        TorusRoutes routes = new TorusRoutes(torus, subnet, conf);
        assertThat(routes.unroutable()).isEmpty();
        compareTables(golden, subnet, routes.tables(1));
        compareSls(golden, subnet, new TorusSl(torus, routes.destinations().slotOfLid)::pathSl);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "66_sw_T_R",
                "66_sw_O_T",
                "166_sw_O_T",
                "65_link_Sn_To",
                "65_mesh_link",
                "666_ring2",
                "666_sw2far",
                "666_sw2ring",
                "666_sw2x",
                "666_sw2y"
            })
    void refusesWhatTheReferenceRefusesAndNamesThePlaces(String name) {
        GoldenFabric golden = new GoldenFabric(name);
        Refusal refusal = TestTorus.refusal(TestTorus.route(golden.conf, TestFabric.subnet(golden.fabric, 0)));
        List<String> errors = refusal.findings().stream()
                .filter(finding -> finding.severity() == Severity.ERROR)
                .map(Finding::text)
                .toList();
        assertThat(errors)
                .anyMatch(text ->
                        text.matches("(switch missing at|no link from) \\(\\d,\\d,\\d\\).* 0x[0-9a-f]{16} \".*"));
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
