package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.SwitchInfo;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The reuse of a plan for another fabric, if only hosts or leaf switches leave or return; any other change is routed. A
 * leaf switch is the last one of a row of four, with its hosts: no path of other hosts uses it.
 */
class PlanReuseTest extends LocalSweepCase {
    private static final String HOST = "host-2-1-0-1";
    private static final int LAST_OF_ROW = 3;

    private static SweepHarness row() {
        SweepHarness row = new SweepHarness("torus:4x1x1,mesh=x,hosts=2");
        row.sweep();
        return row;
    }

    private long routings() {
        return harness.sweeper.counts().routings();
    }

    private int lidOfHost() {
        Fabric discovered = fabric(harness);
        return harness.publishedView().subnet().lid(discovered.port(discovered.nodeByGuid(guid(HOST)), 1));
    }

    @Test
    void aHostThatRestartsCostsNoRoutingAndNoForwardingEntry() {
        harness.sweep();
        long host = guid(HOST);
        int lid = lidOfHost();
        long routings = routings();
        harness.requests.clear();
        harness.fabric.unlink(host, 1);
        settle(harness);
        assertThat(fabric(harness).nodeByGuid(host)).isEqualTo(Fabric.NONE);
        assertThat(harness.publishedView().plan().asRouted())
                .isNotSameAs(harness.publishedView().plan());
        SweeperTest.assertHeld(harness);
        harness.fabric.relink(host, 1);
        settle(harness);
        assertThat(lidOfHost()).isEqualTo(lid);
        assertThat(routings()).isEqualTo(routings);
        assertThat(harness.countSets(LinearForwardingTable.TYPE.id())).isZero();
        SweeperTest.assertHeld(harness);
        assertIsAsAWholeSweepSeesIt(harness);
    }

    @Test
    void aLeafSwitchThatRestartsCostsNoRoutingAndNoEntryElsewhere() {
        SweepHarness row = row();
        List<Object> before = Devices.snapshot(row);
        long leaf = fabric(row).nodeGuid(LAST_OF_ROW);
        long routings = row.sweeper.counts().routings();
        row.requests.clear();
        row.fabric.failSwitch(leaf);
        settle(row);
        assertThat(fabric(row).switchCount()).isEqualTo(3);
        assertThat(row.publishedView().plan().retention()).isEmpty();
        assertThat(row.countSets(LinearForwardingTable.TYPE.id())).isZero();
        SweeperTest.assertHeld(row);
        row.fabric.restoreSwitch(leaf);
        settle(row);
        assertIsAsBefore(row, routings, before);
    }

    /** A host of another switch leaves and returns before the leaf switch is lost, meanwhile, and after its return. */
    @Test
    void aHostThatRestartsWhileALeafSwitchIsLostCostsNoRouting() {
        SweepHarness row = row();
        List<Object> before = Devices.snapshot(row);
        long leaf = fabric(row).nodeGuid(LAST_OF_ROW);
        int hostPort = row.hosts().get(3);
        long host = fabric(row).nodeGuid(fabric(row).nodeOf(hostPort));
        long routings = row.sweeper.counts().routings();
        row.fabric.unlink(host, 1);
        settle(row);
        row.fabric.failSwitch(leaf);
        settle(row);
        row.fabric.relink(host, 1);
        settle(row);
        row.fabric.unlink(host, 1);
        settle(row);
        row.fabric.restoreSwitch(leaf);
        settle(row);
        row.fabric.relink(host, 1);
        settle(row);
        assertIsAsBefore(row, routings, before);
    }

    @Test
    void theLossOfATransitSwitchStartsRouting() {
        harness.sweep();
        long routings = routings();
        harness.fabric.failSwitch(guid("sw-1-1-0"));
        settle(harness);
        assertThat(routings()).isGreaterThan(routings);
        assertIsAsAWholeSweepSeesIt(harness);
    }

    /**
     * The last LID is that of the last host. Tables do not shrink when it leaves; the one Set clears PortStateChange.
     */
    @Test
    void theLossOfTheHostWithTheTopLidWritesNoTable() {
        long last = guid(HOST);
        harness.fabric.unlink(last, 1);
        harness.sweep();
        harness.fabric.relink(last, 1);
        settle(harness);
        int top = harness.publishedView().subnet().topLid();
        Fabric fabric = fabric(harness);
        int port = harness.publishedView().subnet().portOfLid(top);
        harness.requests.clear();
        harness.fabric.unlink(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port));
        settle(harness);
        assertThat(harness.publishedView().subnet().topLid()).isEqualTo(top);
        assertThat(harness.publishedView().subnet().portOfLid(top)).isEqualTo(Fabric.NONE);
        assertThat(takeRoutes(Method.SET, SwitchInfo.TYPE.id())).hasSize(1);
        SweeperTest.assertHeld(harness);
    }

    @Test
    void aNewHostStartsRouting() {
        long host = guid(HOST);
        harness.fabric.unlink(host, 1);
        harness.sweep();
        long routings = routings();
        harness.fabric.relink(host, 1);
        settle(harness);
        assertThat(routings()).isEqualTo(routings + 1);
        SweeperTest.assertHeld(harness);
        assertIsAsAWholeSweepSeesIt(harness);
    }

    private static void assertIsAsBefore(SweepHarness sweeps, long routings, List<Object> devices) {
        assertThat(sweeps.sweeper.counts().routings()).isEqualTo(routings);
        assertThat(Devices.snapshot(sweeps)).isEqualTo(devices);
        SweeperTest.assertHeld(sweeps);
        assertIsAsAWholeSweepSeesIt(sweeps);
    }
}
