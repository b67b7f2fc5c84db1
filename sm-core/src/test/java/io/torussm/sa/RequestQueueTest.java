package io.torussm.sa;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

/** The load of one requester does not delay others for long. */
class RequestQueueTest {
    private static final RequestQueue.Limits LIMITS = new RequestQueue.Limits(2, 64, 16, 16);

    private final Queue<Runnable> lanes = new ArrayDeque<>();
    private final List<String> served = new ArrayList<>();
    private final RequestQueue queue = new RequestQueue(lanes::add, LIMITS, this::serve);
    private int number;
    private Runnable duringLarge = () -> {};

    private void serve(Request request, boolean isRefused) {
        Runnable part = request.part();
        if (part != null) {
            part.run();
            return;
        }
        served.add((isRefused ? "BUSY " : request.isLarge() ? "large " : "small ") + request.requester());
        if (request.isLarge() && !isRefused) {
            duringLarge.run();
        }
    }

    private RequestQueue.Disposition offer(int requester, boolean isLarge) {
        MadAddress peer = new MadAddress(requester, 1, 0, 0);
        return queue.offer(new Request(new MadFrame(peer, new byte[0]), requester, isLarge, number++));
    }

    private RequestQueue.Disposition offerPart(int requester) {
        MadAddress peer = new MadAddress(requester, 1, 0, 0);
        Request begun = new Request(new MadFrame(peer, new byte[0]), requester, true, number++);
        return queue.offer(begun.part(() -> {
            served.add("part " + requester);
            duringLarge.run();
        }));
    }

    private void runLane() {
        lanes.remove().run();
    }

    @Test
    void requestersAreServedInTurns() {
        for (int i = 0; i < 20; i++) {
            offer(1, false);
        }
        offer(2, false);
        offer(3, false);
        offer(2, false);
        runLane();
        assertThat(served.subList(0, 6))
                .containsExactly("small 1", "small 2", "small 3", "small 1", "small 2", "small 1");
        assertThat(served).hasSize(23);
        assertThat(queue.waiting()).isZero();
        assertThat(queue.maxWaiting()).isEqualTo(23);
    }

    @Test
    void aFloodLeavesRoomForANewRequester() {
        for (int i = 0; i < 1000; i++) {
            for (int hog = 1; hog <= 7; hog++) {
                offer(hog, false);
            }
        }
        assertThat(queue.waiting()).isEqualTo(7 * 8);
        for (int newcomer = 100; newcomer < 108; newcomer++) {
            assertThat(offer(newcomer, false)).isEqualTo(RequestQueue.Disposition.WAITS);
        }
        assertThat(queue.waiting()).isEqualTo(64);
        assertThat(offer(200, false)).isNotEqualTo(RequestQueue.Disposition.WAITS);
    }

    @Test
    void largeRequestsNeitherFillTheRoomOfSmallOnesNorTakeAllLanes() {
        for (int i = 0; i < 100; i++) {
            offer(1, true);
        }
        offer(2, true);
        offer(3, false);
        assertThat(lanes).hasSize(2);
        duringLarge = () -> {
            duringLarge = () -> {};
            offer(4, false);
            served.add("the other lane");
            runLane();
            served.add("the first lane again");
        };
        runLane();
        int from = served.indexOf("the other lane");
        List<String> meanwhile = served.subList(from + 1, served.indexOf("the first lane again"));
        assertThat(meanwhile).contains("small 3", "small 4").noneMatch(job -> job.startsWith("large"));
        assertThat(served.subList(0, from)).containsExactly("large 1");
        assertThat(served).contains("large 2");
        assertThat(served.indexOf("large 2")).isEqualTo(served.indexOf("the first lane again") + 1);
    }

    @Test
    void tablesAndOtherRequestsTakeTurnsAndRequestersAmongThemToo() {
        for (int i = 0; i < 3; i++) {
            offerPart(1);
            offer(3, true);
        }
        offerPart(2);
        runLane();
        assertThat(served).containsExactly("part 1", "large 3", "part 2", "large 3", "part 1", "large 3", "part 1");
    }

    @Test
    void aPartKeepsNoSmallRequestWaiting() {
        offerPart(1);
        offerPart(1);
        offer(2, false);
        assertThat(lanes).hasSize(2);
        duringLarge = () -> {
            duringLarge = () -> {};
            runLane();
            assertThat(served).containsExactly("part 1", "small 2");
            assertThat(queue.claimImmediateAnswer(0)).isFalse();
        };
        runLane();
        assertThat(served).containsExactly("part 1", "small 2", "part 1");
    }

    @Test
    void aPartWithoutRoomIsNotAnswered() {
        List<RequestQueue.Disposition> dispositions = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            dispositions.add(offerPart(1));
        }
        assertThat(dispositions).contains(RequestQueue.Disposition.WAITS, RequestQueue.Disposition.IS_DROPPED);
        assertThat(dispositions).doesNotContain(RequestQueue.Disposition.IS_REFUSED);
        assertThat(queue.waiting()).isZero();
        assertThat(offer(1, true)).isEqualTo(RequestQueue.Disposition.WAITS);
    }

    /** If a lane stayed in use after an error, two such requests would prevent all later tables. */
    @Test
    void aLaneThatEndsByAnErrorIsGivenBack() {
        for (int i = 0; i < 5; i++) {
            offer(1, true);
            offer(2, false);
            duringLarge = () -> {
                throw new OutOfMemoryError("provoked");
            };
            while (!lanes.isEmpty()) {
                Runnable lane = lanes.remove();
                if (queue.waiting() > 0) {
                    try {
                        lane.run();
                    } catch (OutOfMemoryError provoked) {
                        duringLarge = () -> {};
                    }
                }
            }
        }
        assertThat(served).filteredOn("large 1"::equals).hasSize(5);
        assertThat(queue.waiting()).isZero();
    }

    @Test
    void smallRequestsDoNotStarveLargeOnes() {
        for (int i = 0; i < 20; i++) {
            offer(1, false);
        }
        offer(2, true);
        runLane();
        assertThat(served.get(0)).isEqualTo("large 2");
    }

    @Test
    void requestsWithoutRoomAreRefusedAndBeyondThatDropped() {
        List<RequestQueue.Disposition> fates = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            fates.add(offer(1, false));
        }
        assertThat(Collections.frequency(fates, RequestQueue.Disposition.WAITS)).isEqualTo(32);
        assertThat(Collections.frequency(fates, RequestQueue.Disposition.IS_REFUSED))
                .isEqualTo(8);
        assertThat(Collections.frequency(fates, RequestQueue.Disposition.IS_DROPPED))
                .isEqualTo(60);
        runLane();
        assertThat(served).hasSize(40);
        assertThat(served.subList(0, 10))
                .containsExactly(
                        "small 1", "small 1", "small 1", "small 1", "BUSY 1", "small 1", "small 1", "small 1",
                        "small 1", "BUSY 1");
    }

    @Test
    void aRefusedLargeRequestIsNoLargeJob() {
        for (int i = 0; i < 100; i++) {
            offer(1, true);
        }
        duringLarge = () -> {
            duringLarge = () -> {};
            runLane();
            assertThat(served).containsOnlyOnce("large 1").contains("BUSY 1");
        };
        runLane();
        assertThat(served).filteredOn("large 1"::equals).hasSize(8);
    }

    @Test
    void aLaneEndsWhenNothingWaitsAndBeginsWithTheNextRequest() {
        offer(1, false);
        runLane();
        assertThat(lanes).isEmpty();
        offer(1, false);
        assertThat(lanes).hasSize(1);
    }

    @Test
    void anotherLaneIsNotWokenForAFewSmallRequests() {
        for (int requester = 1; requester <= 32; requester++) {
            offer(requester, false);
        }
        assertThat(lanes).hasSize(1);
        offer(33, false);
        assertThat(lanes).hasSize(2);
    }

    @Test
    void anotherLaneIsWokenForOneSmallRequestBesideALargeOne() {
        offer(1, true);
        duringLarge = () -> {
            duringLarge = () -> {};
            offer(2, false);
            runLane();
            assertThat(served).contains("small 2");
        };
        runLane();
    }

    @Test
    void aBriefRequestIsAnsweredAtOnceWhileNothingWaits() {
        assertThat(queue.claimImmediateAnswer(0)).isTrue();
        offer(1, false);
        assertThat(queue.claimImmediateAnswer(0)).isFalse();
        runLane();
        assertThat(queue.claimImmediateAnswer(0)).isTrue();
        duringLarge = () -> assertThat(queue.claimImmediateAnswer(0)).isFalse();
        offer(1, true);
        runLane();
        assertThat(served).containsExactly("small 1", "large 1");
    }

    @Test
    void aFloodOfBriefRequestsIsLeftToTheQueueUntilTheMillisecondIsOver() {
        int atOnce = 0;
        while (queue.claimImmediateAnswer(5_000_000)) {
            atOnce++;
        }
        assertThat(atOnce).isEqualTo(128);
        assertThat(queue.claimImmediateAnswer(5_999_999)).isFalse();
        assertThat(queue.claimImmediateAnswer(6_000_000)).isTrue();
    }

    @Test
    void anExecutorThatHasEndedLosesNothingButTheAnswer() {
        RequestQueue ended = new RequestQueue(
                task -> {
                    throw new RejectedExecutionException("ended");
                },
                LIMITS,
                this::serve);
        Request request = new Request(new MadFrame(new MadAddress(1, 1, 0, 0), new byte[0]), 1, false, 0);
        for (int i = 0; i < 100; i++) {
            ended.offer(request);
        }
        assertThat(ended.waiting()).isEqualTo(32);
        assertThat(served).isEmpty();
    }
}
