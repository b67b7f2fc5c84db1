package io.torussm.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.FaultPlan;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FaultTest {
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MIDDLE = RowFabric.switchGuid(1);

    private final RowFabric row = new RowFabric(FaultPlan.NONE).configure();

    private List<Notice> receivedTraps() {
        List<Notice> traps = new ArrayList<>();
        for (MadFrame frame : row.sm.received) {
            if (MadHeader.method(frame.mad()) == Method.TRAP) {
                traps.add(Notice.TYPE.read(frame.mad(), Smp.DATA_OFFSET));
            }
        }
        return traps;
    }

    private void repress(MadFrame trap, long mKey) {
        byte[] mad = trap.mad().clone();
        MadHeader.METHOD.set(mad, 0, Method.TRAP_REPRESS);
        Smp.M_KEY.set(mad, 0, mKey);
        row.sm.send(trap.peer(), mad);
    }

    @Test
    void aPulledCableTakesBothEndsDownAndBothSwitchesSaySo() {
        row.fabric.unlink(MIDDLE, RowFabric.WEST);
        assertThat(row.fabric.portInfo(MIDDLE, RowFabric.WEST).portState()).isEqualTo(PortInfo.STATE_DOWN);
        assertThat(row.fabric.portInfo(MIDDLE, RowFabric.WEST).portPhysicalState())
                .isEqualTo(PortInfo.PHYS_POLLING);
        assertThat(row.fabric.portInfo(RowFabric.switchGuid(0), RowFabric.EAST).portState())
                .isEqualTo(PortInfo.STATE_DOWN);
        assertThat(row.fabric.switchInfo(MIDDLE).portStateChange()).isTrue();
        assertThat(row.fabric.switchInfo(RowFabric.switchGuid(2)).portStateChange())
                .isFalse();

        row.loop.runFor(1);
        assertThat(receivedTraps())
                .as("the middle switch is cut off from the SM")
                .containsExactly(Notice.linkStateChange(1));
        repress(row.sm.received.get(0), 0);

        row.fabric.relink(MIDDLE, RowFabric.WEST);
        row.loop.runFor(1);
        assertThat(row.fabric.portInfo(MIDDLE, RowFabric.WEST).portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(receivedTraps()).hasSize(3).contains(Notice.linkStateChange(1), Notice.linkStateChange(2));
    }

    @Test
    void aTrapIsRepeatedUntilItIsRepressed() {
        row.fabric.unlink(MIDDLE, RowFabric.HOST_PORT);
        row.loop.runFor(3 * SECOND_NS + 1);
        assertThat(receivedTraps()).hasSize(4).containsOnly(Notice.linkStateChange(2));
        assertThat(row.sm.received.get(0).peer()).isEqualTo(new MadAddress(2, 0, 0, 0));

        byte[] other = row.sm.received.get(0).mad().clone();
        MadHeader.TRANSACTION_ID.set(other, 0, 999);
        repress(new MadFrame(row.sm.received.get(0).peer(), other), 0);
        assertThat(row.fabric.pendingTrapCount()).isEqualTo(1);

        repress(row.sm.received.get(0), 0);
        assertThat(row.fabric.pendingTrapCount()).isZero();
        row.loop.runFor(10 * SECOND_NS);
        assertThat(receivedTraps()).hasSize(4);
    }

    @Test
    void aTrapWithoutARepressIsGivenUp() {
        row.fabric.unlink(MIDDLE, RowFabric.HOST_PORT);
        row.loop.runFor(3600 * SECOND_NS);
        assertThat(receivedTraps()).hasSize(TrapSender.MAX_TRIES);
        assertThat(row.fabric.pendingTrapCount()).isZero();
    }

    @Test
    void aTrapDiesWithTheSwitchThatSentIt() {
        row.fabric.unlink(MIDDLE, RowFabric.HOST_PORT);
        row.loop.runFor(1);
        assertThat(row.fabric.pendingTrapCount()).isEqualTo(1);
        row.fabric.failSwitch(MIDDLE);
        row.fabric.restoreSwitch(MIDDLE);
        row.loop.runFor(2 * SECOND_NS);
        assertThat(row.fabric.pendingTrapCount())
                .as("those of its two neighbours")
                .isEqualTo(2);
    }

    @Test
    void becomingAnSmIsReportedWithTheNewCapabilities() throws Exception {
        Probe other = new Probe(row.fabric, row.loop, "host-0-0-2-0", 1);
        other.transport.setIsSm(true);
        other.transport.setIsSm(true);
        row.loop.runFor(1);
        assertThat(receivedTraps()).hasSize(1);
        Notice notice = receivedTraps().get(0);
        assertThat(notice.trapNumber()).isEqualTo(Notice.TRAP_LOCAL_CHANGES);
        assertThat(notice.issuerLid()).isEqualTo(13);
        byte[] details = notice.getBytes(Notice.DATA_DETAILS);
        assertThat(details[2] << 8 | details[3]).isEqualTo(13);
        assertThat(details[9] & PortInfo.CAP_IS_SM).isNotZero();
    }

    @Test
    void aWrongMKeyIsReported() {
        PortInfo withKey = row.fabric
                .portInfo(RowFabric.hostGuid(1), 1)
                .with(PortInfo.M_KEY, 77)
                .with(PortInfo.M_KEY_PROTECT_BITS, 2)
                .with(PortInfo.PORT_STATE, 0)
                .with(PortInfo.PORT_PHYSICAL_STATE, 0);
        row.sm.set(withKey, 1, RowFabric.toHost(1));
        row.sm.received.clear();
        row.sm.mKey = 5;
        row.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toHost(1));

        byte[] details = receivedTraps().get(0).getBytes(Notice.DATA_DETAILS);
        assertThat(receivedTraps().get(0).trapNumber()).isEqualTo(Notice.TRAP_BAD_M_KEY);
        assertThat(details[6]).isEqualTo((byte) Method.GET);
        assertThat(details[9]).isEqualTo((byte) NodeInfo.TYPE.id());
        assertThat(details[21]).as("last byte of the wrong key").isEqualTo((byte) 5);
        assertThat(details[23] & 0xff).as("a directed route of three hops").isEqualTo(0x83);
        assertThat(details[24]).isEqualTo((byte) RowFabric.HOST_PORT);

        repress(row.sm.received.get(0), 5);
        assertThat(row.fabric.pendingTrapCount())
                .as("a repress needs the key too")
                .isEqualTo(1);
        repress(row.sm.received.get(0), 77);
        assertThat(row.fabric.counters().mKeyViolations()).isEqualTo(2);
    }

    @Test
    void aSwitchWithoutPowerForgetsEverything() {
        row.fabric.failSwitch(MIDDLE);
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toSwitch(1))).isEqualTo(-1);
        assertThat(row.fabric.portInfo(RowFabric.switchGuid(2), RowFabric.WEST).portState())
                .isEqualTo(PortInfo.STATE_DOWN);
        assertThat(row.fabric.portInfo(RowFabric.hostGuid(1), 1).portState()).isEqualTo(PortInfo.STATE_DOWN);
        row.fabric.unlink(MIDDLE, RowFabric.HOST_PORT);

        row.fabric.restoreSwitch(MIDDLE);
        assertThat(row.fabric.portInfo(MIDDLE, RowFabric.EAST).portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(row.fabric.portInfo(MIDDLE, RowFabric.HOST_PORT).portState())
                .as("its cable was pulled meanwhile")
                .isEqualTo(PortInfo.STATE_DOWN);
        assertThat(row.fabric.portInfo(MIDDLE, 0).lid()).isZero();
        assertThat(row.fabric.lft(MIDDLE)).hasSize(1);
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toSwitch(2))).isZero();
        assertThat(row.fabric.portInfo(RowFabric.switchGuid(2), 0).lid())
                .as("the others kept what they had")
                .isEqualTo(3);
    }

    @Test
    void faultsAreForExistingDevices() {
        assertThatThrownBy(() -> row.fabric.unlink(5, 1)).hasMessageContaining("no node has GUID 0x0000000000000005");
        assertThatThrownBy(() -> row.fabric.unlink(MIDDLE, 9)).hasMessageContaining("has no port 9");
        assertThatThrownBy(() -> row.fabric.failSwitch(RowFabric.hostGuid(0))).hasMessageContaining("is no switch");
        assertThatThrownBy(() -> row.fabric.setLoss(1.5)).hasMessageContaining("a probability from 0 to 1");
        assertThatThrownBy(() -> new FaultPlan(1, Double.NaN, 0, 0, 0)).hasMessageContaining("not NaN");
        assertThatThrownBy(() -> new FaultPlan(1, 0, 0, -1, 0)).hasMessageContaining("negative");
        assertThatThrownBy(() -> new FaultPlan(1, 0, 0, 0, -1, 0)).hasMessageContaining("deviceLatencyNs");
        assertThatThrownBy(() -> new FaultPlan(1, 0, 0, 0, Long.MAX_VALUE)).hasMessageContaining("jitterNs");
    }

    @Test
    void losesOnTheCableThatIsNamedOnly() {
        row.fabric.setLoss(MIDDLE, RowFabric.WEST, 1);
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toSwitch(0))).isZero();
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toSwitch(1))).isEqualTo(-1);
        row.fabric.setLoss(MIDDLE, RowFabric.WEST, 0);
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toSwitch(1))).isZero();
        row.fabric.setLoss(1);
        assertThat(row.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toSwitch(0))).isEqualTo(-1);
    }

    @Test
    void latencyIsCountedPerHopAndDirection() {
        RowFabric slow = new RowFabric(new FaultPlan(1, 0, 0, 1000, 0));
        long before = slow.loop.nowNs();
        assertThat(slow.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toSwitch(2))).isZero();
        assertThat(slow.loop.nowNs() - before).isEqualTo(6000);
    }

    @Test
    void anAgentTakesItsTimeOncePerAnswer() {
        RowFabric slow = new RowFabric(new FaultPlan(1, 0, 0, 1000, 50_000, 0));
        long before = slow.loop.nowNs();
        assertThat(slow.sm.getStatus(NodeInfo.TYPE, 0, RowFabric.toSwitch(2))).isZero();
        assertThat(slow.loop.nowNs() - before).isEqualTo(56_000);
    }

    /** Returns the responses to 400 requests to one switch in order of arrival, with the time of each. */
    private static List<String> responseLog(FaultPlan plan) {
        RowFabric row = new RowFabric(plan);
        List<String> story = new ArrayList<>();
        for (int i = 0; i < 400; i++) {
            byte[] mad = row.sm.request(Method.GET, NodeInfo.TYPE, 0, DrPath.of(RowFabric.toSwitch(2)));
            row.sm.transport.send(new MadFrame(MadAddress.DIRECTED, mad), 0);
        }
        while (row.loop.runUntil(() -> !row.sm.received.isEmpty(), SECOND_NS)) {
            row.sm.received.forEach(frame -> story.add(row.loop.nowNs() + ": " + MadHeader.tid(frame.mad())));
            row.sm.received.clear();
        }
        return story;
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void theSameSeedGivesTheSameFaults(long seed) {
        FaultPlan plan = new FaultPlan(seed, 0.1, 0.05, 100, 5000);
        assertThat(responseLog(plan)).isEqualTo(responseLog(plan));
        assertThat(responseLog(plan)).isNotEqualTo(responseLog(new FaultPlan(seed + 1, 0.1, 0.05, 100, 5000)));
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void eachKindOfFaultHappensAsOftenAsPlanned(long seed) {
        List<String> all = responseLog(new FaultPlan(seed, 0, 0, 100, 0));
        assertThat(all).hasSize(400);
        assertThat(responseLog(new FaultPlan(seed, 0.2, 0, 100, 0))).hasSizeBetween(200, 312);
        assertThat(responseLog(new FaultPlan(seed, 0, 0.2, 100, 0))).hasSizeBetween(496, 660);
        List<String> jittered = responseLog(new FaultPlan(seed, 0, 0, 100, 5000));
        assertThat(jittered).hasSize(400).isNotEqualTo(all);
    }

    @Test
    void aRestartedHostForgetsItsRegistrationsAndItsSwitchReportsIt() {
        long host = RowFabric.hostGuid(1);
        assertThat(row.fabric.portInfo(host, 1).lid()).isPositive();
        row.fabric.restartHost(host);
        assertThat(row.fabric.portInfo(host, 1).lid()).isZero();
        assertThat(row.fabric.portInfo(host, 1).portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(row.fabric.portInfo(MIDDLE, RowFabric.HOST_PORT).portState()).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(row.fabric.switchInfo(MIDDLE).portStateChange()).isTrue();
        assertThatIllegalArgumentException().isThrownBy(() -> row.fabric.restartHost(MIDDLE));
    }
}
