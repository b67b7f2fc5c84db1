package io.torussm.deadlock.transition;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.Verdict;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.Plan;
import io.torussm.routing.PlanSketch;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import io.torussm.testing.TestRouting;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A one-way ring of four switches with a dateline, and a hub beside it that is cabled to all of them and hangs. */
class StaleTrafficTest {
    private static final int RING = 4;
    private static final int HUB = 4;
    private static final int DOWN = 1;
    private static final int UP = 2;
    private static final int HOST = 3;
    private static final int TO_HUB = 4;
    private static final int HUB_HOST = 1;

    private final Subnet wholeSubnet = Subnets.of(fabric());
    private final Plan previousPlan = wholePlan();
    private final Plan plan = ring(withoutHub(wholeSubnet)).plan();
    private final Verdict verdict = new DeadlockChecker(1).check(plan, TestRouting.QOS);

    private static Fabric fabric() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < RING; sw++) {
            sketch.addSwitch("sw" + sw, 4);
        }
        sketch.addSwitch("hub", 5);
        sketch.addHost(HUB, HUB_HOST);
        for (int sw = 0; sw < RING; sw++) {
            sketch.link(sw, UP, (sw + 1) % RING, DOWN);
            sketch.link(sw, TO_HUB, HUB, hubPort(sw));
            sketch.addHost(sw, HOST);
        }
        return sketch.build();
    }

    private static Subnet withoutHub(Subnet whole) {
        FabricBuilder rest = FabricBuilder.of(whole.fabric());
        for (int portNum = 1; portNum <= hubPort(RING - 1); portNum++) {
            rest.unlink(whole.fabric().nodeGuid(HUB), portNum);
        }
        rest.retrace();
        Fabric fabric = rest.build();
        int[] lids = new int[fabric.portCount()];
        for (int port = 0; port < lids.length; port++) {
            int node = whole.fabric().nodeByGuid(fabric.nodeGuid(fabric.nodeOf(port)));
            lids[port] = whole.lid(whole.fabric().port(node, fabric.portNum(port)));
        }
        return new Subnet(fabric, lids, new byte[lids.length], Subnets.DEFAULT_PREFIX);
    }

    /** Always up; SL 1 for paths over the cable from the last switch to the first, which take VL 1 from there on. */
    private static PlanSketch ring(Subnet subnet) {
        PlanSketch plan = new PlanSketch(subnet);
        for (int sw = 0; sw < RING; sw++) {
            for (int lid = 1; lid <= subnet.topLid(); lid++) {
                if (subnet.portOfLid(lid) != Fabric.NONE && subnet.switchOfLid(lid) != sw) {
                    plan.lfts[sw][lid] = UP;
                }
            }
        }
        plan.masks = (from, to) -> from > to ? 2 : 1;
        plan.rows = (sw, in, out) -> {
            int[] vls = new int[16];
            vls[1] = sw == 3 || sw == 0 || sw == 1 && in == DOWN ? 1 : 0;
            return SlToVlMappingTable.pack(vls);
        };
        return plan;
    }

    private Plan wholePlan() {
        return wholePlan(1);
    }

    private Plan wholePlan(int sls) {
        PlanSketch plan = ring(wholeSubnet);
        plan.masks = (from, to) -> sls;
        return plan.plan();
    }

    /** Returns the port of the hub with the cable to a switch of the ring. */
    private static int hubPort(int sw) {
        return sw + 2;
    }

    private static byte[] only(byte[] lft, int lid) {
        byte[] one = new byte[lft.length];
        Arrays.fill(one, (byte) 0xff);
        one[lid] = lft[lid];
        return one;
    }

    private List<SmEvent> events(int sls, byte[] lft) {
        return events(sls, Map.of(HUB, lft));
    }

    private List<SmEvent> events(int sls, Map<Integer, byte[]> stale) {
        return StaleTraffic.findings(plan, verdict, TestRouting.QOS, wholePlan(sls), stale).stream()
                .map(Finding::event)
                .toList();
    }

    /** Returns a table of the hub, which forwards packets to the ring some hops before their destination. */
    private byte[] table(int hops) {
        byte[] lft = new byte[wholeSubnet.topLid() + 1];
        Arrays.fill(lft, (byte) 0xff);
        for (int lid = 1; lid <= wholeSubnet.topLid(); lid++) {
            int to = wholeSubnet.switchOfLid(lid);
            if (to < RING) {
                lft[lid] = (byte) hubPort(Math.floorMod(to - hops, RING));
            }
        }
        return lft;
    }

    @Test
    void aCycleThroughASwitchThatHangsIsReportedAndRefusesNothing() {
        assertThat(verdict).isInstanceOf(Certificate.class);
        List<Finding> findings =
                StaleTraffic.findings(plan, verdict, TestRouting.QOS, previousPlan, Map.of(HUB, table(3)));
        assertThat(findings)
                .extracting(Finding::event)
                .containsExactly(SmEvent.PROOF_LIMITED, SmEvent.STALE_CREDIT_LOOP);
        assertThat(findings).allMatch(finding -> finding.text().contains("hub"));
    }

    @Test
    void uncoveredTrafficWithoutACycleIsOnlyReportedAsUncovered() {
        assertThat(StaleTraffic.findings(plan, verdict, TestRouting.QOS, previousPlan, Map.of(HUB, table(1))))
                .extracting(Finding::event)
                .containsExactly(SmEvent.PROOF_LIMITED);
        assertThat(StaleTraffic.findings(plan, verdict, TestRouting.QOS, previousPlan, Map.of()))
                .isEmpty();
    }

    /** SL 0 stays on VL 0. SL 1 begins on VL 1 at the first switch, and changes to VL 0 at the third. */
    @Test
    void packetsOfEverySlAreFollowed() {
        int top = wholeSubnet.topLid();
        assertThat(wholeSubnet.switchOfLid(top)).isEqualTo(RING - 1);
        assertThat(events(0, table(3))).containsExactly(SmEvent.PROOF_LIMITED);
        assertThat(events(0b01, only(table(3), top))).containsExactly(SmEvent.PROOF_LIMITED);
        assertThat(events(0b10, only(table(3), top))).containsExactly(SmEvent.PROOF_LIMITED, SmEvent.STALE_CREDIT_LOOP);
        assertThat(events(0b11, only(table(3), top))).containsExactly(SmEvent.PROOF_LIMITED, SmEvent.STALE_CREDIT_LOOP);
    }

    /** On VL 0, packets to the first switch pass the two before it; those to the second the last and the first. */
    @Test
    void packetsToTwoLidsCanCloseACycleTogether() {
        int toFirst = wholeSubnet.lid(wholeSubnet.fabric().port(0, 0));
        int toSecond = wholeSubnet.lid(wholeSubnet.fabric().port(1, 0));
        byte[] both = only(table(2), toFirst);
        assertThat(events(1, both)).containsExactly(SmEvent.PROOF_LIMITED);
        assertThat(events(1, only(table(2), toSecond))).containsExactly(SmEvent.PROOF_LIMITED);
        both[toSecond] = table(2)[toSecond];
        assertThat(events(1, both)).containsExactly(SmEvent.PROOF_LIMITED, SmEvent.STALE_CREDIT_LOOP);
        assertThat(events(0b10, table(2))).containsExactly(SmEvent.PROOF_LIMITED);
    }

    /** On VL 0, only packets to the second switch pass the third, the last and the first one. */
    @Test
    void packetsToEveryLidAreFollowed() {
        for (int lid = 1; lid <= wholeSubnet.topLid(); lid++) {
            assertThat(events(1, only(table(3), lid)).contains(SmEvent.STALE_CREDIT_LOOP))
                    .as("LID %d", lid)
                    .isEqualTo(wholeSubnet.switchOfLid(lid) == 1);
        }
    }

    @Test
    void packetsThatAStaleSwitchDropsAreHarmless() {
        assertThat(events(1, Arrays.copyOf(table(3), 2))).containsExactly(SmEvent.PROOF_LIMITED);
        byte[] lft = table(3);
        Arrays.fill(lft, (byte) (hubPort(RING - 1) + 1));
        assertThat(events(1, lft)).as("no such port").containsExactly(SmEvent.PROOF_LIMITED);
        Arrays.fill(lft, (byte) 0);
        assertThat(events(1, lft)).as("port 0").containsExactly(SmEvent.PROOF_LIMITED);
        Arrays.fill(lft, (byte) HUB_HOST);
        assertThat(events(1, lft)).as("a host").containsExactly(SmEvent.PROOF_LIMITED);
    }

    /** The hub and the first switch are stale and send all packets to each other. */
    @Test
    void packetsThatStayBetweenStaleSwitchesAreHarmless() {
        byte[] hub = new byte[wholeSubnet.topLid() + 1];
        Arrays.fill(hub, (byte) hubPort(0));
        byte[] first = new byte[wholeSubnet.topLid() + 1];
        Arrays.fill(first, (byte) TO_HUB);
        assertThat(events(1, Map.of(HUB, hub, 0, first))).containsExactly(SmEvent.PROOF_LIMITED, SmEvent.PROOF_LIMITED);
    }
}
