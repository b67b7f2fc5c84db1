package io.torussm.transport.rmpp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.torussm.mad.sa.SaMad;
import io.torussm.transport.MadFrame;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of the sender, one by one (IBA 13.6.3): segments, windows, ACKs, time-outs and aborts. */
class RmppSenderTest extends RmppSenderCase {
    @Test
    void anAnswerOfOneSegmentIsActiveFirstAndLast() {
        begin(7, 112);
        assertThat(sent).hasSize(1);
        assertThat(RmppLink.flags(sent.get(0))).isEqualTo(ACTIVE | FIRST | LAST);
        assertThat(RmppLink.segment(sent.get(0))).isEqualTo(1);
        assertThat(RmppLink.payloadLength(sent.get(0))).isEqualTo(132);
        assertThat(Rmpp.type(sent.get(0))).isEqualTo(Rmpp.DATA);
        assertThat(SaMad.RMPP_VERSION.get(sent.get(0), 0)).isEqualTo(1);
    }

    @Test
    void anEmptyTableIsOneSegmentOfNothingButTheHeader() {
        begin(7, 0);
        assertThat(sent).hasSize(1);
        assertThat(RmppLink.flags(sent.get(0))).isEqualTo(ACTIVE | FIRST | LAST);
        assertThat(RmppLink.payloadLength(sent.get(0))).isEqualTo(20);
    }

    @Test
    void theFirstSegmentAnnouncesAllBytesAndTheLastItsOwn() {
        begin(7, 3 * 200 + 40);
        receiveControl(Rmpp.ACK, 0, 1, 9);
        assertThat(sent).hasSize(4);
        assertThat(sent.stream().map(RmppLink::payloadLength)).containsExactly(3 * 220L + 60, 0L, 0L, 60L);
        assertThat(sent.stream().map(RmppLink::flags)).containsExactly(ACTIVE | FIRST, ACTIVE, ACTIVE, ACTIVE | LAST);
        assertThat(sent.stream().map(mad -> SaMad.ATTRIBUTE_OFFSET.get(mad, 0))).containsOnly(14L);
    }

    @Test
    void aFullLastSegmentHas220Bytes() {
        begin(7, 400);
        receiveControl(Rmpp.ACK, 0, 1, 2);
        assertThat(RmppLink.payloadLength(sent.get(1))).isEqualTo(220);
        assertThat(RmppLink.flags(sent.get(1))).isEqualTo(ACTIVE | LAST);
    }

    @Test
    void noSegmentBeyondTheWindowIsSentAndTheFirstWindowIsOneSegment() {
        begin(7, 2000);
        assertThat(segments()).containsExactly(1L);
        receiveControl(Rmpp.ACK, 0, 1, 4);
        assertThat(segments()).containsExactly(2L, 3L, 4L);
        receiveControl(Rmpp.ACK, 0, 3, 6);
        assertThat(segments()).containsExactly(5L, 6L);
    }

    @Test
    void aHugeWindowIsCutToTheSendersOwn() {
        begin(7, 4000);
        receiveControl(Rmpp.ACK, 0, 1, 0xffff_ffffL);
        assertThat(segments()).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L);
    }

    @Test
    void unacknowledgedSegmentsAreSentAgainFromTheFirst() {
        begin(7, 2000);
        receiveControl(Rmpp.ACK, 0, 1, 4);
        receiveControl(Rmpp.ACK, 0, 2, 4);
        segments();
        runMs(101);
        assertThat(segments()).containsExactly(3L, 4L);
    }

    /** Else it would never end, and the same request would be taken for a repeated one for ever. */
    @Test
    void aSegmentThatCannotBeSentForADefectIsSentInTime() {
        isDefect = true;
        assertThatIllegalStateException().isThrownBy(() -> begin(7, 2000));
        isDefect = false;
        runMs(101);
        assertThat(segments()).containsExactly(1L);
        runMs(5000);
        assertThat(sender.openCount()).isZero();
    }

    @Test
    void theLastAckEndsTheTransaction() {
        begin(7, 300);
        receiveControl(Rmpp.ACK, 0, 1, 2);
        receiveControl(Rmpp.ACK, 0, 2, 2);
        assertThat(sender.openCount()).isZero();
        assertThat(sender.openBytes()).isZero();
        assertThat(sender.stats().completed()).isEqualTo(1);
        segments();
        runMs(5000);
        assertThat(sent).isEmpty();
    }

    /** As with clients of ibsim, which crash if a MAD arrives after their end. */
    @Test
    void aPeerThatHasNeverAcknowledgedAnythingIsSentNothingTwice() {
        begin(7, 100);
        runMs(5000);
        assertThat(segments()).containsExactly(1L);
        assertThat(sender.openCount()).isZero();
        assertThat(sender.stats().unacknowledged()).isEqualTo(1);
    }

    @Test
    void aPeerThatAcknowledgesNoMoreIsGivenUpWithoutAWord() {
        begin(7, 100);
        receiveControl(Rmpp.ACK, 0, 1, 1);
        sent.clear();
        begin(8, 100);
        runMs(5000);
        assertThat(sent).hasSize(4).allMatch(mad -> Rmpp.type(mad) == Rmpp.DATA);
        assertThat(sender.openCount()).isZero();
        assertThat(sender.stats().unacknowledged()).isEqualTo(1);
    }

    @Test
    void aPeerThatFallsSilentHalfwayReceivesTooManyRetries() {
        begin(7, 1000);
        receiveControl(Rmpp.ACK, 0, 1, 2);
        runMs(5000);
        byte[] last = sent.get(sent.size() - 1);
        assertThat(Rmpp.type(last)).isEqualTo(Rmpp.ABORT);
        assertThat(RmppLink.rmppStatus(last)).isEqualTo(Rmpp.TOO_MANY_RETRIES);
        assertThat(sender.openCount()).isZero();
    }

    @Test
    void aSlowReceiverExceedsTheTotalTime() {
        begin(7, 5000);
        for (int segment = 1; sender.openCount() > 0 && segment < 40; segment++) {
            receiveControl(Rmpp.ACK, 0, segment, segment + 1);
            runMs(90);
        }
        byte[] last = sent.get(sent.size() - 1);
        assertThat(Rmpp.type(last)).isEqualTo(Rmpp.ABORT);
        assertThat(RmppLink.rmppStatus(last)).isEqualTo(Rmpp.TOTAL_TIME_TOO_LONG);
        assertThat(loop.nowNs()).isLessThan(TimeUnit.MILLISECONDS.toNanos(2200));
    }

    @Test
    void repeatedAcksDoNotKeepATransactionAlive() {
        begin(7, 1000);
        receiveControl(Rmpp.ACK, 0, 1, 2);
        for (int i = 0; i < 100; i++) {
            receiveControl(Rmpp.ACK, 0, 1, 2);
            runMs(20);
        }
        assertThat(sender.openCount()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"3", "4"})
    void stopAndAbortEndTheTransactionAtOnceAndAreNotAnswered(int type) {
        begin(7, 1000);
        receiveControl(Rmpp.ACK, 0, 1, 3);
        segments();
        receiveControl(type, type == Rmpp.STOP ? Rmpp.RESOURCES_EXHAUSTED : Rmpp.TOTAL_TIME_TOO_LONG, 0, 0);
        runMs(5000);
        assertThat(sent).isEmpty();
        assertThat(sender.openCount()).isZero();
        assertThat(sender.stats().stopped()).isEqualTo(1);
    }

    @ParameterizedTest(name = "type {0} status {1} segment {2} window {3}: {4}")
    @CsvSource({
        "2, 0, 3, 2, 122", // NewWindowLast below the segment that is acknowledged
        "2, 0, 3, 9, 123", // acknowledges a segment that was never sent
        "2, 5, 1, 2, 124", // an ACK has no status
        "9, 0, 1, 2, 121", // no such type
        "1, 0, 1, 2, 121", // data from the receiver
    })
    void nonsenseIsAnsweredByAnAbortThatSaysWhy(int type, int status, long segment, long last, int expected) {
        begin(7, 1000);
        receiveControl(Rmpp.ACK, 0, 1, 2);
        segments();
        receiveControl(type, status, segment, last);
        assertThat(sent).hasSize(1);
        assertThat(Rmpp.type(sent.get(0))).isEqualTo(Rmpp.ABORT);
        assertThat(RmppLink.rmppStatus(sent.get(0))).isEqualTo(expected);
        assertThat(RmppLink.flags(sent.get(0))).isEqualTo(ACTIVE);
        assertThat(sender.openCount()).isZero();
        assertThat(sender.stats().aborted()).isEqualTo(1);
    }

    @Test
    void anotherVersionOfTheProtocolIsRefused() {
        begin(7, 1000);
        MadFrame ack = RmppLink.control(7, Rmpp.ACK, 0, 1, 2);
        SaMad.RMPP_VERSION.set(ack.mad(), 0, 2);
        segments();
        sender.receive(ack);
        runMs(0);
        assertThat(RmppLink.rmppStatus(sent.get(0))).isEqualTo(Rmpp.UNSUPPORTED_VERSION);
    }

    @Test
    void anAckThatWasOvertakenChangesNothing() {
        begin(7, 2000);
        receiveControl(Rmpp.ACK, 0, 1, 4);
        receiveControl(Rmpp.ACK, 0, 4, 8);
        segments();
        receiveControl(Rmpp.ACK, 0, 1, 4);
        assertThat(sent).isEmpty();
        runMs(101);
        assertThat(segments()).containsExactly(5L, 6L, 7L, 8L);
    }

    @Test
    void theKernelReceivesWholeTablesUpToALimit() {
        RmppSender whole =
                new RmppSender(loop, LIMITS, RmppSender.Segmenter.KERNEL, lid -> lid, frame -> sent.add(frame.mad()));
        byte[] data = new byte[1000];
        data[999] = 5;
        assertThat(whole.send(RmppLink.request(RmppLink.RECEIVER, 7), RmppLink.header(7), data))
                .isTrue();
        assertThat(whole.send(RmppLink.request(RmppLink.RECEIVER, 7), RmppLink.header(7), data))
                .isTrue();
        runMs(50);
        assertThat(sent).hasSize(1);
        byte[] message = sent.get(0);
        assertThat(message).hasSize(56 + 1000).endsWith(5);
        assertThat(RmppLink.flags(message)).isEqualTo(ACTIVE);
        assertThat(Rmpp.type(message)).isZero();
        assertThat(SaMad.RMPP_VERSION.get(message, 0)).isZero();
        assertThat(whole.openCount()).isEqualTo(1);
        whole.receive(RmppLink.control(7, Rmpp.ACK, 0, 1, 9));
        assertThat(whole.stats().strays()).isEqualTo(1);
        runMs(51);
        assertThat(whole.openCount()).isZero();
        assertThat(whole.openBytes()).isZero();
        assertThat(whole.stats().completed()).isEqualTo(1);
        whole.send(RmppLink.request(RmppLink.RECEIVER, 8), RmppLink.header(8), data);
        whole.undelivered(new MadFrame(RmppLink.RECEIVER, RmppLink.header(8), true));
        runMs(0);
        assertThat(whole.openCount()).isZero();
        assertThat(whole.stats().unacknowledged()).isEqualTo(1);
    }

    @Test
    void aSegmentThatComesBackUndeliveredEndsTheTransactionQuietly() {
        begin(7, 1000);
        byte[] segment = sent.get(0);
        segments();
        sender.undelivered(new MadFrame(RmppLink.RECEIVER, segment, true));
        runMs(5000);
        assertThat(sent).isEmpty();
        assertThat(sender.stats().unacknowledged()).isEqualTo(1);
    }
}
