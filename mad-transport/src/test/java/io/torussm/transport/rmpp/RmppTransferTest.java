package io.torussm.transport.rmpp;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Method;
import io.torussm.mad.sa.SaMad;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Sender and receiver together, and the receiver's rules (IBA 13.6.3). */
class RmppTransferTest {
    private static final RmppSender.Limits SENDING = new RmppSender.Limits(50, 20, 60_000, 64, 64, 1 << 20, 16_000);
    private static final RmppReceiver.Limits RECEIVING =
            new RmppReceiver.Limits(8, 2000, 60_000, 1000, 32, 16, 1 << 20, 1 << 20, 1000);

    private static RmppLink link(long seed) {
        return new RmppLink(seed, SENDING, RECEIVING);
    }

    private static void runMs(RmppLink link, int ms) {
        link.loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private static void assertNothingIsLeft(RmppLink link) {
        assertThat(link.sender.openCount()).isZero();
        assertThat(link.sender.openBytes()).isZero();
        assertThat(link.receiver.openCount()).isZero();
        assertThat(link.receiver.openBytes()).isZero();
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "199", "200", "201", "400", "1600", "1601", "100000"})
    void overALinkThatLosesNothingEverySizeArrivesWithoutRepetition(int length) {
        RmppLink link = link(1);
        byte[] table = link.table(length);
        link.sender.send(RmppLink.request(RmppLink.RECEIVER, 5), RmppLink.header(5), table);
        runMs(link, 10_000);
        assertThat(link.completed).singleElement().isEqualTo(table);
        assertThat(link.toReceiver).hasSize(Math.max(1, (length + 199) / 200));
        assertThat(link.sender.stats().completed()).isEqualTo(1);
        assertNothingIsLeft(link);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void overABadLinkEveryTableArrivesWholeOrNotAtAllAndNothingLeaks(long seed) {
        Random sizes = Seeds.random(seed);
        for (int round = 0; round < 20; round++) {
            RmppLink link = link(seed * 100 + round);
            link.lossPercent = sizes.nextInt(60);
            link.repeatPercent = sizes.nextInt(30);
            link.jitterUs = sizes.nextInt(20_000);
            byte[] table = link.table(sizes.nextInt(20_000));
            link.answer(round, table);
            runMs(link, 200_000);
            assertThat(link.completed.size() + link.failed.size()).isLessThanOrEqualTo(2);
            assertThat(link.completed)
                    .allSatisfy(received -> assertThat(received).isEqualTo(table));
            if (link.sender.stats().completed() == 1) {
                assertThat(link.completed).isNotEmpty();
            }
            assertNothingIsLeft(link);
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void manyTransfersAtOnceDoNotMix(long seed) {
        RmppLink link = link(seed);
        link.lossPercent = 10;
        link.repeatPercent = 10;
        link.jitterUs = 3000;
        byte[][] tables = new byte[10][];
        for (int i = 0; i < tables.length; i++) {
            tables[i] = link.table(1000 * i + 17);
            link.answer(i, tables[i]);
        }
        runMs(link, 200_000);
        assertThat(link.completed).hasSize(tables.length).containsExactlyInAnyOrder(tables);
        assertNothingIsLeft(link);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void noSegmentIsSentBeyondTheWindowThatWasOpenThen(long seed) {
        RmppLink link = link(seed);
        link.lossPercent = 20;
        link.answer(5, link.table(8000));
        runMs(link, 60_000);
        assertThat(link.toReceiver).hasSizeGreaterThan(10);
        assertThat(link.beyondWindow).isZero();
    }

    private static MadFrame data(long segment, int flags, long payloadLength) {
        byte[] mad = RmppLink.header(5);
        Rmpp.write(mad, Rmpp.DATA, flags, 0, segment, payloadLength);
        return new MadFrame(RmppLink.SENDER, mad);
    }

    @ParameterizedTest(name = "segment {0} flags {1} length {2}: {3}")
    @CsvSource({
        "1, 0, 0, 120", // segment 1 without First
        "2, 2, 0, 120", // First on segment 2
        "70, 0, 0, 123", // beyond the window
        "2, 4, 19, 119", // last segment shorter than its header
        "2, 4, 221, 119", // longer than a segment
        "2, 4, 100, 119", // contradicts the length in the first
    })
    void contradictionsAreAnsweredByAnAbortThatSaysWhy(long segment, int flags, long length, int status) {
        RmppLink link = link(1);
        link.receiver.receive(data(1, SaMad.FLAG_FIRST, 660));
        link.receiver.receive(data(segment, flags, length));
        runMs(link, 0);
        byte[] last = link.toSender.get(link.toSender.size() - 1);
        assertThat(Rmpp.type(last)).isEqualTo(Rmpp.ABORT);
        assertThat(RmppLink.rmppStatus(last)).isEqualTo(status);
        assertThat(link.failed).containsExactly(status);
        assertNothingIsLeft(link);
    }

    @Test
    void segmentsOfNoTransferAreCountedWhetherRefusedOrDropped() {
        RmppLink link = link(1);
        MadFrame ofNewVersion = data(1, SaMad.FLAG_FIRST, 0);
        SaMad.RMPP_VERSION.set(ofNewVersion.mad(), 0, Rmpp.VERSION + 1L);
        List<MadFrame> segments = List.of(data(1, 0, 0), data(2, SaMad.FLAG_FIRST, 0), data(2, 0, 0), ofNewVersion);
        segments.forEach(link.receiver::receive);
        runMs(link, 0);
        assertThat(link.toSender).hasSize(3);
        assertThat(link.receiver.strays()).isEqualTo(segments.size());
        assertThat(link.failed).isEmpty();
    }

    @Test
    void moreSegmentsThanAnnouncedAreRefused() {
        RmppLink link = link(1);
        link.receiver.receive(data(1, SaMad.FLAG_FIRST, 300));
        link.receiver.receive(data(2, 0, 0));
        runMs(link, 0);
        assertThat(link.failed).containsExactly(Rmpp.INCONSISTENT_LAST);
    }

    @Test
    void aTransferWithoutAnAnnouncedLengthIsAccepted() {
        RmppLink link = link(1);
        link.receiver.receive(data(1, SaMad.FLAG_FIRST, 0));
        link.receiver.receive(data(2, SaMad.FLAG_LAST, 30));
        runMs(link, 0);
        assertThat(link.completed).singleElement().satisfies(data -> assertThat(data)
                .hasSize(210));
    }

    @Test
    void anAckIsARequestForTheSenderOfAResponseAndOpensTheWindow() {
        RmppLink link = link(1);
        link.receiver.receive(data(1, SaMad.FLAG_FIRST, 0));
        runMs(link, 0);
        byte[] ack = link.toSender.get(0);
        assertThat(Rmpp.type(ack)).isEqualTo(Rmpp.ACK);
        assertThat(ack[3] & 0xff).isEqualTo(Method.GET_TABLE);
        assertThat(RmppLink.segment(ack)).isEqualTo(1);
        assertThat(RmppLink.payloadLength(ack)).isEqualTo(9);
        assertThat(RmppLink.tid(ack)).isEqualTo(5);
    }

    @Test
    void aSenderWhoseLastAckWasLostGetsAnotherOne() {
        RmppLink link = link(1);
        MadFrame only = data(1, SaMad.FLAG_FIRST | SaMad.FLAG_LAST, 120);
        link.receiver.receive(only);
        link.receiver.receive(only);
        runMs(link, 0);
        assertThat(link.completed).hasSize(1);
        assertThat(link.toSender).hasSize(2).allMatch(mad -> Rmpp.type(mad) == Rmpp.ACK);
        runMs(link, 1001);
        assertNothingIsLeft(link);
    }

    @Test
    void aSenderThatFallsSilentIsGivenUp() {
        RmppLink link = link(1);
        link.receiver.receive(data(1, SaMad.FLAG_FIRST, 0));
        runMs(link, 1999);
        assertThat(link.failed).isEmpty();
        runMs(link, 2);
        assertThat(link.failed).containsExactly(Rmpp.TOTAL_TIME_TOO_LONG);
        assertNothingIsLeft(link);
    }

    @Test
    void excessiveTransfersAreStopped() {
        RmppLink link =
                new RmppLink(1, SENDING, new RmppReceiver.Limits(8, 2000, 60_000, 1000, 4, 2, 3000, 3000, 1000));
        link.sender.send(RmppLink.request(RmppLink.RECEIVER, 1), RmppLink.header(1), link.table(10_000));
        runMs(link, 100);
        assertThat(link.failed).containsExactly(Rmpp.RESOURCES_EXHAUSTED);
        assertThat(link.sender.stats().stopped()).isEqualTo(1);
        for (int tid = 2; tid < 5; tid++) {
            byte[] first = RmppLink.header(tid);
            Rmpp.write(first, Rmpp.DATA, SaMad.FLAG_FIRST, 0, 1, 0);
            link.receiver.receive(new MadFrame(RmppLink.SENDER, first));
        }
        runMs(link, 0);
        assertThat(link.receiver.openCount()).isEqualTo(2);
        byte[] last = link.toSender.get(link.toSender.size() - 1);
        assertThat(Rmpp.type(last)).isEqualTo(Rmpp.STOP);
        assertThat(RmppLink.rmppStatus(last)).isEqualTo(Rmpp.RESOURCES_EXHAUSTED);
        runMs(link, 5000);
        assertNothingIsLeft(link);
    }

    @Test
    void finishedTransfersTakeNoRoomOfOpenOnesAndAreBoundedThemselves() {
        RmppLink link =
                new RmppLink(1, SENDING, new RmppReceiver.Limits(8, 2000, 60_000, 1000, 2, 2, 3000, 3000, 1000));
        for (int tid = 2; tid < 50; tid++) {
            link.sender.send(RmppLink.request(RmppLink.RECEIVER, tid), RmppLink.header(tid), link.table(10));
            runMs(link, 1);
        }
        assertThat(link.completed).hasSize(48);
        assertThat(link.receiver.openCount()).isEqualTo(2);
        runMs(link, 1001);
        assertNothingIsLeft(link);
    }

    /** A request whose last ACK was lost would be executed twice. */
    @Test
    void aSenderOfManyRequestsLeavesThoseOfOthersRemembered() {
        RmppLink link = link(1);
        MadFrame only = data(1, SaMad.FLAG_FIRST | SaMad.FLAG_LAST, 120);
        link.receiver.receive(only);
        MadAddress busy = new MadAddress(3, 1, 0, 0);
        for (int tid = 0; tid < 2 * RECEIVING.maxOpen(); tid++) {
            byte[] mad = RmppLink.header(tid);
            Rmpp.write(mad, Rmpp.DATA, SaMad.FLAG_FIRST | SaMad.FLAG_LAST, 0, 1, 120);
            link.receiver.receive(new MadFrame(busy, mad));
        }
        link.receiver.receive(only);
        runMs(link, 0);
        assertThat(link.completed).hasSize(1 + 2 * RECEIVING.maxOpen());
        assertThat(link.receiver.openCount()).isEqualTo(RECEIVING.maxOpen());
        runMs(link, 1001);
        assertNothingIsLeft(link);
    }

    @Test
    void stopAndAbortOfTheSenderEndTheTransfer() {
        RmppLink link = link(1);
        link.receiver.receive(data(1, SaMad.FLAG_FIRST, 0));
        byte[] abort = RmppLink.header(5);
        Rmpp.write(abort, Rmpp.ABORT, 0, Rmpp.TOO_MANY_RETRIES, 0, 0);
        link.receiver.receive(new MadFrame(RmppLink.SENDER, abort));
        runMs(link, 0);
        assertThat(link.failed).containsExactly(Rmpp.TOO_MANY_RETRIES);
        assertNothingIsLeft(link);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void randomHeadersNeitherThrowNorLeak(long seed) {
        RmppLink link = link(seed);
        Random random = Seeds.random(seed, "headers");
        for (int i = 0; i < 5000; i++) {
            byte[] mad = RmppLink.header(random.nextInt(4));
            Rmpp.write(
                    mad, random.nextInt(6), random.nextInt(8), random.nextInt(20) == 0 ? 9 : 0, random.nextInt(6), 0);
            SaMad.DATA2.set(mad, 0, random.nextInt(3) == 0 ? random.nextInt() & 0xffffffffL : random.nextInt(240));
            link.sender.send(
                    RmppLink.request(RmppLink.RECEIVER, i % 4), RmppLink.header(i % 4), new byte[random.nextInt(1000)]);
            link.receiver.receive(new MadFrame(RmppLink.SENDER, mad));
            link.sender.receive(new MadFrame(RmppLink.RECEIVER, mad));
            runMs(link, random.nextInt(3));
        }
        runMs(link, 200_000);
        assertNothingIsLeft(link);
    }
}
