package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Attribute;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.MulticastForwardingTable;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.sweep.idle.DriftWatch;
import io.torussm.testing.BoundedWait;
import io.torussm.testing.LoggedEvents;
import io.torussm.view.FabricState;
import io.torussm.view.RoutingState;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that another program changes, on an embedded fabric in virtual time. */
class DriftWatchTest {
    private static final int SWITCH = 4;
    private static final int HOST = 12;

    @RegisterExtension
    final LoggedEvents events = new LoggedEvents();

    private final SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");

    @BeforeEach
    void bringUp() {
        assertThat(harness.sweep()).isEqualTo("up");
        harness.awaitRest();
        harness.requests.clear();
    }

    private Fabric fabric() {
        return harness.publishedView().subnet().fabric();
    }

    private void pass(long seconds) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(seconds));
    }

    private <A extends Attribute<A>> void write(int node, A value, int modifier) {
        harness.client.scope().set(value, fabric().node(node).path(), modifier, outcome -> {});
        pass(1);
        harness.requests.clear();
    }

    private DriftReport readAll() {
        harness.sweeper.idle().drift().requestAll();
        pass(60);
        return harness.sweeper.idle().drift().report();
    }

    private byte[] held(int node) {
        return harness.fabric.lft(fabric().nodeGuid(node));
    }

    @Test
    void unchangedTablesAreNoDrift() {
        DriftReport report = readAll();
        assertThat(report.passes()).isEqualTo(1);
        assertThat(report.differences()).isZero();
        assertThat(report.openDrifts()).isEmpty();
        assertThat(report.remainingDevices()).isZero();
        assertThat(events.of(SmEvent.DRIFT_FOUND)).isEmpty();
        assertThat(harness.countAllSets()).as("nothing is written").isZero();
        long asked = Stream.of(
                        LinearForwardingTable.TYPE.id(),
                        SlToVlMappingTable.TYPE.id(),
                        VlArbitrationTable.TYPE.id(),
                        PKeyTable.TYPE.id(),
                        PortInfo.TYPE.id())
                .filter(id -> harness.requests.stream().anyMatch(mad -> MadHeader.attributeId(mad) == id))
                .count();
        assertThat(asked).as("each kind is read").isEqualTo(5);
    }

    private static Stream<Arguments> writes() {
        byte[] nowhere = new byte[64];
        return Stream.of(
                Arguments.of(LinearForwardingTable.TYPE.read(nowhere, 0), 0, SWITCH, "LinearForwardingTable", "LID 1"),
                Arguments.of(
                        SlToVlMappingTable.of(0x1111_1111_1111_1111L),
                        1 << 8 | 3,
                        SWITCH,
                        "SLtoVLMappingTable",
                        "from port 1 to port 3"),
                Arguments.of(
                        VlArbitrationTable.TYPE.zero(),
                        1 << 16 | 3,
                        SWITCH,
                        "VLArbitrationTable",
                        "port 3 part 1 entry 0"),
                Arguments.of(PKeyTable.TYPE.zero(), 0, HOST, "P_KeyTable", "port 1 block 0"),
                Arguments.of(
                        VlArbitrationTable.TYPE.zero(), 1 << 16, HOST, "VLArbitrationTable", "port 1 part 1 entry 0"));
    }

    @ParameterizedTest
    @MethodSource("writes")
    <A extends Attribute<A>> void aForeignWriteIsFoundNamedAndMended(
            A value, int modifier, int node, String attribute, String entry) {
        int ends = harness.ends.size();
        write(node, value, modifier);
        harness.sweeper.idle().drift().requestAll();
        pass(20);
        assertThat(events.of(SmEvent.DRIFT_FOUND)).hasSize(1);
        String text = events.of(SmEvent.DRIFT_FOUND).get(0).toString();
        assertThat(text).contains(attribute, entry, fabric().nodeName(node));
        assertThat(harness.ends.size()).as("one sweep").isEqualTo(ends + 1);
        assertThat(harness.countSets(value.type().id()))
                .as("and only what differs")
                .isEqualTo(1);
        pass(60);
        assertThat(events.of(SmEvent.DRIFT_OVER)).hasSize(1);
        assertThat(harness.sweeper.idle().drift().report().openDrifts()).isEmpty();
        assertThat(events.of(SmEvent.FOREIGN_WRITER)).isEmpty();
        assertThat(readAll().differences()).as("as before").isPositive();
        assertThat(events.of(SmEvent.DRIFT_FOUND)).hasSize(1);
    }

    @Test
    void settingsOfPortsAreMended() {
        int port = fabric().port(SWITCH, 1);
        PortInfo known = Objects.requireNonNull(fabric().portInfo(port));
        write(
                SWITCH,
                known.with(PortInfo.PORT_STATE, 0)
                        .with(PortInfo.PORT_PHYSICAL_STATE, 0)
                        .with(PortInfo.HOQ_LIFE, 3),
                1);
        harness.sweeper.idle().drift().request(fabric().nodeGuid(SWITCH));
        pass(60);
        assertThat(events.of(SmEvent.DRIFT_FOUND).get(0).toString()).contains("port 1 HOQLife", "found 3");
        assertThat(harness.fabric.portInfo(fabric().nodeGuid(SWITCH), 1).get(PortInfo.HOQ_LIFE))
                .isEqualTo(known.get(PortInfo.HOQ_LIFE));
        assertThat(events.of(SmEvent.DRIFT_OVER)).hasSize(1);
    }

    @Test
    void aSecondForeignWriteWithinAnHourIsReported() {
        byte[] good = held(SWITCH).clone();
        for (int i = 0; i < 2; i++) {
            write(SWITCH, LinearForwardingTable.TYPE.read(new byte[64], 0), 0);
            harness.sweeper.idle().drift().request(fabric().nodeGuid(SWITCH));
            pass(90);
            assertThat(held(SWITCH)).isEqualTo(good);
        }
        assertThat(events.of(SmEvent.DRIFT_FOUND)).hasSize(2);
        assertThat(events.of(SmEvent.FOREIGN_WRITER)).hasSize(1);
        pass(3700);
        write(SWITCH, LinearForwardingTable.TYPE.read(new byte[64], 0), 0);
        harness.sweeper.idle().drift().request(fabric().nodeGuid(SWITCH));
        pass(90);
        assertThat(events.of(SmEvent.DRIFT_FOUND)).hasSize(3);
        assertThat(events.of(SmEvent.FOREIGN_WRITER)).hasSize(1);
    }

    /** Only sweeps repair the lost tables of a restarted switch. */
    @Test
    void aSwitchThatWasRestartedIsNoDrift() {
        long guid = fabric().nodeGuid(SWITCH);
        harness.isInboundLost = mad -> true; // Traps are lost, which would cause a sweep.
        harness.fabric.failSwitch(guid);
        harness.fabric.restoreSwitch(guid);
        pass(5);
        assertThat(held(SWITCH)).as("it forgot its tables").doesNotContain((byte) 1);
        harness.sweeper.idle().drift().request(guid);
        pass(20);
        assertThat(events.of(SmEvent.DRIFT_FOUND)).isEmpty();
    }

    @Test
    void noMoreGetsASecondThanAreAllowed() {
        harness.driftPace = new DriftWatch.Pace(0, 20);
        harness.sweeper.idle().drift().requestAll();
        for (int second = 0; second < 10; second++) {
            harness.requests.clear();
            pass(1);
            assertThat(harness.requests).hasSizeBetween(15, 24);
        }
        assertThat(harness.sweeper.idle().drift().report().isRunning()).isTrue();
    }

    @Test
    void noTableIsReadDuringASweep() {
        harness.sweeper.idle().drift().requestAll();
        pass(1);
        harness.sweeper.sweepHeavy();
        harness.requests.clear();
        BoundedWait.until(harness.loop, "the sweep ends", harness.sweeper::isResting, TimeUnit.MINUTES.toNanos(1));
        assertThat(harness.requests.stream()
                        .filter(mad -> MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id()
                                && MadHeader.method(mad) == Method.GET))
                .isEmpty();
        pass(60);
        assertThat(harness.sweeper.idle().drift().report().passes())
                .as("it goes on after that")
                .isEqualTo(1);
    }

    @Test
    void passesFollowEachOtherIfThatIsWanted() {
        harness.driftPace = new DriftWatch.Pace(600, 100);
        harness.sweep();
        harness.awaitRest();
        pass(1500);
        assertThat(harness.sweeper.idle().drift().report().passes()).isEqualTo(2);
        write(SWITCH, MulticastForwardingTable.TYPE.zero(), 0);
        harness.driftPace = DriftWatch.Pace.ON_REQUEST;
        pass(2000);
        assertThat(harness.sweeper.idle().drift().report().passes()).isEqualTo(2);
    }

    /** With one wrong entry, that for the SM's LID, no host reaches the SM through that switch. */
    @Test
    void theWayToTheSmIsLookedAtEachMinute() {
        harness.driftPace = new DriftWatch.Pace(86_400, 100);
        harness.sweep();
        harness.awaitRest();
        byte[] good = held(SWITCH).clone();
        int ownLid = harness.publishedView().subnet().lid(fabric().localPort());
        byte[] block = new byte[64];
        System.arraycopy(good, 0, block, 0, Math.min(good.length, block.length));
        block[ownLid] = (byte) LinearForwardingTable.NO_PATH;
        write(SWITCH, LinearForwardingTable.TYPE.read(block, 0), 0);
        assertThat(held(SWITCH)).isNotEqualTo(good);
        FabricState drifted = awaitDrift();
        assertThat(drifted.routing()).isEqualTo(RoutingState.DRIFTED);
        assertThat(drifted.reason())
                .contains(fabric().nodeName(SWITCH), "LID " + ownLid, "hosts may not reach each other or this SM");
        pass(10);
        assertThat(held(SWITCH)).isEqualTo(good);
        assertThat(events.of(SmEvent.DRIFT_FOUND)).hasSize(1);
        assertThat(events.of(SmEvent.DRIFT_OVER)).hasSize(1);
        DriftReport report = harness.sweeper.idle().drift().report();
        assertThat(report.addTo(harness.sweeper.state()).routing()).isEqualTo(RoutingState.ROUTED);
        assertThat(report.passes()).isZero();
    }

    private FabricState awaitDrift() {
        DriftWatch drift = harness.sweeper.idle().drift();
        BoundedWait.until(
                harness.loop,
                "a drift is found",
                () -> !drift.report().openDrifts().isEmpty(),
                TimeUnit.SECONDS.toNanos(75));
        return drift.report().addTo(harness.sweeper.state());
    }

    @Test
    void theWayCostsOneGetOfEachSwitchAMinute() {
        harness.driftPace = new DriftWatch.Pace(86_400, 100);
        harness.sweep();
        harness.awaitRest();
        harness.requests.clear();
        pass(10 * 60);
        long gets = harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == LinearForwardingTable.TYPE.id())
                .count();
        assertThat(gets).isEqualTo(9 * 9); // The first minute is free, and the last turn is due.
        assertThat(harness.countAllSets()).isZero();
    }

    @Test
    void anotherMasterEndsIt() {
        harness.sweeper.idle().drift().requestAll();
        pass(1);
        harness.sweeper.withdraw();
        harness.requests.clear();
        pass(60);
        assertThat(harness.requests).isEmpty();
        assertThat(harness.sweeper.idle().drift().report().isRunning()).isFalse();
    }

    /**
     * As in docs/operator/drift.md: 512 switches with a host each take twelve minutes at 100 SMPs a second.
     */
    @Test
    @Tag("slow")
    void aPassOverFiveHundredSwitchesTakesTwelveMinutes() {
        SweepHarness large = new SweepHarness("torus:8x8x8,hosts=1");
        assertThat(large.sweep()).isEqualTo("up");
        large.awaitRest();
        large.sweeper.idle().drift().requestAll();
        BoundedWait.until(
                large.loop,
                "all tables are read",
                () -> large.sweeper.idle().drift().report().passes() == 1,
                TimeUnit.HOURS.toNanos(1));
        DriftReport report = large.sweeper.idle().drift().report();
        assertThat(report.reads()).isEqualTo(57_856);
        assertThat(report.seconds()).isBetween(579L, 800L);
        assertThat(report.differences()).isZero();
    }
}
