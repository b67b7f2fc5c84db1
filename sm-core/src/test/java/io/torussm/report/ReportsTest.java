package io.torussm.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.Notice;
import io.torussm.testing.LoggedEvents;
import io.torussm.testing.LoggedEvents.LoggedEvent;
import io.torussm.testing.Seeds;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The delivery or loss of Reports, and its cost for other subscribers. */
class ReportsTest {
    private static final int TRIES = ReportHarness.RETRIES + 1;

    /** Milliseconds until an unanswered Report is lost. */
    private static final int LOST_MS = TRIES * ReportHarness.TIMEOUT_MS * 5 / 4 + 20;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final ReportHarness harness = new ReportHarness();

    private void subscribeAndStart(int... hosts) {
        IntStream.of(hosts).forEach(host -> harness.subscribe(host, InformInfo.ANY));
        harness.publish(harness.view);
    }

    private void publishEvent(int host) {
        harness.reporter.forward(Notice.linkStateChange(harness.lid(host)));
    }

    private ReportStats stats() {
        return harness.reporter.stats();
    }

    private MadFrame lastFrame() {
        return harness.sentFrames.get(harness.sentFrames.size() - 1);
    }

    @Test
    void aReportThatIsAnsweredIsSentOnce() {
        subscribeAndStart(4);
        publishEvent(7);
        harness.advanceMs(60_000);
        assertThat(harness.sentFrames).hasSize(1);
        assertThat(stats()).isEqualTo(new ReportStats(1, 0, 1, 0, 0, 0));
        assertThat(stats().line()).isEqualTo("sent 1, resent 0, answered 1, lost 0, dropped 0, late 0");
    }

    @Test
    void anUnansweredReportIsRepeatedAndTheSubscriptionStays() {
        subscribeAndStart(4);
        harness.deadHosts.add(harness.lid(4));
        publishEvent(7);
        harness.advanceMs(LOST_MS);
        assertThat(harness.sentFrames)
                .hasSize(TRIES)
                .extracting(frame -> MadHeader.tid(frame.mad()))
                .containsOnly(MadHeader.tid(lastFrame().mad()));
        assertThat(stats()).isEqualTo(new ReportStats(1, TRIES - 1, 0, 1, 0, 0));
        assertThat(harness.subscriptions.view()).hasSize(1);
        LoggedEvent unanswered = log.only(SmEvent.REPORT_UNANSWERED);
        assertThat(unanswered.get(EventField.NAME)).contains("QP 17");
        assertThat(unanswered.get(EventField.TRAP)).isEqualTo("128");
        assertThat(unanswered.get(EventField.TRIES)).isEqualTo(String.valueOf(TRIES));
        harness.advanceMs(60_000);
        assertThat(harness.sentFrames).hasSize(TRIES);
        harness.deadHosts.clear();
        publishEvent(7);
        assertThat(harness.reportedEvents()).hasSize(TRIES + 1);
        assertThat(stats().answered()).isEqualTo(1);
    }

    @Test
    void aSubscriberHasItsResponseTimeUpToALimit() {
        harness.subscribe(4, 1, false, ReportHarness.wants(128).with(InformInfo.RESP_TIME_VALUE, 18));
        harness.subscribe(5, 1, false, ReportHarness.wants(128).with(InformInfo.RESP_TIME_VALUE, 31));
        harness.publish(harness.view);
        harness.deadHosts.add(harness.lid(4));
        harness.deadHosts.add(harness.lid(5));
        publishEvent(7);
        harness.advanceMs(1073);
        assertThat(stats().resent()).isZero();
        harness.advanceMs(300);
        assertThat(stats().resent()).isEqualTo(1);
        harness.advanceMs(TRIES * Reports.MAX_RESPONSE_MS * 5 / 4);
        assertThat(stats().lost()).isEqualTo(2);
    }

    @Test
    void onlyTheSubscriberItselfCanAnswer() {
        subscribeAndStart(4);
        harness.deadHosts.add(harness.lid(4));
        publishEvent(7);
        harness.advanceMs(10);
        MadFrame sent = lastFrame();
        harness.answer(new MadFrame(new MadAddress(harness.lid(5), ReportHarness.QPN, 0, 0), sent.mad()));
        harness.answer(new MadFrame(new MadAddress(harness.lid(4), 99, 0, 0), sent.mad()));
        byte[] other = sent.mad().clone();
        MadHeader.TRANSACTION_ID.set(other, 0, MadHeader.tid(other) + 1);
        harness.answer(new MadFrame(sent.peer(), other));
        harness.advanceMs(0);
        assertThat(stats()).isEqualTo(new ReportStats(1, 0, 0, 0, 0, 3));
        byte[] kernels = sent.mad().clone();
        MadHeader.TRANSACTION_ID.set(kernels, 0, MadHeader.tid(kernels) | 0xabcd_0000_0000L);
        harness.answer(new MadFrame(sent.peer(), kernels));
        harness.answer(new MadFrame(sent.peer(), kernels));
        harness.advanceMs(0);
        assertThat(stats()).isEqualTo(new ReportStats(1, 0, 1, 0, 0, 4));
    }

    @Test
    void otherFramesAreForOtherReceivers() {
        assertThat(harness.reporter.received(new MadFrame(MadAddress.DIRECTED, new byte[10])))
                .isFalse();
        for (int method : new int[] {Method.GET, Method.SET, Method.REPORT, Method.GET_RESP}) {
            assertThat(harness.reporter.received(new MadFrame(MadAddress.DIRECTED, SaMad.request(method, 1, 2, 0, 0))))
                    .isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void noiseIsNoAnswer(long seed) {
        subscribeAndStart(4);
        harness.deadHosts.add(harness.lid(4));
        publishEvent(7);
        harness.advanceMs(10);
        Random random = Seeds.random(seed);
        for (int i = 0; i < 10_000; i++) {
            byte[] mad = new byte[random.nextInt(3) * 128];
            random.nextBytes(mad);
            harness.reporter.received(new MadFrame(lastFrame().peer(), mad, random.nextBoolean()));
        }
        harness.advanceMs(LOST_MS);
        assertThat(stats().answered()).isZero();
        assertThat(stats().lost()).isEqualTo(1);
    }

    @Test
    void aReportThatComesBackIsTriedAgainSoon() {
        subscribeAndStart(4);
        harness.deadHosts.add(harness.lid(4));
        publishEvent(7);
        harness.advanceMs(10);
        assertThat(harness.reporter.received(
                        new MadFrame(lastFrame().peer(), lastFrame().mad(), true)))
                .isTrue();
        harness.advanceMs(ReportHarness.TIMEOUT_MS / 4 + 2);
        assertThat(harness.sentFrames).hasSize(2);
    }

    @Test
    void aPortThatCannotSendCostsTriesAndNothingElse() {
        subscribeAndStart(4);
        harness.isOutOfOrder = true;
        publishEvent(7);
        harness.advanceMs(LOST_MS);
        assertThat(stats().lost()).isEqualTo(1);
        harness.isOutOfOrder = false;
        publishEvent(7);
        harness.advanceMs(50);
        assertThat(stats().answered()).isEqualTo(1);
    }

    @Test
    void eventsArriveInTheirOrderOneAtATime() {
        subscribeAndStart(4);
        harness.deadHosts.add(harness.lid(4));
        harness.publishWithout(7);
        harness.publishWithout();
        harness.publishWithout(7);
        harness.advanceMs(100);
        assertThat(harness.sentFrames).hasSize(1);
        harness.deadHosts.clear();
        harness.advanceMs(1000);
        assertThat(harness.reportedEvents())
                .containsExactly("65 of 7 to 4", "65 of 7 to 4", "64 of 7 to 4", "65 of 7 to 4");
    }

    @Test
    void reportsToADeadSubscriberDelayNoOtherAndEnd() {
        subscribeAndStart(1, 2, 3, 4);
        harness.deadHosts.addAll(List.of(harness.lid(1), harness.lid(2), harness.lid(3)));
        for (int i = 0; i < 20; i++) {
            publishEvent(7);
        }
        harness.advanceMs(100);
        assertThat(stats().answered()).isEqualTo(20);
        harness.advanceMs(Reports.MAX_CONSECUTIVE_LOSSES * LOST_MS);
        assertThat(stats().lost()).isEqualTo(3 * Reports.MAX_CONSECUTIVE_LOSSES);
        assertThat(stats().dropped()).isEqualTo(3 * (20 - Reports.MAX_CONSECUTIVE_LOSSES));
        harness.sentFrames.clear();
        harness.advanceMs(60_000);
        assertThat(harness.sentFrames).isEmpty();
        publishEvent(7);
        assertThat(harness.reportedEvents()).as("something new").hasSize(4);
    }

    @Test
    void theOldestOfTooManyReportsForASubscriberAreDropped() {
        subscribeAndStart(4);
        harness.deadHosts.add(harness.lid(4));
        publishEvent(6);
        harness.advanceMs(10);
        IntStream.range(0, 5).forEach(i -> publishEvent(7));
        IntStream.range(0, Reports.MAX_PER_SUBSCRIBER).forEach(i -> publishEvent(8));
        harness.advanceMs(10);
        assertThat(stats().dropped()).isEqualTo(5);
        harness.deadHosts.clear();
        harness.advanceMs(5000);
        assertThat(harness.reportedEvents())
                .startsWith("128 of 6 to 4")
                .doesNotContain("128 of 7 to 4")
                .endsWith("128 of 8 to 4");
        assertThat(stats().answered()).isEqualTo(1 + Reports.MAX_PER_SUBSCRIBER);
    }

    @Test
    void thereIsABoundForAllSubscribersTogether() {
        int subscribers = 70;
        int events = 1000;
        for (int qpn = 1; qpn <= subscribers; qpn++) {
            harness.subscribe(4, qpn, false, ReportHarness.wants(128));
        }
        harness.publish(harness.view);
        harness.deadHosts.add(harness.lid(4));
        IntStream.range(0, events).forEach(i -> {
            publishEvent(7);
            harness.advanceMs(i == 0 ? 20 : 0);
        });
        assertThat(stats().sent()).isEqualTo(subscribers);
        assertThat(stats().dropped()).isEqualTo(subscribers * (events - 1) - Reports.MAX_WAITING);
    }

    @Test
    void deadQueuePairsOfAPortLeaveRoomForALivingOne() {
        for (int qpn = 1; qpn <= Subscriptions.MAX_PER_PORT; qpn++) {
            harness.subscribe(4, qpn, false, ReportHarness.wants(qpn == 7 ? 128 : 144));
        }
        harness.publish(harness.view);
        harness.deadHosts.add(harness.lid(4));
        publishEvent(7);
        harness.advanceMs(LOST_MS);
        assertThat(stats().lost()).isEqualTo(1);
        harness.subscribe(4, 1000, false, ReportHarness.wants(128));
        assertThat(harness.subscriptions.view())
                .extracting(one -> one.subscriber().qpn())
                .hasSize(Subscriptions.MAX_PER_PORT)
                .contains(1000)
                .doesNotContain(7);
    }
}
