package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.SimTransport;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.MadTransport;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class SmAgentTest {
    private static final long GUID = 0xabcdL;
    private static final long M_KEY = 77;
    private static final int PRIORITY = 3;

    private final List<MadFrame> sent = new ArrayList<>();
    private int sweeps;
    private final SmAgent agent = new SmAgent(sent::add, GUID, PRIORITY, () -> M_KEY, lid -> sweeps++);

    private static MadFrame request(int method, int attribute) {
        return new MadFrame(new MadAddress(9, 0, 2, 0), Smp.lidRouted(method, 0x1234_5678L, attribute, 0, 0));
    }

    private static MadFrame trap(int number) {
        MadFrame frame = request(Method.TRAP, Notice.TYPE.id());
        Notice.IS_GENERIC.set(frame.mad(), Smp.DATA, 1);
        Notice.TRAP_NUMBER.set(frame.mad(), Smp.DATA, number);
        return frame;
    }

    private MadFrame only() {
        assertThat(sent).hasSize(1);
        return sent.get(0);
    }

    @Test
    void tellsWhoItIsAndThatItIsAlive() {
        agent.become(SmInfo.STANDBY);
        agent.receive(request(Method.GET, SmInfo.TYPE.id()));
        byte[] answer = only().mad();
        SmInfo first = SmInfo.TYPE.read(answer, Smp.DATA);
        assertThat(MadHeader.method(answer)).isEqualTo(Method.GET_RESP);
        assertThat(MadHeader.tid(answer)).isEqualTo(0x1234_5678L);
        assertThat(only().peer().lid()).isEqualTo(9);
        assertThat(first.guid()).isEqualTo(GUID);
        assertThat(first.priority()).isEqualTo(PRIORITY);
        assertThat(first.smState()).isEqualTo(SmInfo.STANDBY);
        assertThat(first.get(SmInfo.SM_KEY)).isZero();
        agent.receive(request(Method.GET, SmInfo.TYPE.id()));
        SmInfo second = SmInfo.TYPE.read(sent.get(1).mad(), Smp.DATA);
        assertThat(second.get(SmInfo.ACT_COUNT)).isEqualTo(first.get(SmInfo.ACT_COUNT) + 1);
    }

    @Test
    void refusesToBeHandedOver() {
        agent.receive(request(Method.SET, SmInfo.TYPE.id()));
        assertThat(MadHeader.status(only().mad())).isEqualTo(0x1c);
        assertThat(MadHeader.method(only().mad())).isEqualTo(Method.GET_RESP);
    }

    @Test
    void dropsWhatIsNotForASubnetManager() {
        agent.receive(request(Method.GET, NodeInfo.TYPE.id()));
        agent.receive(request(Method.TRAP, SmInfo.TYPE.id()));
        agent.receive(request(Method.GET, 0xffff));
        assertThat(sent).isEmpty();
    }

    @Test
    void repressesATrapWithItsOwnTransactionAndTheKeyOfThePorts() {
        agent.become(SmInfo.MASTER);
        MadFrame trap = trap(Notice.TRAP_LINK_STATE_CHANGE);
        agent.receive(trap);
        byte[] repress = only().mad();
        assertThat(MadHeader.method(repress)).isEqualTo(Method.TRAP_REPRESS);
        assertThat(MadHeader.tid(repress)).isEqualTo(MadHeader.tid(trap.mad()));
        assertThat(Smp.M_KEY.get(repress, 0)).isEqualTo(M_KEY);
        assertThat(Notice.TYPE.read(repress, Smp.DATA)).isEqualTo(Notice.TYPE.read(trap.mad(), Smp.DATA));
        assertThat(only().peer().lid()).isEqualTo(9);
        assertThat(sweeps).isEqualTo(1);
    }

    @Test
    void doesNotRepressAComplaintAboutARepress() {
        agent.become(SmInfo.MASTER);
        MadFrame complaint = trap(Notice.TRAP_BAD_M_KEY);
        complaint.mad()[Smp.DATA + 16] = Method.TRAP_REPRESS;
        agent.receive(complaint);
        assertThat(sent).isEmpty();
        agent.receive(trap(Notice.TRAP_BAD_M_KEY));
        assertThat(sent).hasSize(1);
        assertThat(sweeps).isZero();
    }

    @Test
    void leavesTrapsToTheMaster() {
        agent.become(SmInfo.STANDBY);
        agent.receive(trap(Notice.TRAP_LINK_STATE_CHANGE));
        assertThat(sent).isEmpty();
        assertThat(sweeps).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void neverThrowsWhateverComes(long seed) {
        Random random = new Random(seed);
        agent.become(SmInfo.MASTER);
        for (int i = 0; i < 5_000; i++) {
            byte[] mad = new byte[MadHeader.MAD_SIZE];
            random.nextBytes(mad);
            MadHeader.METHOD.set(mad, 0, random.nextInt(8));
            MadHeader.ATTRIBUTE_ID.set(mad, 0, random.nextBoolean() ? SmInfo.TYPE.id() : Notice.TYPE.id());
            agent.receive(new MadFrame(new MadAddress(random.nextInt(0x10000), 0, 0, 0), mad));
        }
        assertThat(sent).isNotEmpty().allMatch(frame -> MadHeader.method(frame.mad()) != Method.GET);
    }

    /** Over the fabric: another host asks, by its LID and along a route. */
    @Test
    void answersAnotherHostByBothWays() {
        SweepHarness harness = new SweepHarness("torus:2x1x1");
        harness.sweep();
        SimTransport other = harness.fabric.attach("host-1-0-0-0", 1);
        List<MadFrame> heard = new ArrayList<>();
        other.start(new MadTransport.Receiver() {
            @Override
            public void received(MadFrame frame) {
                heard.add(frame);
            }

            @Override
            public void transportFailed(String why) {
                throw new AssertionError(why);
            }
        });
        int smLid = harness.up().subnet().smLid();
        other.send(
                new MadFrame(new MadAddress(smLid, 0, 0, 0), Smp.lidRouted(Method.GET, 1, SmInfo.TYPE.id(), 0, 0)),
                100);
        other.send(
                new MadFrame(
                        MadAddress.DIRECTED, Smp.directed(Method.GET, 2, SmInfo.TYPE.id(), 0, 0, routeToSm(harness))),
                100);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(heard).extracting(frame -> MadHeader.tid(frame.mad())).containsExactlyInAnyOrder(1L, 2L);
        assertThat(heard)
                .extracting(frame -> MadHeader.mgmtClass(frame.mad()))
                .containsExactlyInAnyOrder(MgmtClass.SUBN_LID, MgmtClass.SUBN_DIRECTED_ROUTE);
        assertThat(heard).allSatisfy(frame -> {
            SmInfo info = SmInfo.TYPE.read(frame.mad(), Smp.DATA);
            assertThat(info.smState()).isEqualTo(SmInfo.MASTER);
            assertThat(info.priority()).isEqualTo(3);
        });
    }

    /** From the host of the second switch through the two switches to the SM. */
    private static DrPath routeToSm(SweepHarness harness) {
        Fabric fabric = harness.up().subnet().fabric();
        int nearSm = fabric.nodeOf(fabric.peer(fabric.localPort()));
        int far = 1 - nearSm;
        int between = 1;
        while (fabric.peer(fabric.port(far, between)) == Fabric.NONE
                || fabric.nodeOf(fabric.peer(fabric.port(far, between))) != nearSm) {
            between++;
        }
        int toHost = fabric.portNum(fabric.peer(fabric.localPort()));
        return DrPath.LOCAL.then(1).then(between).then(toHost);
    }

    @Test
    void aTrapOfTheFabricIsRepressedAndSweptFor() {
        SweepHarness harness = new SweepHarness("torus:4x4x1");
        harness.sweep();
        harness.fabric.unlink(harness.up().subnet().fabric().nodeGuid(5), 1);
        harness.await(2);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(3));
        assertThat(harness.fabric.trapsWaiting()).isZero();
        assertThat(harness.ends).hasSizeBetween(2, 3).containsOnly("up");
    }
}
