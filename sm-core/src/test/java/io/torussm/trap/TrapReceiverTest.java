package io.torussm.trap;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Notice;
import io.torussm.mad.smp.SmInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Received traps: who gets a TrapRepress, with which key. The sender has LID 9. */
class TrapReceiverTest {
    private static final long M_KEY = 77;

    private final List<MadFrame> sent = new ArrayList<>();
    private int trapCount;
    private boolean isMaster = true;
    private OptionalLong repressKey = OptionalLong.of(M_KEY);
    private final TrapReceiver receiver =
            new TrapReceiver(sent::add, () -> isMaster, lid -> repressKey, (frame, notice) -> trapCount++);

    private static MadFrame request(int method, int attribute) {
        return new MadFrame(new MadAddress(9, 0, 2, 0), Smp.lidRouted(method, 0x1234_5678L, attribute, 0, 0));
    }

    private static MadFrame trap(int number) {
        MadFrame frame = request(Method.TRAP, Notice.TYPE.id());
        Notice.IS_GENERIC.set(frame.mad(), Smp.DATA_OFFSET, 1);
        Notice.TRAP_NUMBER.set(frame.mad(), Smp.DATA_OFFSET, number);
        return frame;
    }

    private MadFrame only() {
        assertThat(sent).hasSize(1);
        return sent.get(0);
    }

    @Test
    void dropsMadsOfOtherManagers() {
        receiver.receive(request(Method.GET, NodeInfo.TYPE.id()));
        receiver.receive(request(Method.GET, SmInfo.TYPE.id()));
        receiver.receive(request(Method.TRAP, SmInfo.TYPE.id()));
        receiver.receive(request(Method.GET, 0xffff));
        assertThat(sent).isEmpty();
    }

    @Test
    void repressesATrapWithItsOwnTransactionAndTheKeyOfThePorts() {
        MadFrame trap = trap(Notice.TRAP_LINK_STATE_CHANGE);
        receiver.receive(trap);
        byte[] repress = only().mad();
        assertThat(MadHeader.method(repress)).isEqualTo(Method.TRAP_REPRESS);
        assertThat(MadHeader.tid(repress)).isEqualTo(MadHeader.tid(trap.mad()));
        assertThat(Smp.M_KEY.get(repress, 0)).isEqualTo(M_KEY);
        assertThat(Notice.TYPE.read(repress, Smp.DATA_OFFSET)).isEqualTo(Notice.TYPE.read(trap.mad(), Smp.DATA_OFFSET));
        assertThat(only().peer().lid()).isEqualTo(9);
        assertThat(trapCount).isEqualTo(1);
    }

    @Test
    void aTrapOfAProgramIsRepressedWithoutAKey() {
        repressKey = OptionalLong.empty();
        receiver.receive(trap(Notice.TRAP_LOCAL_CHANGES));
        assertThat(sent).isEmpty();
        assertThat(trapCount).isEqualTo(1);
    }

    @Test
    void doesNotRepressAComplaintAboutARepress() {
        MadFrame complaint = trap(Notice.TRAP_BAD_M_KEY);
        complaint.mad()[Smp.DATA_OFFSET + 16] = Method.TRAP_REPRESS;
        receiver.receive(complaint);
        assertThat(sent).isEmpty();
        receiver.receive(trap(Notice.TRAP_BAD_M_KEY));
        assertThat(sent).hasSize(1);
        assertThat(trapCount).as("both are told").isEqualTo(2);
    }

    @Test
    void repressesARepeatedTrapEachTimeItComes() {
        MadFrame trap = trap(Notice.TRAP_LOCAL_CHANGES);
        receiver.receive(trap);
        receiver.receive(trap);
        assertThat(sent).hasSize(2);
        assertThat(trapCount).isEqualTo(2);
    }

    @Test
    void leavesTrapsToTheMaster() {
        isMaster = false;
        receiver.receive(trap(Notice.TRAP_LINK_STATE_CHANGE));
        assertThat(sent).isEmpty();
        assertThat(trapCount).isZero();
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void neverThrowsForAnyInput(long seed) {
        Random random = Seeds.random(seed);
        for (int i = 0; i < 5_000; i++) {
            byte[] mad = new byte[MadHeader.MAD_SIZE];
            random.nextBytes(mad);
            MadHeader.METHOD.set(mad, 0, random.nextInt(8));
            MadHeader.MGMT_CLASS.set(mad, 0, random.nextBoolean() ? MgmtClass.SUBN_LID : MgmtClass.SUBN_DIRECTED_ROUTE);
            MadHeader.ATTRIBUTE_ID.set(mad, 0, random.nextBoolean() ? SmInfo.TYPE.id() : Notice.TYPE.id());
            receiver.receive(new MadFrame(new MadAddress(random.nextInt(0x10000), 0, 0, 0), mad));
        }
        assertThat(sent).isNotEmpty().allMatch(frame -> MadHeader.method(frame.mad()) != Method.GET);
    }

    @Test
    void aTrapOfTheFabricIsRepressedAndSweptFor() {
        SweepHarness harness = new SweepHarness("torus:4x4x1");
        harness.sweep();
        harness.fabric.unlink(harness.publishedView().subnet().fabric().nodeGuid(5), 1);
        harness.await(2);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(3));
        assertThat(harness.fabric.pendingTrapCount()).isZero();
        assertThat(harness.ends).hasSizeBetween(2, 3).containsOnly("up");
    }
}
