package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MultiPathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import io.torussm.transport.rmpp.Rmpp;
import io.torussm.transport.rmpp.RmppReceiver;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Requests of several segments, valid and invalid. */
class SegmentedRequestTest {
    private static final int FIRST = SaMad.FLAG_ACTIVE | SaMad.FLAG_FIRST;
    private static final int MIDDLE = SaMad.FLAG_ACTIVE;
    private static final int LAST = SaMad.FLAG_ACTIVE | SaMad.FLAG_LAST;
    private static final RmppReceiver.Limits LIMITS = RmppReceiver.Limits.REQUESTS;

    private final SmallTorus torus = new SmallTorus();
    private final SaHarness harness = new SaHarness(torus);

    /** Returns a segment of a request from this number of hosts to host 8. */
    private byte[] segment(long tid, int sources, int flags, int number, long payload) {
        byte[] all = new byte[8192];
        MultiPathRecord.SGID_COUNT.set(all, 0, sources);
        MultiPathRecord.DGID_COUNT.set(all, 0, 1);
        for (int i = 0; i <= sources; i++) {
            int host = i == sources ? 8 : i % 8;
            new Gid(SmallTorus.PREFIX, SmallTorus.hostGuid(host) + 1).write(all, 24 + 16 * i);
        }
        long mask = MultiPathRecord.COMPONENTS.bit(MultiPathRecord.SGID_COUNT)
                | MultiPathRecord.COMPONENTS.bit(MultiPathRecord.DGID_COUNT);
        byte[] mad = SaMad.request(Method.GET_MULTI, tid, MultiPathRecord.TYPE.id(), 0, mask);
        SaMad.RMPP_VERSION.set(mad, 0, Rmpp.VERSION);
        SaMad.RMPP_TYPE.set(mad, 0, Rmpp.DATA);
        SaMad.RMPP_FLAGS.set(mad, 0, flags);
        SaMad.DATA1.set(mad, 0, number);
        SaMad.DATA2.set(mad, 0, payload);
        int from = (number - 1) * SaMad.DATA_SIZE % 8000;
        System.arraycopy(all, from, mad, SaMad.DATA_OFFSET, Math.min(SaMad.DATA_SIZE, all.length - from));
        return mad;
    }

    private List<byte[]> send(MadAddress from, byte[] mad) {
        harness.sent.clear();
        harness.sa.onMad(new MadFrame(from, mad));
        harness.loop.runFor(TimeUnit.MICROSECONDS.toNanos(1));
        return harness.sent.stream().map(MadFrame::mad).toList();
    }

    private List<byte[]> send(byte[] mad) {
        return send(harness.requester, mad);
    }

    private static boolean isStop(List<byte[]> answers) {
        return answers.size() == 1
                && Rmpp.type(answers.get(0)) == Rmpp.STOP
                && SaMad.RMPP_STATUS.get(answers.get(0), 0) == Rmpp.RESOURCES_EXHAUSTED;
    }

    /** 12 GIDs are the fewest that do not fit one segment, and one more than is served. */
    @Test
    void aRequestOfSeveralSegmentsIsPutTogetherAcknowledgedAndAnswered() {
        List<byte[]> first = send(segment(1, 11, FIRST, 1, 216 + 40));
        assertThat(first).singleElement().satisfies(ack -> {
            assertThat(Rmpp.type(ack)).isEqualTo(Rmpp.ACK);
            assertThat(SaMad.DATA2.get(ack, 0)).as("NewWindowLast").isEqualTo(LIMITS.window() + 1);
            assertThat(SaMad.SM_KEY.get(ack, 0)).isZero();
        });
        List<byte[]> second = send(segment(1, 11, LAST, 2, 36));
        assertThat(second).hasSize(2);
        assertThat(Rmpp.type(second.get(0))).isEqualTo(Rmpp.ACK);
        assertThat(MadHeader.status(second.get(1))).isEqualTo(MadStatus.SA_NO_RESOURCES);
        assertThat(MadHeader.attributeId(second.get(1))).isEqualTo(0x35);
    }

    @Test
    void aRepeatedSegmentIsAcknowledgedAgainAndAnsweredOnce() {
        byte[] whole = segment(1, 2, FIRST | LAST, 1, 24 + 48 + 20);
        assertThat(send(whole)).hasSizeGreaterThan(1);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        assertThat(send(whole)).singleElement().satisfies(ack -> assertThat(Rmpp.type(ack))
                .isEqualTo(Rmpp.ACK));
        assertThat(harness.sa.stats().requests()).isEqualTo(1);
    }

    /** The requester's ACK of segment 0, which reverses the transfer, is valid. */
    @Test
    void theTurningOfTheTransferIsNotCountedAsStray() {
        harness.workers = task -> {}; // No answer is sent until a worker runs.
        send(segment(1, 2, FIRST | LAST, 1, 24 + 48 + 20));
        byte[] turn = segment(1, 2, SaMad.FLAG_ACTIVE, 1, 1);
        SaMad.RMPP_TYPE.set(turn, 0, Rmpp.ACK);
        SaMad.DATA1.set(turn, 0, 0);
        assertThat(send(turn)).isEmpty();
        assertThat(harness.sa.stats().dropped()).isZero();
    }

    /** Found by the hostile MADs of storm 253. */
    @Test
    void aPacketOfNoTransferIsCountedForAnyType() {
        for (int type = Rmpp.DATA; type <= 255; type++) {
            byte[] stray = segment(type, 2, MIDDLE, 5, 1);
            SaMad.RMPP_TYPE.set(stray, 0, type);
            assertThat(send(stray)).isEmpty();
            assertThat(harness.sa.stats().dropped()).as("type %d", type).isEqualTo(type);
        }
    }

    @Test
    void aSenderWithoutEndIsStoppedBeforeItsSegmentsFillTheMemory() {
        int number = 1;
        List<byte[]> answers = send(segment(1, 11, FIRST, 1, 0));
        while (!isStop(answers)) {
            number++;
            assertThat(number).isLessThanOrEqualTo(LIMITS.maxTransferBytes() / SaMad.DATA_SIZE + 1);
            answers = send(segment(1, 11, MIDDLE, number, 0));
        }
        assertThat(harness.sa.openRequests()).isZero();
        assertThat(harness.sa.stats().dropped()).isEqualTo(1);
    }

    @Test
    void oneLidCannotTakeAllTheRoomWithManyQueuePairs() {
        for (int i = 0; i < 100; i++) {
            MadAddress qp = new MadAddress(harness.requester.lid(), i + 1, 0, 0);
            assertThat(isStop(send(qp, segment(i, 11, FIRST, 1, 0)))).isEqualTo(i >= LIMITS.maxOpenPerSender());
        }
        assertThat(harness.sa.openRequests()).isEqualTo(LIMITS.maxOpenPerSender());
        MadAddress other = new MadAddress(torus.hostLid(5), 1, 0, 0);
        assertThat(isStop(send(other, segment(1, 11, FIRST, 1, 0)))).isFalse();
    }

    /** With LMC 3 a port has 8 LIDs. If each were a sender, the port would take the bytes of all requests. */
    @Test
    void aPortWithSeveralLidsLeavesRoomForOthers() {
        SmallTorus several = new SmallTorus(3, (guid, portNum, usual) -> usual);
        SaHarness other = new SaHarness(several);
        for (int i = 0; i < 8 * LIMITS.maxOpenPerSender(); i++) {
            MadAddress path = new MadAddress(several.hostLid(4) + i % 8, 1 + i / 8, 0, 0);
            for (int number = 1; number <= 35; number++) {
                other.sa.onMad(new MadFrame(path, segment(i, 11, number == 1 ? FIRST : MIDDLE, number, 0)));
                other.loop.runFor(0);
            }
        }
        assertThat(other.sa.openRequests()).isEqualTo(LIMITS.maxOpenPerSender());
        other.sent.clear();
        for (int number = 1; number <= 35; number++) {
            MadAddress honest = new MadAddress(several.hostLid(5), 1, 0, 0);
            other.sa.onMad(new MadFrame(honest, segment(1, 11, number == 1 ? FIRST : MIDDLE, number, 0)));
            other.loop.runFor(0);
        }
        assertThat(other.sent).noneMatch(frame -> Rmpp.type(frame.mad()) == Rmpp.STOP);
    }

    @Test
    void aTransferFromASilentSenderIsAborted() {
        send(segment(1, 11, FIRST, 1, 0));
        harness.sent.clear();
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(LIMITS.timeoutMs()));
        assertThat(harness.sent).singleElement().satisfies(frame -> {
            assertThat(Rmpp.type(frame.mad())).isEqualTo(Rmpp.ABORT);
            assertThat(SaMad.RMPP_STATUS.get(frame.mad(), 0)).isEqualTo(Rmpp.TOTAL_TIME_TOO_LONG);
        });
        assertThat(harness.sa.openRequests()).isZero();
    }

    @Test
    void aTransferFromASlowSenderIsAbortedAtTheTotalTime() {
        send(segment(1, 11, FIRST, 1, 0));
        long patienceNs = TimeUnit.MILLISECONDS.toNanos(LIMITS.timeoutMs() - 1);
        int number = 2;
        while (harness.sa.openRequests() > 0) {
            harness.loop.runFor(patienceNs);
            send(segment(1, 11, MIDDLE, number++, 0));
            assertThat((number - 3) * patienceNs).isLessThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(LIMITS.totalMs()));
        }
    }

    @Test
    void aSenderMayGiveUp() {
        for (int type : new int[] {Rmpp.STOP, Rmpp.ABORT}) {
            send(segment(1, 11, FIRST, 1, 0));
            byte[] end = segment(1, 11, MIDDLE, 1, 0);
            SaMad.RMPP_TYPE.set(end, 0, type);
            SaMad.RMPP_STATUS.set(end, 0, Rmpp.RESOURCES_EXHAUSTED);
            assertThat(send(end)).isEmpty();
            assertThat(harness.sa.openRequests()).isZero();
        }
    }

    @Test
    void aRequesterWithoutPermissionIsNotAcknowledged() {
        assertThat(send(new MadAddress(0x4711, 1, 0, 0), segment(1, 11, FIRST, 1, 0)))
                .isEmpty();
        byte[] wrongKey = segment(1, 11, FIRST, 1, 0);
        SaMad.SM_KEY.set(wrongKey, 0, 99);
        assertThat(send(wrongKey)).isEmpty();
        assertThat(harness.sa.openRequests()).isZero();
        assertThat(harness.sa.stats().dropped()).isEqualTo(2);
    }

    /**
     * Any order of any segments, from all hosts simultaneously: the number of open requests is always bounded,
     * and none is left at the end.
     */
    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void chaosIsBounded(long seed) {
        Random random = Seeds.random(seed);
        for (int i = 0; i < 20_000; i++) {
            MadAddress from = new MadAddress(torus.hostLid(random.nextInt(9)), 1 + random.nextInt(3), 0, 0);
            byte[] mad =
                    segment(random.nextInt(20), random.nextInt(300) % 255, random.nextInt(8), 1 + random.nextInt(5), 0);
            SaMad.DATA2.set(mad, 0, random.nextInt(4) == 0 ? random.nextInt() & 0xffff_ffffL : random.nextInt(260));
            SaMad.RMPP_TYPE.set(mad, 0, random.nextInt(10) == 0 ? random.nextInt(7) : Rmpp.DATA);
            if (random.nextInt(3) == 0) {
                SaMad.DATA1.set(mad, 0, random.nextInt(3));
            }
            send(from, mad);
            assertThat(harness.sa.openRequests()).isLessThanOrEqualTo(9 * LIMITS.maxOpenPerSender() + LIMITS.maxOpen());
            if (random.nextInt(200) == 0) {
                harness.loop.runFor(TimeUnit.SECONDS.toNanos(random.nextInt(8)));
            }
        }
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(5));
        assertThat(harness.sa.openRequests()).isZero();
        assertThat(harness.sa.openTables()).isZero();
        assertThat(harness.sa.stats().defects()).isZero();
        assertThat(harness.sa.stats().requests()).isGreaterThan(100);
    }
}
