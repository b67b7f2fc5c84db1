package io.torussm.transport.rmpp;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.testing.BoundedWait;
import io.torussm.transport.GlobalRoute;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The open transactions of a sender: repeated and changed requests, requesters that share a LID, limits, and messages
 * that belong to no transaction.
 */
class RmppTransactionsTest extends RmppSenderCase {
    @Test
    void aRequesterThatAsksAgainGetsTheTableAgain() {
        begin(7, 1000);
        assertThat(sender.sendAgain(
                        RmppLink.RECEIVER,
                        RmppLink.request(RmppLink.RECEIVER, 8).mad()))
                .isFalse();
        assertThat(sender.sendAgain(
                        RmppLink.RECEIVER,
                        RmppLink.request(RmppLink.RECEIVER, 7).mad()))
                .isTrue();
        runMs(0);
        assertThat(segments()).containsExactly(1L, 1L);
        receiveControl(Rmpp.ACK, 0, 1, 2);
        segments();
        assertThat(sender.sendAgain(
                        RmppLink.RECEIVER,
                        RmppLink.request(RmppLink.RECEIVER, 7).mad()))
                .isTrue();
        runMs(0);
        assertThat(sent).as("under way").isEmpty();
    }

    /** Everything but the RMPP header decides, the record too: each byte of it selects rows. */
    @ParameterizedTest
    @ValueSource(ints = {3, 17, 23, 36, 48, 56, 255})
    void aRequestThatDiffersInOneByteEndsATable(int index) {
        begin(7, 1000);
        byte[] other = RmppLink.request(RmppLink.RECEIVER, 7).mad();
        other[30] ^= 1; // of the RMPP header
        assertThat(sender.sendAgain(RmppLink.RECEIVER, other)).isTrue();
        other[index] ^= 4;
        assertThat(sender.sendAgain(new MadAddress(99, 1, 0, 0), other)).isFalse();
        assertThat(sender.openCount()).isEqualTo(1);
        assertThat(sender.sendAgain(RmppLink.RECEIVER, other)).isFalse();
        assertThat(sender.openCount()).isZero();
    }

    /** As osmtest's next flow on the same host, which counts its TIDs from the start. */
    @Test
    void anotherRequestWithItsTidEndsATable() {
        for (boolean isHeard : new boolean[] {false, true}) {
            begin(7, 1000);
            if (isHeard) {
                receiveControl(Rmpp.ACK, 0, 1, 2);
            }
            sent.clear();
            byte[] other = SaMad.request(Method.GET_TABLE, 7, 0x38, 0, 0);
            assertThat(sender.sendAgain(RmppLink.RECEIVER, other)).isFalse();
            assertThat(sender.openCount()).isZero();
            runMs(5000);
            assertThat(sent).isEmpty();
        }
        assertThat(sender.stats().unacknowledged()).isEqualTo(1);
        assertThat(sender.stats().stopped()).isEqualTo(1);
        assertThat(sender.openBytes()).isZero();
    }

    @Test
    void messagesOfNoTransactionAreDropped() {
        begin(7, 1000);
        segments();
        sender.receive(RmppLink.control(8, Rmpp.ABORT, 118, 0, 0));
        MadFrame mine = RmppLink.control(7, Rmpp.ABORT, 118, 0, 0);
        sender.receive(new MadFrame(new MadAddress(3, 1, 0, 0), mine.mad()));
        sender.receive(new MadFrame(new MadAddress(2, 5, 0, 0), mine.mad()));
        runMs(0);
        assertThat(sender.openCount()).isEqualTo(1);
        assertThat(sender.stats().strays()).isEqualTo(3);
    }

    /** Virtual functions share the LID and QP 1 of their port, and transaction IDs of two kernels may be equal. */
    @Test
    void sharersOfALidHaveTransactionsOfTheirOwn() {
        MadAddress one = virtualFunction(0x11);
        MadAddress other = virtualFunction(0x12);
        assertThat(sender.send(RmppLink.request(one, 7), RmppLink.header(7), new byte[1000]))
                .isTrue();
        assertThat(sender.send(RmppLink.request(other, 7), RmppLink.header(7), new byte[1000]))
                .isTrue();
        assertThat(sender.openCount()).isEqualTo(2);
        MadFrame abort = RmppLink.control(7, Rmpp.ABORT, 118, 0, 0);
        sender.receive(new MadFrame(other, abort.mad()));
        runMs(0);
        assertThat(sender.isOpen(one, RmppLink.header(7))).isTrue();
        assertThat(sender.isOpen(other, RmppLink.header(7))).isFalse();
    }

    private static MadAddress virtualFunction(long guid) {
        GlobalRoute grh = new GlobalRoute(new Gid(Gid.DEFAULT_PREFIX, guid), 0, 1, 0, 0);
        return new MadAddress(RmppLink.RECEIVER.lid(), 1, 0, 0, 0, grh);
    }

    @Test
    void aRepeatedRequestDoesNotStartASecondTransaction() {
        assertThat(begin(7, 1000)).isTrue();
        assertThat(begin(7, 1000)).isTrue();
        assertThat(segments()).containsExactly(1L);
        assertThat(sender.openCount()).isEqualTo(1);
        assertThat(sender.isOpen(RmppLink.RECEIVER, RmppLink.header(7))).isTrue();
        assertThat(sender.isOpen(RmppLink.RECEIVER, RmppLink.header(8))).isFalse();
    }

    @Test
    void transfersBeyondABoundAreRefusedImmediately() {
        assertThat(begin(1, 10_001)).as("bytes").isFalse();
        assertThat(begin(1, 5000)).isTrue();
        acknowledgeFirst(RmppLink.RECEIVER, 1);
        assertThat(begin(2, 1)).as("more than stays free for others").isFalse();
        MadAddress other = new MadAddress(9, 1, 0, 0);
        assertThat(sender.send(RmppLink.request(other, 1), RmppLink.header(1), new byte[2500]))
                .isTrue();
        acknowledgeFirst(other, 1);
        assertThat(sender.send(RmppLink.request(other, 2), RmppLink.header(2), new byte[2501]))
                .isFalse();
        assertThat(sender.send(RmppLink.request(other, 2), RmppLink.header(2), new byte[0]))
                .isTrue();
        assertThat(sender.send(RmppLink.request(new MadAddress(10, 1, 0, 0), 1), RmppLink.header(1), new byte[1]))
                .isTrue();
        assertThat(sender.send(RmppLink.request(new MadAddress(20, 1, 0, 0), 1), RmppLink.header(1), new byte[1]))
                .as("four in all")
                .isFalse();
        assertThat(sender.stats().refused()).isEqualTo(4);
        runMs(5000);
        assertThat(sender.openCount()).isZero();
        assertThat(sender.openBytes()).isZero();
        assertThat(begin(9, 5001)).as("room again").isFalse();
        assertThat(begin(9, 5000)).as("room again").isTrue();
    }

    @Test
    void aPeerThatAcknowledgesNothingLosesItsOldestForSomethingNew() {
        assertThat(begin(1, 300)).isTrue();
        acknowledgeFirst(RmppLink.RECEIVER, 1);
        assertThat(begin(2, 1000)).isTrue();
        MadAddress otherQp = new MadAddress(RmppLink.RECEIVER.lid(), 77, 0, 0);
        assertThat(sender.send(RmppLink.request(otherQp, 3), RmppLink.header(3), new byte[1000]))
                .isTrue();
        runMs(0);
        assertThat(sender.openCount()).isEqualTo(2);
        assertThat(sender.isOpen(RmppLink.RECEIVER, RmppLink.header(1))).isTrue();
        assertThat(sender.isOpen(RmppLink.RECEIVER, RmppLink.header(2))).isFalse();
        assertThat(sender.openBytes()).isEqualTo(1300);
        assertThat(sender.stats().unacknowledged()).isEqualTo(1);
        assertThat(sender.stats().refused()).isZero();
    }

    @Test
    void aFloodOfMessagesDoesNotPileUpInTheLoop() {
        begin(7, 10_000);
        int[] ran = new int[1];
        for (int i = 0; i < 100_000; i++) {
            sender.receive(RmppLink.control(7, Rmpp.ACK, 0, 0, 1));
        }
        loop.execute(() -> ran[0]++);
        int steps = 0;
        while (ran[0] == 0) {
            steps++;
            int[] seen = new int[1];
            BoundedWait.until(loop, "a task runs", () -> seen[0]++ > 0, 0);
        }
        assertThat(steps).isLessThan(100);
        assertThat(sender.stats().strays()).isGreaterThan(90_000);
    }

    /** Acknowledges the first segment of a table of two or more, so that the rest is still to come. */
    private void acknowledgeFirst(MadAddress peer, int tid) {
        runMs(0);
        sender.receive(
                new MadFrame(peer, RmppLink.control(tid, Rmpp.ACK, 0, 1, 1).mad()));
        runMs(0);
    }
}
