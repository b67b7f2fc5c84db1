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
import io.torussm.routing.RoutingOptions;
import io.torussm.subnet.Subnet;
import io.torussm.testing.Sketch;
import io.torussm.testing.Subnets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A one-way ring of four switches with a dateline, and a hub beside it that is cabled to all of them and hangs. */
class StaleTrafficTest {
    private static final RoutingOptions QOS = new RoutingOptions(true, 5, 0);
    private static final int RING = 4;
    private static final int HUB = 4;
    private static final int DOWN = 1;
    private static final int UP = 2;
    private static final int HOST = 3;
    private static final int TO_HUB = 4;
    private static final int HUB_HOST = 5;

    private final Subnet wholeSubnet = Subnets.of(fabric());
    private final Plan previousPlan = wholePlan();
    private final Plan plan = ring(withoutHub(wholeSubnet)).plan();
    private final Verdict verdict = new DeadlockChecker(1).check(plan, QOS);

    private static Fabric fabric() {
        Sketch sketch = new Sketch();
        for (int sw = 0; sw < RING; sw++) {
            sketch.addSwitch("sw" + sw, 4);
        }
        sketch.addSwitch("hub", 5);
        for (int sw = 0; sw < RING; sw++) {
            sketch.link(sw, UP, (sw + 1) % RING, DOWN);
            sketch.link(sw, TO_HUB, HUB, sw + 1);
            sketch.addHost(sw, HOST);
        }
        sketch.addHost(HUB, HUB_HOST);
        return sketch.build();
    }

    private static Subnet withoutHub(Subnet whole) {
        FabricBuilder rest = FabricBuilder.of(whole.fabric());
        for (int portNum = 1; portNum <= RING; portNum++) {
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
        PlanSketch plan = ring(wholeSubnet);
        plan.masks = (from, to) -> 1;
        return plan.plan();
    }

    /** The hub hands packets to the ring so that they have some hops to go. */
    private byte[] table(int hops) {
        byte[] lft = new byte[wholeSubnet.topLid() + 1];
        Arrays.fill(lft, (byte) 0xff);
        for (int lid = 1; lid <= wholeSubnet.topLid(); lid++) {
            int to = wholeSubnet.switchOfLid(lid);
            if (to < RING) {
                lft[lid] = (byte) (Math.floorMod(to - hops, RING) + 1);
            }
        }
        return lft;
    }

    @Test
    void aCycleThroughASwitchThatHangsIsReportedAndRefusesNothing() {
        assertThat(verdict).isInstanceOf(Certificate.class);
        List<Finding> findings = StaleTraffic.findings(plan, verdict, QOS, previousPlan, Map.of(HUB, table(3)));
        assertThat(findings)
                .extracting(Finding::event)
                .containsExactly(SmEvent.PROOF_LIMITED, SmEvent.STALE_CREDIT_LOOP);
        assertThat(findings).allMatch(finding -> finding.text().contains("hub"));
    }

    @Test
    void uncoveredTrafficWithoutACycleIsOnlyReportedAsUncovered() {
        assertThat(StaleTraffic.findings(plan, verdict, QOS, previousPlan, Map.of(HUB, table(1))))
                .extracting(Finding::event)
                .containsExactly(SmEvent.PROOF_LIMITED);
        assertThat(StaleTraffic.findings(plan, verdict, QOS, previousPlan, Map.of()))
                .isEmpty();
    }
}
