package io.torussm.torus2qos;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.discovery.Torus;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The example paths of torus-2QoS(8), explained hop by hop. Damaged fabrics are routed even if they are refused. */
class HopReasonTest {
    private static final String X_FIRST = "+x  DOR: x first";
    private static final String Y_NEXT = "+y  DOR: x is right, y next";

    /** Returns the direction and the reason of each hop between the port 0s of two switches, with its place. */
    private static List<String> path(TestTorus torus, int[] from, int... to) {
        return path(torus, 8, from, to);
    }

    private static List<String> path(TestTorus torus, int vls, int[] from, int... at) {
        Subnet subnet = torus.fabric.subnet(0);
        Fabric fabric = subnet.fabric();
        Torus2QosConf conf = TestTorus.conf(torus.conf()).with(torus.balance);
        Torus placed = TestTorus.place(fabric, conf, 0);
        TorusRoutes routes = new TorusRoutes(placed, new TorusDestinations(placed, subnet, conf), true);
        HopReason reason = new HopReason(placed, new TorusSl2Vl(vls, vls, false, false));
        int destination = fabric.nodeByGuid(torus.guid(at));
        List<String> told = new ArrayList<>();
        int to = placed.slotOfSwitch(destination);
        int in = 0;
        int sw = fabric.nodeByGuid(torus.guid(from));
        while (sw != destination) {
            int slot = placed.slotOfSwitch(sw);
            int out = placed.group(slot, routes.nextGroup(slot, to, placed.side(to, 0)))[0];
            told.add(placed.formatPosition(placed.positionOf(slot)) + " " + reason.reason(sw, in, out, destination, 0));
            int far = fabric.peer(fabric.port(sw, out));
            sw = fabric.nodeOf(far);
            in = fabric.portNum(far);
        }
        return told;
    }

    private static int[] at(int... place) {
        return place;
    }

    @Test
    void tellsTheOrderOfDimensions() {
        assertThat(path(new TestTorus(6, 5, 1), at(1, 1, 0), 3, 3, 0))
                .containsExactly("(1,1,0) " + X_FIRST, "(2,1,0) " + X_FIRST, "(3,1,0) " + Y_NEXT, "(3,2,0) " + Y_NEXT);
        assertThat(path(new TestTorus(3, 3, 3), at(0, 0, 1), 0, 0, 0))
                .containsExactly("(0,0,1) -z  DOR: x and y are right, z last");
    }

    @Test
    void tellsWhereADatelineIsCrossed() {
        assertThat(path(new TestTorus(5, 5, 3), at(4, 0, 0), 1, 4, 0))
                .containsExactly(
                        "(4,0,0) +x  DOR: x first; crosses the dateline",
                        "(0,0,0) +x  DOR: x first",
                        "(1,0,0) -y  DOR: x is right, y next; crosses the dateline");
    }

    @Test
    void tellsTheLongWayRoundABrokenRing() {
        TestTorus torus = new TestTorus(6, 5, 1);
        torus.fabric.removeCables(torus.guid(1, 1, 0), torus.guid(2, 1, 0));
        String broken = "the ring (*,1,0) is broken between (1,1,0) and (2,1,0)";
        assertThat(path(torus, at(1, 1, 0), 3, 3, 0))
                .containsExactly(
                        "(1,1,0) -x  long way round: " + broken,
                        "(0,1,0) -x  long way round: " + broken
                                + "; crosses the dateline, which does not count since the ring is broken",
                        "(5,1,0) -x  DOR: x first",
                        "(4,1,0) -x  DOR: x first",
                        "(3,1,0) " + Y_NEXT,
                        "(3,2,0) " + Y_NEXT);
    }

    @Test
    void findsTheBreakFurtherOnAndAMissingSwitchInTheWay() {
        TestTorus cut = new TestTorus(6, 5, 1);
        cut.fabric.removeCables(cut.guid(2, 1, 0), cut.guid(3, 1, 0));
        assertThat(path(cut, at(1, 1, 0), 3, 3, 0).get(0))
                .isEqualTo("(1,1,0) -x  long way round: the ring (*,1,0) is broken between (2,1,0) and (3,1,0)");
        TestTorus missing = new TestTorus(5, 5, 3);
        missing.fabric.remove(missing.guid(2, 1, 1));
        assertThat(path(missing, at(1, 1, 1), 3, 1, 1))
                .containsExactly(
                        "(1,1,1) -x  long way round: the ring (*,1,1) is broken at (2,1,1), whose switch is missing",
                        "(0,1,1) -x  DOR: x first; crosses the dateline, which does not count since the ring is broken",
                        "(4,1,1) -x  DOR: x first");
    }

    @Test
    void tellsEarlyAndIllegalTurns() {
        TestTorus torus = new TestTorus(6, 5, 1);
        torus.fabric.remove(torus.guid(3, 1, 0));
        assertThat(path(torus, at(1, 1, 0), 3, 3, 0))
                .containsExactly(
                        "(1,1,0) +x  towards the missing switch at (3,1,0), to turn beside it",
                        "(2,1,0) +y  early turn: the switch at (3,1,0), where it would turn, is missing",
                        "(2,2,0) +x  illegal turn y to x on VL bit 1",
                        "(3,2,0) " + Y_NEXT);
    }

    @Test
    void staysInALaterDimensionWhileSwitchesAreMissing() {
        TestTorus torus = new TestTorus(1, 6, 6);
        torus.fabric.remove(torus.guid(0, 3, 1));
        torus.fabric.remove(torus.guid(0, 3, 2));
        assertThat(path(torus, at(0, 1, 1), 0, 3, 4))
                .containsExactly(
                        "(0,1,1) +y  towards the missing switch at (0,3,1), to turn beside it",
                        "(0,2,1) +z  early turn: the switch at (0,3,1), where it would turn, is missing",
                        "(0,2,2) +z  no way back to y yet: the switch at (0,3,2), where it would turn, is missing",
                        "(0,2,3) +y  illegal turn z to y on VL bit 1",
                        "(0,3,3) +z  DOR: x and y are right, z last");
    }

    @Test
    void explainsTwoMissingSwitchesOutsideTheLastDimension() {
        TestTorus torus = new TestTorus(6, 6, 1);
        torus.fabric.remove(torus.guid(3, 1, 0));
        torus.fabric.remove(torus.guid(4, 1, 0));
        assertThat(path(torus, at(1, 1, 0), 4, 3, 0))
                .containsExactly(
                        "(1,1,0) +x  towards the missing switch at (4,1,0), to turn beside it",
                        "(2,1,0) +y  early turn: the switch at (4,1,0), where it would turn, is missing",
                        "(2,2,0) +x  illegal turn y to x on VL bit 1",
                        "(3,2,0) " + X_FIRST,
                        "(4,2,0) " + Y_NEXT);
    }

    @Test
    void saysThatTurnsShareVlsWhereTheyAreFew() {
        TestTorus torus = new TestTorus(6, 5, 1);
        torus.fabric.remove(torus.guid(3, 1, 0));
        assertThat(path(torus, 2, at(1, 1, 0), 3, 3, 0))
                .contains("(2,2,0) +x  illegal turn y to x, with too few VLs to tell it from others");
    }

    @Test
    void knowsThatAMeshHasOneWayOnly() {
        TestTorus mesh = new TestTorus(new int[] {5, 4, 1}, "xy", 1, 1, null);
        assertThat(path(mesh, at(0, 0, 0), 4, 0, 0)).hasSize(4).allMatch(hop -> hop.endsWith(" " + X_FIRST));
    }

    @Test
    void reportsTurnsForcedByALineThatIsBrokenTwice() {
        TestTorus torus = new TestTorus(6, 6, 1);
        torus.fabric.removeCables(torus.guid(1, 1, 0), torus.guid(2, 1, 0));
        torus.fabric.removeCables(torus.guid(4, 1, 0), torus.guid(5, 1, 0));
        assertThat(path(torus, at(1, 1, 0), 3, 3, 0).get(0))
                .isEqualTo("(1,1,0) +y  early turn: (3,1,0) cannot be reached, the ring (*,1,0) is broken between"
                        + " (1,1,0) and (2,1,0)");
    }

    @Test
    void reportsTiesThatAreSplit() {
        TestTorus torus = new TestTorus(6, 5, 1);
        torus.balance = Balance.TIES;
        assertThat(path(torus, at(3, 1, 0), 0, 1, 0))
                .containsExactly(
                        "(3,1,0) -x  DOR: x first; both ways are equally long, dateline bit 0 on either",
                        "(2,1,0) -x  DOR: x first",
                        "(1,1,0) -x  DOR: x first");
        assertThat(path(torus, at(0, 1, 0), 3, 1, 0))
                .containsExactly(
                        "(0,1,0) -x  DOR: x first; both ways are equally long, dateline bit 0 on either; crosses the dateline",
                        "(5,1,0) -x  DOR: x first",
                        "(4,1,0) -x  DOR: x first");
    }

    /** With one_sl, a path takes the longer way if the shorter one passes by both 0 and 1. */
    @Test
    void reportsTheLongerWayForOneSl() {
        TestTorus torus = new TestTorus(7, 5, 1);
        torus.balance = Balance.ONE_SL;
        assertThat(path(torus, at(6, 1, 0), 2, 1, 0))
                .hasSize(4)
                .startsWith(
                        "(6,1,0) -x  DOR: x first; the longer way round, since with one_sl no path passes by both 0 and 1",
                        "(5,1,0) -x  DOR: x first")
                .allMatch(hop -> hop.contains(" -x "));
        torus.balance = Balance.OFF;
        assertThat(path(torus, at(6, 1, 0), 2, 1, 0)).hasSize(3).noneMatch(hop -> hop.contains("longer"));
    }

    @Test
    void matchesThePlan() {
        TestTorus torus = new TestTorus(6, 5, 1);
        Plan plan = torus.plan(torus.conf());
        Subnet subnet = plan.subnet();
        Fabric fabric = subnet.fabric();
        int sw = fabric.nodeByGuid(torus.guid(1, 1, 0));
        int toHost = subnet.lid(fabric.peer(fabric.port(sw, 7)));
        int toSwitch = subnet.lid(fabric.port(fabric.nodeByGuid(torus.guid(3, 3, 0)), 0));
        assertThat(plan.explainer().explainHop(sw, 7, 1, toSwitch)).isEqualTo(X_FIRST);
        assertThat(plan.explainer().explainHop(sw, 1, 7, toHost)).isEqualTo("delivery to host port");
        assertThat(plan.explainer().explainHop(sw, 1, 0, subnet.lid(fabric.port(sw, 0))))
                .isEqualTo("delivery to port 0");
        assertThat(plan.explainer().explainHop(sw, 7, 1, 0)).isEmpty();
        assertThat(plan.explainer().explainHop(sw, 7, 7, toSwitch)).isEmpty();
    }
}
