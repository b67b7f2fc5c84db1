package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.program.smp.SweepSettings;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.Outcome;
import io.torussm.transport.SmpRequest;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Switches that stop responding, restart or return at the worst moment of a sweep. */
class UnsteadySwitchTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    /** The time of all tries of one request of the harness. */
    private static final long ALL_TRIES_NS = TimeUnit.MILLISECONDS.toNanos(100 * 127);

    private static long guid(SweepHarness harness, String description) {
        return harness.node(description).nodeGuid();
    }

    private static int lid(SweepHarness harness, String description) {
        Subnet subnet = harness.publishedView().subnet();
        Fabric fabric = subnet.fabric();
        return subnet.lid(fabric.port(fabric.nodeByGuid(guid(harness, description)), 0));
    }

    private static String route(SweepHarness harness, long guid) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        return String.valueOf(fabric.node(fabric.nodeByGuid(guid)).path());
    }

    private static boolean isSet(byte[] mad, int attributeId) {
        return MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == attributeId;
    }

    private static boolean isTo(byte[] mad, String route) {
        return String.valueOf(Smp.path(mad)).equals(route);
    }

    @Test
    void aDeviceThatWasGivenUpStaysSoThoughItAnswersAgain() {
        ProgrammingErrors errors = new ProgrammingErrors();
        SmpRequest<SwitchInfo> asked = SmpRequest.get(SwitchInfo.TYPE, DrPath.LOCAL, 0, outcome -> {});
        Outcome<SwitchInfo> silence = new Outcome.Failure<>(Outcome.FailureReason.TIMEOUT, 0);
        Outcome<SwitchInfo> answer = new Outcome.Reply<>(SwitchInfo.TYPE.zero());
        errors.recordOutcome(1, asked, silence);
        errors.recordOutcome(1, asked, silence);
        errors.recordOutcome(1, asked, answer);
        errors.recordOutcome(1, asked, silence);
        errors.recordOutcome(1, asked, silence);
        assertThat(errors.hasGivenUp(1)).isFalse();
        errors.recordOutcome(1, asked, silence);
        assertThat(errors.hasGivenUp(1)).isTrue();
        errors.recordOutcome(1, asked, answer);
        assertThat(errors.hasGivenUp(1)).isTrue();
    }

    /**
     * PortStateChange of the switch is cleared after the restart, and a link to a host comes up in the same sweep. So
     * the switch looks as if it had been up all the time.
     */
    @Test
    void aSwitchThatRestartsDuringAFailedSweepIsReadByTheNext() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        assertThat(harness.sweep()).isEqualTo("up");
        long mute = guid(harness, "sw-2-2-0");
        String route = route(harness, mute);
        long restarting = guid(harness, "sw-1-1-0");
        for (var node : harness.topology.nodes()) {
            if (node.isSwitch() && !node.description().equals("sw-0-0-0")) {
                harness.fabric.failSwitch(node.nodeGuid());
                harness.fabric.restoreSwitch(node.nodeGuid());
            }
        }
        boolean[] isDone = {false};
        harness.isRequestLost = mad -> {
            if (isSet(mad, SwitchInfo.TYPE.id()) && !isDone[0]) {
                isDone[0] = true;
                harness.fabric.failSwitch(restarting);
                harness.fabric.restoreSwitch(restarting);
            }
            return isSet(mad, LinearForwardingTable.TYPE.id()) && isTo(mad, route);
        };
        assertThat(harness.sweep()).startsWith("failed");
        assertThat(isDone[0]).isTrue();
        harness.isRequestLost = mad -> false;
        assertThat(harness.sweep()).isEqualTo("up");
        SweeperTest.assertHeld(harness);
    }

    /** The switch reports its previous LinearFDBTop, and then ports in INITIALIZE. */
    @Test
    void aSwitchThatRestartsDuringItsReadIsProgrammedAfterThatSweep() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        long restarting = guid(harness, "sw-1-1-0");
        String route = route(harness, restarting);
        boolean[] isDone = {false};
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == SwitchInfo.TYPE.id() && isTo(mad, route) && !isDone[0]) {
                isDone[0] = true;
                harness.fabric.failSwitch(restarting);
                harness.fabric.restoreSwitch(restarting);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(isDone[0]).isTrue();
        SweeperTest.assertHeld(harness);
    }

    /**
     * There is no LID of this SM yet to which a trap could be sent, and ports are in INITIALIZE before and
     * after.
     */
    @Test
    void aSwitchThatRestartsAfterItsFirstTablesWereWrittenIsFoundByALook() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        long restarting = guid(harness, "sw-1-1-0");
        harness.fabric.onRequest(PKeyTable.TYPE.id(), Method.GET, 1, () -> {
            harness.fabric.failSwitch(restarting);
            harness.fabric.restoreSwitch(restarting);
        });
        assertThat(harness.sweep()).isEqualTo("up");
        harness.awaitRest();
        harness.sweeper.startLightSweep();
        harness.await(2);
        SweeperTest.assertHeld(harness);
    }

    /** The ports of the switch are read while they are ACTIVE, and the peer ports later. Traps are lost. */
    @Test
    void aRestartSeenInASwitchCausesAReadWithoutAReport() {
        SweepHarness harness = new SweepHarness("torus:4x3x1");
        harness.sweep();
        long restarting = guid(harness, "sw-1-0-0");
        String route = route(harness, restarting);
        harness.isInboundLost = mad -> true;
        int[] ports = {0};
        harness.changeResponse = mad -> {
            boolean isPort = MadHeader.attributeId(mad) == PortInfo.TYPE.id() && isTo(mad, route);
            if (isPort && ports[0]++ == harness.node("sw-1-0-0").numPorts()) {
                harness.fabric.failSwitch(restarting);
                harness.fabric.restoreSwitch(restarting);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        harness.changeResponse = mad -> {};
        harness.awaitRest();
        SweeperTest.assertHeld(harness);
    }

    @Test
    void aRerouteAfterASweepThatFailedReadsTheFabricAgain() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        long guid = guid(harness, "sw-1-1-0");
        String route = route(harness, guid);
        harness.isRequestLost = mad -> isSet(mad, LinearForwardingTable.TYPE.id()) && isTo(mad, route);
        harness.fabric.unlink(guid, 1);
        harness.await(2);
        assertThat(harness.ends).last().asString().startsWith("failed");
        harness.isRequestLost = mad -> false;
        harness.requests.clear();
        harness.sweeper.reroute();
        harness.await(3);
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(harness.requests).anyMatch(mad -> MadHeader.attributeId(mad) == NodeInfo.TYPE.id());
        SweeperTest.assertHeld(harness);
    }

    /** Two switches are probed; one has lost its last link when it answers, the other is silent. */
    @Test
    void aSwitchThatAnswersAfterItWasForgottenDoesNoHarm() {
        SweepHarness harness = new SweepHarness("torus:5x4x1");
        harness.sweep();
        long silent = guid(harness, "sw-2-2-0");
        for (int port = 1; port <= 4; port++) {
            harness.fabric.setLoss(silent, port, 1);
        }
        harness.fabric.unlink(silent, 1);
        harness.sweeper.sweepNeighbourhood(lid(harness, "sw-3-2-0"));
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
        long forgotten = guid(harness, "sw-4-3-0");
        harness.fabric.failSwitch(forgotten);
        for (String neighbour : List.of("sw-3-3-0", "sw-0-3-0", "sw-4-2-0", "sw-4-0-0")) {
            harness.sweeper.sweepNeighbourhood(lid(harness, neighbour));
        }
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(50));
        harness.fabric.restoreSwitch(forgotten);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        for (int port = 1; port <= 4; port++) {
            harness.fabric.setLoss(silent, port, 0);
        }
        harness.fabric.relink(silent, 1);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
        harness.awaitRest();
        assertThat(log.of(SmEvent.SWEEP_ABANDONED)).isEmpty();
        assertThat(harness.sweep()).isEqualTo("up");
        SweeperTest.assertHeld(harness);
    }

    /** The requests that it leaves unanswered in one stage are not repeated in the next. */
    @Test
    void aSwitchThatFallsSilentCostsASweepThePatienceForOneRequest() {
        SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=3");
        harness.sweep();
        String route = route(harness, guid(harness, "sw-1-1-0"));
        harness.settings = withOtherHoqLife(harness.settings);
        harness.restart();
        boolean[] isSilent = {false};
        harness.isRequestLost = mad -> {
            isSilent[0] |= MadHeader.attributeId(mad) == PKeyTable.TYPE.id();
            return isSilent[0] && isTo(mad, route);
        };
        long beganNs = harness.loop.nowNs();
        harness.sweep();
        assertThat(isSilent[0]).isTrue();
        assertThat(harness.loop.nowNs() - beganNs).isBetween(ALL_TRIES_NS, ALL_TRIES_NS * 3 / 2);
    }

    /** Returns settings that differ for every port of a switch. */
    static SweepSettings withOtherHoqLife(SweepSettings of) {
        LinkSettings links = of.links();
        return new SweepSettings(
                of.gidPrefix(),
                of.lmc(),
                of.lmcEsp0(),
                of.reassignLids(),
                of.mKey(),
                of.mKeyLeasePeriod(),
                of.mKeyProtectBits(),
                of.subnetTimeout(),
                of.packetLifeTime(),
                new LinkSettings(
                        links.maxOpVls(),
                        links.hoqLife() - 1,
                        links.leafHoqLife() - 1,
                        links.vlStallCount(),
                        links.leafVlStallCount(),
                        links.localPhyErrors(),
                        links.overrunErrors()),
                of.qos(),
                of.smSl(),
                of.disablesBabblers());
    }
}
