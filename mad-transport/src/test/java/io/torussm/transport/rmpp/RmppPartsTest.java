package io.torussm.transport.rmpp;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.testing.BoundedWait;
import io.torussm.testing.Seeds;
import java.util.Arrays;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that are handed over part by part, so that they are whole at the receiver only. */
class RmppPartsTest {
    private static final int MAX_HELD_BYTES = 4_000;
    private static final RmppSender.Limits SENDING =
            new RmppSender.Limits(50, 20, 60_000, 64, 64, 1 << 20, MAX_HELD_BYTES);
    private static final RmppReceiver.Limits RECEIVING =
            new RmppReceiver.Limits(8, 2000, 60_000, 1000, 16, 16, 1 << 20, 4 << 20, 1000);

    private final RmppLink link = new RmppLink(1, SENDING, RECEIVING);

    /** Makes the parts of a table, immediately or on demand of the test, and counts unacknowledged parts. */
    private static final class Parts implements RmppSender.PartSource {
        final RmppLink link;
        final byte[] table;
        final Random sizes;
        boolean isOnDemand;
        int suppliedBytes;
        int requestCount;
        int maxAheadBytes;
        RmppSender.@Nullable PartReceiver waiting;

        Parts(RmppLink link, byte[] table, Random sizes) {
            this.link = link;
            this.table = table;
            this.sizes = sizes;
        }

        byte[] first() {
            suppliedBytes = Math.min(table.length, 1 + sizes.nextInt(MAX_HELD_BYTES));
            return Arrays.copyOf(table, suppliedBytes);
        }

        @Override
        public void requestNext(int maxBytes, RmppSender.PartReceiver taker) {
            requestCount++;
            waiting = taker;
            if (!isOnDemand) {
                supply(maxBytes);
            }
        }

        void supply(int maxBytes) {
            int end = Math.min(table.length, suppliedBytes + 1 + sizes.nextInt(maxBytes));
            byte[] part = Arrays.copyOfRange(table, suppliedBytes, end);
            suppliedBytes = end;
            maxAheadBytes = Math.max(maxAheadBytes, suppliedBytes - 200 * (int) link.acknowledged);
            RmppSender.PartReceiver taker = waiting;
            waiting = null;
            if (taker != null) {
                taker.supply(part, suppliedBytes == table.length);
            }
        }
    }

    private void runMs(int ms) {
        link.loop.runFor(TimeUnit.MILLISECONDS.toNanos(ms));
    }

    private static boolean begin(RmppLink link, Parts parts) {
        return link.sender.send(RmppLink.request(RmppLink.RECEIVER, 5), RmppLink.header(5), parts.first(), parts);
    }

    @ParameterizedTest(name = "seed {0}")
    @MethodSource("io.torussm.testing.Seeds#few")
    void aTableArrivesWholeWhileNoMoreOfItIsHeldThanSoMuch(long seed) {
        Random random = Seeds.random(seed);
        Random sizes = Seeds.random(seed, "sizes of parts");
        for (int round = 0; round < 10; round++) {
            RmppLink bad = new RmppLink(seed * 100 + round, SENDING, RECEIVING);
            bad.lossPercent = random.nextInt(20);
            bad.repeatPercent = random.nextInt(20);
            bad.jitterUs = random.nextInt(5_000);
            Parts parts = new Parts(bad, bad.table(MAX_HELD_BYTES + random.nextInt(200_000)), sizes);
            assertThat(begin(bad, parts)).isTrue();
            bad.loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
            assertThat(bad.sender.openBytes()).isEqualTo(MAX_HELD_BYTES);
            bad.answer(5, new byte[0]); // the request, now and then again
            bad.loop.runFor(TimeUnit.SECONDS.toNanos(300));
            assertThat(bad.completed).singleElement().isEqualTo(parts.table);
            assertThat(parts.maxAheadBytes).isLessThanOrEqualTo(MAX_HELD_BYTES);
            assertThat(bad.sender.openCount()).isZero();
            assertThat(bad.sender.openBytes()).isZero();
        }
    }

    @Test
    void theLengthIsNotAnnouncedAndNoFullSegmentWaitsForTheNextPart() {
        Parts parts = new Parts(link, link.table(1_000), Seeds.random(1));
        parts.isOnDemand = true;
        link.sender.send(
                RmppLink.request(RmppLink.RECEIVER, 5), RmppLink.header(5), Arrays.copyOf(parts.table, 700), parts);
        parts.suppliedBytes = 700;
        runMs(10);
        assertThat(link.toReceiver.stream().map(RmppLink::segment)).containsExactly(1L, 2L, 3L);
        assertThat(link.toReceiver.stream().map(RmppLink::payloadLength)).containsOnly(0L);
    }

    /** The source detects only at a request that it has no more. */
    @ParameterizedTest
    @CsvSource({"600", "700"})
    void aLastPartOfNothingEndsTheTable(int length) {
        Parts parts = new Parts(link, link.table(length), Seeds.random(1));
        parts.isOnDemand = true;
        link.sender.send(RmppLink.request(RmppLink.RECEIVER, 5), RmppLink.header(5), parts.table, parts);
        parts.suppliedBytes = length;
        runMs(10);
        assertThat(link.completed).isEmpty();
        parts.supply(1_000);
        runMs(10);
        assertThat(link.completed).singleElement().isEqualTo(parts.table);
        assertThat(link.sender.stats().completed()).isEqualTo(1);
    }

    @Test
    void aReceiverThatWaitsForThePartsIsNotBlamed() {
        Parts parts = new Parts(link, link.table(10_000), Seeds.random(1));
        parts.isOnDemand = true;
        begin(link, parts);
        runMs(1_900);
        assertThat(link.sender.openCount()).isEqualTo(1);
        parts.isOnDemand = false;
        parts.supply(1_000);
        runMs(100);
        assertThat(link.completed).singleElement().isEqualTo(parts.table);
    }

    @Test
    void partsThatNeverComeCostTheTransactionInTime() {
        Parts parts = new Parts(link, link.table(10_000), Seeds.random(1));
        parts.isOnDemand = true;
        begin(link, parts);
        runMs(59_000);
        assertThat(parts.requestCount).isEqualTo(1);
        runMs(2_000);
        assertThat(link.sender.openCount()).isZero();
        assertThat(link.sender.openBytes()).isZero();
        parts.supply(1_000);
        runMs(10);
        assertThat(parts.requestCount).isEqualTo(1);
    }

    @Test
    void aReceiverThatFallsSilentIsAskedForNothingMoreAndGivenUp() {
        Parts parts = new Parts(link, link.table(100_000), Seeds.random(1));
        begin(link, parts);
        BoundedWait.until(link.loop, "parts are requested", () -> parts.requestCount > 5, TimeUnit.SECONDS.toNanos(1));
        link.lossPercent = 100;
        runMs(1);
        int asked = parts.requestCount;
        runMs(10_000);
        assertThat(parts.requestCount).isEqualTo(asked);
        assertThat(link.sender.openCount()).isZero();
        assertThat(link.sender.stats().aborted()).isEqualTo(1);
    }

    @Test
    void aTableThatCannotBeFinishedIsAborted() {
        Parts parts = new Parts(link, link.table(10_000), Seeds.random(1));
        parts.isOnDemand = true;
        begin(link, parts);
        runMs(100);
        RmppSender.PartReceiver taker = Objects.requireNonNull(parts.waiting);
        taker.giveUp();
        taker.giveUp();
        runMs(10);
        assertThat(link.failed).containsExactly(Rmpp.UNSPECIFIED);
        assertThat(link.sender.openCount()).isZero();
        assertThat(link.sender.stats().aborted()).isEqualTo(1);
    }

    @Test
    void unfinishedTransfersAreKnownAndCanBeEnded() {
        Parts parts = new Parts(link, link.table(10_000), Seeds.random(1));
        parts.isOnDemand = true;
        begin(link, parts);
        link.sender.send(RmppLink.request(RmppLink.RECEIVER, 6), RmppLink.header(6), new byte[500]);
        runMs(20);
        assertThat(link.sender.unfinishedSources()).containsExactly(parts);
        link.sender.giveUp(parts);
        link.sender.giveUp(parts);
        runMs(10);
        assertThat(link.sender.unfinishedSources()).isEmpty();
        assertThat(link.failed).containsExactly(Rmpp.UNSPECIFIED);
        assertThat(link.completed).hasSize(1);
    }

    /** The resources of the source can be released then. */
    @Test
    void anOpenTableWithAllItsPartsIsNotUnfinished() {
        Parts parts = new Parts(link, link.table(3_000), Seeds.random(1));
        link.lossPercent = 100;
        link.sender.send(
                RmppLink.request(RmppLink.RECEIVER, 5), RmppLink.header(5), Arrays.copyOf(parts.table, 2_000), parts);
        parts.suppliedBytes = 2_000;
        runMs(1);
        assertThat(link.sender.openCount()).isEqualTo(1);
        assertThat(link.sender.unfinishedSources()).isEmpty();
    }
}
