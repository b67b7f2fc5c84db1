package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.Finding.Severity;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.discovery.Torus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Small fabrics whose results OpenSM gave and a reader can check by hand. Maps of a torus have rows for y, the highest
 * one first, and columns for x.
 */
class WorkedExamplesTest {
    /** Names of the directions, by their number. */
    private static final String[] GROUPS = {"X-", "X+", "Y-", "Y+", "Z-", "Z+"};

    private static int lid(Subnet subnet, long guid) {
        return subnet.lid(subnet.fabric().port(subnet.fabric().nodeByGuid(guid), 0));
    }

    /** Returns the SL from a switch to each switch, a digit each. */
    private static List<String> slMap(TestTorus torus, Plan plan, int x, int y) {
        List<String> rows = new ArrayList<>();
        for (int row = torus.radix[1] - 1; row >= 0; row--) {
            StringBuilder text = new StringBuilder();
            for (int column = 0; column < torus.radix[0]; column++) {
                text.append(plan.pathSl(
                        lid(plan.subnet(), torus.guid(x, y, 0)), lid(plan.subnet(), torus.guid(column, row, 0)), 0));
            }
            rows.add(text.toString());
        }
        return rows;
    }

    /** Returns the direction in which packets from a switch leave to each switch. */
    private static List<String> directions(TestTorus torus, Torus placed, String conf, int x, int y) {
        TorusRoutes routes = new TorusRoutes(
                placed, new TorusDestinations(placed, torus.fabric.subnet(0), TestTorus.conf(conf)), true);
        List<String> rows = new ArrayList<>();
        int from = placed.slotAt(x + torus.radix[0] * y);
        for (int row = torus.radix[1] - 1; row >= 0; row--) {
            List<String> words = new ArrayList<>();
            for (int column = 0; column < torus.radix[0]; column++) {
                int to = placed.slotAt(column + torus.radix[0] * row);
                words.add(to < 0 ? "--" : to == from ? ".." : GROUPS[routes.nextGroup(from, to, 0)]);
            }
            rows.add(String.join(" ", words));
        }
        return rows;
    }

    @Test
    void slsOfA6x5TorusAreThoseOfOpenSm() {
        TestTorus torus = new TestTorus(6, 5, 1);
        Plan plan = torus.plan(torus.conf());
        assertThat(slMap(torus, plan, 1, 1)).containsExactly("222223", "000001", "000001", "000001", "000001");
        assertThat(slMap(torus, plan, 0, 0)).containsExactly("222233", "222233", "000011", "000011", "000011");
    }

    @Test
    void slsOfAMeshHaveDatelineBits() {
        TestTorus mesh = new TestTorus(new int[] {5, 4, 1}, "xy", 1, 1, null);
        assertThat(slMap(mesh, mesh.plan(mesh.conf()), 0, 0)).containsExactly("22233", "00011", "00011", "00011");
    }

    @Test
    void directionsOfA6x5TorusAreThoseOfOpenSm() {
        TestTorus torus = new TestTorus(6, 5, 1);
        Torus placed = TestTorus.place(torus.fabric.fabric(), TestTorus.conf(torus.conf()), 0);
        assertThat(directions(torus, placed, torus.conf(), 1, 1))
                .containsExactly(
                        "X- Y- X+ X+ X+ X-",
                        "X- Y+ X+ X+ X+ X-",
                        "X- Y+ X+ X+ X+ X-",
                        "X- .. X+ X+ X+ X-",
                        "X- Y- X+ X+ X+ X-");
        assertThat(directions(torus, placed, torus.conf(), 5, 4))
                .containsExactly(
                        "X+ X+ X- X- X- ..",
                        "X+ X+ X- X- X- Y-",
                        "X+ X+ X- X- X- Y-",
                        "X+ X+ X- X- X- Y+",
                        "X+ X+ X- X- X- Y+");
    }

    @Test
    void pathsTurnEarlyOrTakeTheLongWayAroundALostSwitch() {
        TestTorus torus = new TestTorus(6, 5, 1);
        torus.fabric.remove(torus.guid(3, 1, 0));
        Torus placed = TestTorus.place(torus.fabric.fabric(), TestTorus.conf(torus.conf()), 0);
        assertThat(directions(torus, placed, torus.conf(), 1, 1))
                .containsExactly(
                        "X- Y- X+ X+ X- X-",
                        "X- Y+ X+ X+ X- X-",
                        "X- Y+ X+ X+ X- X-",
                        "X- .. X+ -- X- X-",
                        "X- Y- X+ X+ X- X-");
        assertThat(directions(torus, placed, torus.conf(), 2, 1))
                .containsExactly(
                        "X- X- Y- Y- X- X-",
                        "X- X- Y+ Y+ X- X-",
                        "X- X- Y+ Y+ X- X-",
                        "X- X- .. -- X- X-",
                        "X- X- Y- Y- X- X-");
    }

    @Test
    void pathsTakeTheLongWayAroundALostCable() {
        TestTorus cut = new TestTorus(6, 5, 1);
        cut.fabric.removeCables(cut.guid(1, 1, 0), cut.guid(2, 1, 0));
        Torus placedCut = TestTorus.place(cut.fabric.fabric(), TestTorus.conf(cut.conf()), 0);
        assertThat(directions(cut, placedCut, cut.conf(), 1, 1))
                .containsExactly(
                        "X- Y- X- X- X- X-",
                        "X- Y+ X- X- X- X-",
                        "X- Y+ X- X- X- X-",
                        "X- .. X- X- X- X-",
                        "X- Y- X- X- X- X-");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''|00:0/13/14 10:1/1/2 01:5/5/6 11:2/1/2 20:3/3/4 21:4/3/4 02:7/7/8 12:1/1/2 22:3/3/4"
                        + "|00:3/3/4 10:5/5/6 01:4/3/4 11:7/7/8 20:1/1/2 21:2/1/2 02:3/3/4 12:0/13/14 22:1/1/2",
                "port_order 14 13"
                        + "|00:0/13/14 10:1/2/1 01:5/6/5 11:2/2/1 20:3/4/3 21:4/4/3 02:7/8/7 12:1/2/1 22:3/4/3"
                        + "|00:3/4/3 10:5/6/5 01:4/4/3 11:7/8/7 20:1/2/1 21:2/2/1 02:3/4/3 12:0/13/14 22:1/2/1"
            })
    void destinationsAreSpreadOverParallelCablesInPortOrder(String portOrder, String at00, String at12) {
        TestTorus torus = new TestTorus(new int[] {3, 3, 1}, "", 2, 2, null);
        Plan plan = torus.plan(torus.conf() + portOrder);
        assertThat(egressPorts(torus, plan, torus.guid(0, 0, 0))).isEqualTo(at00);
        assertThat(egressPorts(torus, plan, torus.guid(1, 2, 0))).isEqualTo(at12);
    }

    /** Returns for each switch XY the ports to it, and to its two hosts, as {@code XY:port/port/port}. */
    private static String egressPorts(TestTorus torus, Plan plan, long at) {
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        byte[] lft = plan.lft(fabric.nodeByGuid(at));
        List<String> words = new ArrayList<>();
        for (String to : List.of("00", "10", "01", "11", "20", "21", "02", "12", "22")) {
            int sw = fabric.nodeByGuid(torus.guid(to.charAt(0) - '0', to.charAt(1) - '0', 0));
            words.add(to + ":" + lft[subnet.lid(fabric.port(sw, 0))] + "/"
                    + lft[subnet.lid(fabric.peer(fabric.port(sw, 13)))] + "/"
                    + lft[subnet.lid(fabric.peer(fabric.port(sw, 14)))]);
        }
        return String.join(" ", words);
    }

    @Test
    void switchesArePlacedInTheOrderOfOpenSm() {
        assertThat(installOrder(new TestTorus(3, 3, 3), 0, 0, 0))
                .isEqualTo("000 100 010 001 110 101 011 111 211 210 200 201 121 120 020 021 220 221 112 102 002 012"
                        + " 202 212 022 122 222");
        assertThat(installOrder(new TestTorus(4, 4, 4), 0, 0, 0))
                .isEqualTo("000 100 300 010 030 001 003 110 101 011 111 310 301 311 130 031 131 330 331 112 102 002 012"
                        + " 211 201 202 212 302 312 122 121 021 022 221 222 321 322 032 132 231 232 332 103 013 113 203"
                        + " 213 303 313 023 123 223 323 033 133 233 333 200 210 020 120 220 320 230");
        assertThat(installOrder(new TestTorus(5, 5, 1), 0, 0, 0))
                .isEqualTo("000 100 010 110 200 210 300 310 400 410 020 120 220 320 420 030 130 230 330 430 040 140 240"
                        + " 340 440");
        assertThat(installOrder(new TestTorus(5, 5, 1), 2, 2, 0))
                .isEqualTo("220 320 230 210 310 410 420 010 020 120 130 330 430 030 040 140 240 340 440 000 100 200 300"
                        + " 400 110");
    }

    private static String installOrder(TestTorus torus, int... seed) {
        Torus2QosConf conf = TestTorus.conf(torus.sizes() + torus.seed(seed));
        return TestTorus.installOrder(TestTorus.place(torus.fabric.fabric(), conf, 0));
    }

    /**
     * The VL of an SL is its dateline bit of the dimension in which the packet leaves. With four VLs or more, an
     * illegal turn adds 2; with eight, the second QoS level adds 4.
     */
    @ParameterizedTest(name = "{1} VLs")
    @CsvSource({"5,8", "4,8", "3,4", "2,2"})
    void slsAreMappedToTheAvailableVls(int maxOpVls, int vls) {
        TestTorus torus = new TestTorus(3, 3, 3);
        Plan plan = TestTorus.plan(new Torus2QosEngine(TestTorus.parse(torus.conf()))
                .route(torus.fabric.subnet(0), new RoutingOptions(true, maxOpVls, 0)));
        int sw = plan.subnet().fabric().nodeByGuid(torus.guid(1, 1, 1));
        // ports 1-6: +x -x +y -y +z -z, 7: host
        int high = vls == 8 ? 4 : 0;
        int turn = vls >= 4 ? 2 : 0;
        for (int in = 0; in <= 7; in++) {
            assertRow(plan.sl2vl(sw, in, 1), "01010101", in >= 3 && in <= 6 ? turn : 0, high);
            assertRow(plan.sl2vl(sw, in, 2), "01010101", in >= 3 && in <= 6 ? turn : 0, high);
            assertRow(plan.sl2vl(sw, in, 3), "00110011", in == 5 || in == 6 ? turn : 0, high);
            assertRow(plan.sl2vl(sw, in, 4), "00110011", in == 5 || in == 6 ? turn : 0, high);
            assertRow(plan.sl2vl(sw, in, 5), "00001111", 0, high);
            assertRow(plan.sl2vl(sw, in, 6), "00001111", 0, high);
            assertRow(plan.sl2vl(sw, in, 7), "00000000", 0, 1);
            assertRow(plan.sl2vl(sw, in, 0), "00000000", 0, 1);
        }
        Fabric fabric = plan.subnet().fabric();
        assertRow(plan.sl2vl(fabric.port(sw, 0)), "00000000", 0, 1);
        assertRow(plan.sl2vl(fabric.peer(fabric.port(sw, 7))), "00000000", 0, 1);
        assertThat(plan.findings().stream().filter(finding -> finding.severity() == Severity.WARNING))
                .hasSize(vls == 8 ? 0 : 1);
    }

    /**
     * Asserts a row of the SL2VL table.
     *
     * @param lower VLs of SLs 0 to 7, a digit each
     * @param turn added to all VLs
     * @param high added to the VLs of SLs 8 to 15
     */
    private static void assertRow(long row, String lower, int turn, int high) {
        for (int sl = 0; sl < 16; sl++) {
            assertThat(SlToVlMappingTable.vl(row, sl))
                    .isEqualTo(lower.charAt(sl & 7) - '0' + turn + (sl >= 8 ? high : 0));
        }
    }

    @Test
    void aPacketGoesAlongXAndThenAlongY() {
        TestTorus torus = new TestTorus(6, 5, 1);
        Plan plan = torus.plan(torus.conf());
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        int sw = fabric.nodeByGuid(torus.guid(1, 1, 0));
        int dlid = lid(subnet, torus.guid(3, 3, 0));
        StringBuilder way = new StringBuilder(plan.coordinates(sw));
        for (int port = plan.lft(sw)[dlid]; port != 0; port = plan.lft(sw)[dlid]) {
            sw = fabric.nodeOf(fabric.peer(fabric.port(sw, port)));
            way.append(plan.coordinates(sw));
        }
        assertThat(way).hasToString("(1,1,0)(2,1,0)(3,1,0)(3,2,0)(3,3,0)");
        assertThat(plan.slMask(fabric.nodeByGuid(torus.guid(1, 1, 0)), dlid))
                .as("no dateline, at both QoS levels")
                .isEqualTo(1 << 0 | 1 << 8);
        assertThat(plan.slMask(
                        fabric.nodeByGuid(torus.guid(5, 4, 0)),
                        TestTorus.lid(plan, fabric.nodeByGuid(torus.guid(0, 0, 0)))))
                .as("both datelines, at both QoS levels")
                .isEqualTo(1 << 3 | 1 << 11);
    }
}
