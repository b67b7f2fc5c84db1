package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Hosts that leave and join are reported with the switch and the port of their cable. */
class HostChangesTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @Test
    void theEventsOfALostAndReturnedHostNameItsCable() {
        SweepHarness sm = new SweepHarness("torus:3x3x1");
        sm.sweep();
        Fabric whole = sm.publishedView().subnet().fabric();
        int host = SweepHarness.node(whole, "host-1-1-0-0");
        int far = whole.peer(whole.port(host, 1));
        sm.fabric.unlink(whole.nodeGuid(host), 1);
        sm.sweep();
        LoggedEvent gone = log.only(SmEvent.HOST_GONE);
        assertThat(gone.get(EventField.NAME)).contains("host-1-1-0-0");
        assertThat(gone.get(EventField.DESTINATION)).contains("sw-1-1-0").endsWith("port " + whole.portNum(far));
        assertThat(Integer.parseInt(gone.get(EventField.LID)))
                .isEqualTo(sm.sweeper
                        .state()
                        .absences()
                        .devices(sm.publishedView().subnet().fabric())
                        .iterator()
                        .next()
                        .end()
                        .lid());
        sm.sweep();
        assertThat(log.of(SmEvent.HOST_GONE)).as("once").hasSize(1);
        sm.loop.runFor(TimeUnit.SECONDS.toNanos(210));
        sm.fabric.relink(whole.nodeGuid(host), 1);
        sm.sweep();
        LoggedEvent back = log.only(SmEvent.HOST_BACK);
        assertThat(back.get(EventField.DESTINATION)).contains("sw-1-1-0").endsWith("port " + whole.portNum(far));
        assertThat(back.get(EventField.TEXT))
                .as("it is where it was")
                .matches(", at 4x [A-Z]+; it was away for 3 min 3\\d s");
        assertThat(back.get(EventField.STATE)).isEqualTo("back");
    }

    @Test
    void aHostThatWasNeverSeenIsNew() {
        SweepHarness sm = new SweepHarness("torus:3x3x1,hosts=2");
        long host = sm.topology.nodes().stream()
                .filter(node -> node.description().equals("host-1-1-0-1"))
                .findFirst()
                .orElseThrow()
                .nodeGuid();
        sm.fabric.unlink(host, 1);
        sm.sweep();
        sm.fabric.relink(host, 1);
        sm.sweep();
        assertThat(log.only(SmEvent.HOST_BACK).get(EventField.STATE)).isEqualTo("new");
    }

    @Test
    void manyHostsAreOneEventWithTheirNumberAndSwitch() {
        SweepHarness sm = new SweepHarness(
                TorusSpec.parse("torus:3x3x1,hosts=8").topology(), FaultPlan.NONE, SweepHarness.settings());
        sm.sweep();
        Fabric whole = sm.publishedView().subnet().fabric();
        int leaf = SweepHarness.node(whole, "sw-1-1-0");
        for (int port = 1; port <= whole.numPorts(leaf); port++) {
            int peer = whole.peer(whole.port(leaf, port));
            if (peer != Fabric.NONE && !whole.isSwitch(whole.nodeOf(peer))) {
                sm.fabric.unlink(whole.nodeGuid(leaf), port);
            }
        }
        sm.sweep();
        assertThat(log.of(SmEvent.HOST_GONE)).isEmpty();
        LoggedEvent gone = log.only(SmEvent.HOSTS_CHANGED);
        assertThat(gone.get(EventField.GONE)).isEqualTo("8");
        assertThat(gone.get(EventField.BACK)).isEqualTo("0");
        assertThat(gone.get(EventField.TEXT))
                .startsWith("8 hosts are gone, all cabled to ")
                .contains("\"sw-1-1-0\": \"host-1-1-0-")
                .endsWith(" and 3 more");
    }

    /** One event for all that a switch takes with it, and for all that returns with it. */
    @Test
    void hostsOfALostSwitchAreAPartOfItsEvent() {
        SweepHarness sm = new SweepHarness("torus:3x3x1,hosts=2");
        sm.sweep();
        Fabric whole = sm.publishedView().subnet().fabric();
        long leaf = whole.nodeGuid(SweepHarness.node(whole, "sw-1-1-0"));
        long host = whole.nodeGuid(SweepHarness.node(whole, "host-1-1-0-1"));
        sm.fabric.failSwitch(leaf);
        sm.sweep();
        assertThat(log.only(SmEvent.SWITCH_LOST).get(EventField.TEXT))
                .contains("with 2 hosts (\"host-1-1-0-0\", \"host-1-1-0-1\")");
        assertThat(log.of(SmEvent.HOST_GONE)).isEmpty();
        sm.fabric.restoreSwitch(leaf);
        sm.sweep();
        assertThat(log.of(SmEvent.HOST_BACK)).isEmpty();
        assertThat(log.only(SmEvent.SWITCH_BACK).get(EventField.TEXT))
                .contains(", with 2 hosts (\"host-1-1-0-0\", \"host-1-1-0-1\") and all 4 cables to switches, at 4x ");

        sm.fabric.failSwitch(leaf);
        sm.sweep();
        sm.fabric.unlink(host, 1);
        sm.fabric.restoreSwitch(leaf);
        sm.sweep();
        LoggedEvent gone = log.only(SmEvent.HOST_GONE);
        assertThat(gone.get(EventField.NAME))
                .as("it did not return")
                .contains("host-1-1-0-1")
                .endsWith("port 1");
        assertThat(gone.get(EventField.DESTINATION)).contains("sw-1-1-0");
        assertThat(log.of(SmEvent.SWITCH_BACK).get(1).get(EventField.TEXT))
                .contains(", with 1 host (\"host-1-1-0-0\") and all 4 cables");
        sm.fabric.relink(host, 1);
        sm.sweep();
        assertThat(log.only(SmEvent.HOST_BACK).get(EventField.NAME)).contains("host-1-1-0-1");
    }

    /** The links of hosts often train later than those of switches, also of more hosts than a line names. */
    @Test
    void aSwitchThatReturnsCountsOnlyTheHostsThatAreBack() {
        SweepHarness sm = new SweepHarness(
                TorusSpec.parse("torus:3x3x1,hosts=12").topology(), FaultPlan.NONE, SweepHarness.settings());
        sm.sweep();
        Fabric whole = sm.publishedView().subnet().fabric();
        long leaf = whole.nodeGuid(SweepHarness.node(whole, "sw-1-1-0"));
        sm.fabric.failSwitch(leaf);
        sm.sweep();
        assertThat(log.only(SmEvent.SWITCH_LOST).get(EventField.TEXT))
                .contains("with 12 hosts (")
                .contains(" and 4 more)");
        for (int host = 0; host < 12; host++) {
            if (host != 7) {
                sm.fabric.unlink(whole.nodeGuid(SweepHarness.node(whole, "host-1-1-0-" + host)), 1);
            }
        }
        sm.fabric.restoreSwitch(leaf);
        sm.sweep();
        assertThat(log.only(SmEvent.SWITCH_BACK).get(EventField.TEXT))
                .contains(", with 1 host (\"host-1-1-0-7\") and all 4 cables");
    }
}
