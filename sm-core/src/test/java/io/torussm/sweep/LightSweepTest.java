package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.LoggedEvents;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The changes that light sweeps find, and those that they ignore. */
class LightSweepTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @Test
    void switchesThatDoNotRespondAreAWarningThatNamesTwo() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        harness.isRequestLost =
                mad -> MadHeader.attributeId(mad) == SwitchInfo.TYPE.id() && MadHeader.HOP_COUNT.get(mad, 0) == 2;
        harness.sweepLight();
        harness.awaitRest();
        LoggedEvents.LoggedEvent silent = log.only(SmEvent.SWITCHES_SILENT);
        assertThat(silent.get(EventField.COUNT)).isEqualTo("4");
        assertThat(silent.get(EventField.NAME)).contains("sw-");
        assertThat(silent.get(EventField.TEXT)).startsWith(", ").contains("sw-").endsWith(" and 2 more");
        assertThat(log.of(SmEvent.DEVICES_CHANGED)).isEmpty();
    }

    @Test
    void twoChangedSwitchesAreNamed() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        harness.awaitRest();
        Fabric fabric = harness.publishedView().subnet().fabric();
        Set<String> changedPaths = new HashSet<>();
        changedPaths.add(String.valueOf(fabric.node(3).path()));
        changedPaths.add(String.valueOf(fabric.node(5).path()));
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == SwitchInfo.TYPE.id()
                    && changedPaths.remove(String.valueOf(Smp.path(mad)))) {
                SwitchInfo.TYPE
                        .read(mad, Smp.DATA_OFFSET)
                        .with(SwitchInfo.PORT_STATE_CHANGE, 1)
                        .write(mad, Smp.DATA_OFFSET);
            }
        };
        harness.sweepLight();
        harness.awaitRest();
        LoggedEvents.LoggedEvent changed = log.only(SmEvent.DEVICES_CHANGED);
        assertThat(changed.get(EventField.COUNT)).isEqualTo("2");
        assertThat(changed.get(EventField.TEXT)).startsWith(" and ").contains("sw-");
        assertThat(log.of(SmEvent.SWITCHES_SILENT)).isEmpty();
    }

    /** Loses a cable and brings it back repeatedly, so that the traps of both ends are damped. */
    private static void flap(SweepHarness harness, long guid) {
        for (int change = 0; change < 12; change++) {
            if (change % 2 == 0) {
                harness.fabric.unlink(guid, 1);
            } else {
                harness.fabric.relink(guid, 1);
            }
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        }
    }

    @Test
    void theEndsOfAFlappingLinkAreNoSecondReport() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        flap(harness, harness.node("sw-1-1-0").nodeGuid());
        harness.sweeper.sweepLight();
        harness.awaitRest();
        log.only(SmEvent.LINK_FLAPPING);
        assertThat(log.of(SmEvent.DEVICES_CHANGED)).isEmpty();
    }

    /** A switch that hangs is reported when its link no longer explains it. */
    @Test
    void theSilentEndOfAFlappingLinkIsReportedWhenTheLinkIsQuiet() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        long guid = harness.node("sw-1-1-0").nodeGuid();
        flap(harness, guid);
        harness.awaitRest();
        long[] silentUntilNs = {harness.loop.nowNs() + TimeUnit.SECONDS.toNanos(10)}; // all tries of a light sweep
        harness.isRequestLost = mad -> harness.loop.nowNs() < silentUntilNs[0]
                && MadHeader.attributeId(mad) == SwitchInfo.TYPE.id()
                && isTo(mad, harness.publishedView().subnet().fabric(), guid);
        harness.sweepLight();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(15));
        assertThat(log.of(SmEvent.LINK_QUIET)).isEmpty();
        assertThat(log.of(SmEvent.SWITCHES_SILENT)).isEmpty();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(40));
        log.only(SmEvent.LINK_QUIET);
        silentUntilNs[0] = harness.loop.nowNs() + TimeUnit.SECONDS.toNanos(10);
        harness.sweepLight();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(15));
        assertThat(log.only(SmEvent.SWITCHES_SILENT).get(EventField.NAME)).contains("sw-1-1-0");
    }

    private static boolean isTo(byte[] mad, Fabric fabric, long guid) {
        int node = fabric.nodeByGuid(guid);
        return node != Fabric.NONE
                && String.valueOf(Smp.path(mad))
                        .equals(String.valueOf(fabric.node(node).path()));
    }

    /** The first sweep of a large fabric takes longer than the interval of light sweeps. */
    @Test
    void aLightSweepDueDuringAnotherSweepIsDropped() {
        SweepHarness harness = new SweepHarness("torus:3x3x2,hosts=2");
        harness.sweeper.sweepHeavy();
        BoundedWait.until(
                harness.loop, "a sweep has begun", () -> !harness.requests.isEmpty(), TimeUnit.SECONDS.toNanos(1));
        harness.sweeper.sweepLight();
        harness.awaitRest();
        assertThat(harness.ends).containsExactly("up");
    }

    @Test
    void aSwitchThatRejectsItsTableTwiceIsExcludedUntilItAcceptsIt() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.isRequestLost = mad -> MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id()
                && route(mad).equals("0,1,1");
        assertThat(harness.sweep())
                .startsWith("failed")
                .contains("not in place")
                .contains("sw-1-0-0");
        assertThat(harness.sweeper.view()).isNull();
        harness.awaitRest();
        assertThat(harness.ends.subList(1, 3))
                .satisfiesExactly(end -> assertThat(end).startsWith("failed"), end -> assertThat(end)
                        .isEqualTo("up"));
        assertThat(harness.publishedView().subnet().fabric().switchCount()).isEqualTo(8);
        assertThat(harness.sweeper.excludedParts()).singleElement().satisfies(left -> {
            assertThat(left.name()).contains("sw-1-0-0");
            assertThat(left.reason()).contains("LinearForwardingTable");
        });
        SweeperTest.assertHeld(harness);
        harness.isRequestLost = mad -> false;
        harness.sweepLight();
        harness.awaitRest();
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(harness.sweeper.excludedParts()).isEmpty();
        assertThat(harness.publishedView().subnet().fabric().switchCount()).isEqualTo(9);
        SweeperTest.assertHeld(harness);
    }

    @Test
    void aHostThatDoesNotAnswerHarmsOnlyItselfAndIsTriedAgain() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.isRequestLost =
                mad -> Devices.wantedState(mad) >= 0 && route(mad).equals("0,1,1,7");
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.lastReport().errors()).isNotEmpty().allMatch(text -> text.contains("host-"));
        harness.isRequestLost = mad -> false;
        harness.sweepLight();
        assertThat(harness.ends).containsExactly("up", "up");
        SweeperTest.assertHeld(harness);
    }

    @Test
    void aLightSweepOfASteadyFabricStaysLight() {
        SweepHarness harness = new SweepHarness("torus:3x3x1");
        harness.sweep();
        harness.sweepLight();
        assertThat(harness.ends).containsExactly("up");
    }

    /** A switch that is new to the subnet sends no trap yet, and its PortStateChange was set before. */
    @Test
    void aCablePluggedDuringTheFirstSweepIsFoundByTheNext() {
        SweepHarness harness = new SweepHarness("torus:4x3x1");
        long guid = harness.node("sw-2-1-0").nodeGuid();
        harness.fabric.unlink(guid, 1);
        boolean[] isPlugged = {false};
        harness.isRequestLost = mad -> {
            if (!isPlugged[0] && MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id()) {
                isPlugged[0] = true;
                harness.fabric.relink(guid, 1);
            }
            return false;
        };
        harness.sweep();
        harness.sweepLight();
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(isPlugged[0]).isTrue();
        assertThat(fabric.peer(fabric.port(fabric.nodeByGuid(guid), 1))).isNotEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(harness);
    }

    @Test
    void aSwitchThatLostItsPowerIsProgrammedAgainWhenItReturns() {
        SweepHarness harness = new SweepHarness("torus:4x3x1");
        harness.sweep();
        long guid = harness.publishedView().subnet().fabric().nodeGuid(5);
        int before = harness.publishedView().subnet().fabric().nodeCount();
        harness.fabric.failSwitch(guid);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
        harness.sweepLight();
        assertThat(harness.publishedView().subnet().fabric().nodeByGuid(guid)).isEqualTo(Fabric.NONE);
        SweeperTest.assertHeld(harness);
        harness.fabric.restoreSwitch(guid);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(30));
        harness.sweepLight();
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(before);
        SweeperTest.assertHeld(harness);
    }

    private static String route(byte[] mad) {
        return String.valueOf(Smp.path(mad));
    }
}
