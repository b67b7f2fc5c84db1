package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The time after which a request to a device that responds late is sent again: the estimate, from the time of a
 * response since the first and since the last transmission of its request; and its use by the client, which is tested
 * with a first time-out of 100 ms that doubles with each try. The estimate has no unit in its tests. A response is late
 * after an eighth of the default time-out.
 */
class RetransmissionTimeoutTest {
    private static final long DEFAULT_TIMEOUT = 800;
    private static final long LATE = DEFAULT_TIMEOUT / 8;

    /** Port of the peer of most requests. */
    private static final int PORT = 1;

    /** Longer than all tries of a request, so that none is under way. */
    private static final int STAGE_MS = 2000;

    /** Returns the estimate after a response; null if none is kept. */
    private static @Nullable RetransmissionTimeout after(
            @Nullable RetransmissionTimeout before, long sinceFirst, long sinceLast) {
        return RetransmissionTimeout.after(before, sinceFirst, sinceLast, DEFAULT_TIMEOUT);
    }

    private static RetransmissionTimeout slowTimeoutAfter(
            @Nullable RetransmissionTimeout before, long sinceFirst, long sinceLast) {
        return Objects.requireNonNull(after(before, sinceFirst, sinceLast));
    }

    @Test
    void promptAnswersLeaveNoEntry() {
        assertThat(after(null, LATE - 1, LATE - 1)).isNull();
        assertThat(after(null, LATE, LATE)).isNotNull();
    }

    @Test
    void theTimeoutIsOneAndAHalfTimesTheLatestRecentResponse() {
        RetransmissionTimeout first = slowTimeoutAfter(null, 400, 400);
        assertThat(first.timeoutNs()).isEqualTo(600);
        RetransmissionTimeout second = slowTimeoutAfter(first, 800, 800);
        assertThat(second.timeoutNs()).isEqualTo(1200);
        assertThat(slowTimeoutAfter(second, 400, 400).timeoutNs())
                .as("an eighth of the way back")
                .isEqualTo(1125);
    }

    /** Karn's rule: it is not known to which try the response belongs. */
    @Test
    void aResponseThatMayBeToTheLastTryChangesNoEstimate() {
        assertThat(after(null, 810, 10))
                .as("a prompt device, whose first request was lost")
                .isNull();
        RetransmissionTimeout slow = slowTimeoutAfter(null, 400, 400);
        assertThat(after(slow, 1200, 400)).isSameAs(slow);
        assertThat(after(slow, 1200, 300)).as("earlier than expected").isSameAs(slow);
    }

    /** The response came so soon after the last try that it belongs to the first one. */
    @Test
    void aResponseThatCannotBeToTheLastTryWasLate() {
        RetransmissionTimeout slow = slowTimeoutAfter(null, 400, 400);
        assertThat(slowTimeoutAfter(slow, 1199, 199).timeoutNs()).isEqualTo(1199 + 599);
        assertThat(slowTimeoutAfter(null, 1199, 199).timeoutNs())
                .as("the first estimate of a device")
                .isEqualTo(1199 + 599);
        assertThat(slowTimeoutAfter(null, 1199, 199).minDelayNs()).isEqualTo(199);
    }

    @Test
    void theEstimateOfADeviceIsForgottenAfterPromptResponses() {
        RetransmissionTimeout timeout = after(null, 4000, 4000);
        int answers = 0;
        while (timeout != null && answers < 100) {
            timeout = after(timeout, 1, 1);
            answers++;
        }
        assertThat(answers).isBetween(8, 40);
    }

    /**
     * A device that responds after 250 ms gets a repetition after 100 ms only once. All tries of 100, 200, 400 ms
     * take 700.
     */
    @Test
    void aRequestToALateDeviceIsRepeatedLaterAndFailsAtTheSameTime() {
        ClientHarness harness = new ClientHarness(4, 1, 2);
        respondAfter(harness, 250);
        for (int i = 0; i < 4; i++) {
            runStage(harness);
        }
        assertThat(harness.outcomes).hasSize(4).allMatch(outcome -> outcome instanceof Outcome.Reply);
        assertThat(harness.wire.timeoutsMs).containsExactly(100, 200, 350, 350, 350);
        List<Long> timesMs = new ArrayList<>();
        long begunNs = harness.loop.nowNs();
        harness.wire.onSend = frame -> timesMs.add(TimeUnit.NANOSECONDS.toMillis(harness.loop.nowNs() - begunNs));
        harness.get(harness.client.scope(), PORT);
        harness.runMs(100 + 200 + 400);
        assertThat(timesMs).as("tries if the device does not respond any more").containsExactly(0L, 350L);
        assertThat(harness.outcomes).hasSize(5).last().isInstanceOf(Outcome.Failure.class);
    }

    /** Lets a device respond after some time. */
    private static void respondAfter(ClientHarness harness, int delayMs) {
        harness.wire.onSend = frame -> harness.loop.schedule(
                TimeUnit.MILLISECONDS.toNanos(delayMs), () -> harness.wire.deliver(ScriptedTransport.reply(frame, 0)));
    }

    /** Sends a request, and waits for its end. */
    private static void runStage(ClientHarness harness) {
        harness.get(harness.client.scope(), PORT);
        harness.runMs(STAGE_MS);
    }

    /** Four tries of 100, 200, 400 and 800 ms take 1,500 ms. */
    @ParameterizedTest(name = "a device that responds after {0} ms: tries of {1} ms")
    @CsvSource({
        "30, 100 200 400 800",
        "120, 180 200 400 720",
        "240, 360 360 400 380",
        "290, 435 435 630",
        "450, 675 825",
        "1400, 750 750"
    })
    void theTriesToALateDeviceTakeTheTimeOfThoseToAPromptOne(int delayMs, String expected) {
        ClientHarness harness = new ClientHarness(4, 1, 3);
        respondAfter(harness, delayMs);
        for (int i = 0; i < 100; i++) {
            runStage(harness);
        }
        harness.wire.onSend = frame -> {};
        harness.wire.timeoutsMs.clear();
        runStage(harness);
        assertThat(harness.wire.timeoutsMs)
                .isEqualTo(
                        Arrays.stream(expected.split(" ")).map(Integer::valueOf).toList());
    }

    /** A scope ends when none of its requests is under way. The next one forgets devices that were prompt. */
    @Test
    void theEstimateOfALateDeviceOutlivesThoseOfManyPromptOnes() {
        ClientHarness harness = new ClientHarness(4, 1, 2);
        respondAfter(harness, 80);
        runStage(harness);
        harness.wire.onSend = frame -> harness.wire.deliver(ScriptedTransport.reply(frame, 0));
        MadScope scope = harness.client.scope();
        int promptPort = 2;
        for (int port = promptPort; port < promptPort + 100; port++) {
            harness.get(scope, port);
        }
        harness.runMs(STAGE_MS);
        harness.get(harness.client.scope(), PORT);
        harness.get(harness.client.scope(), promptPort);
        harness.runMs(1);
        assertThat(harness.sentTo(DrPath.of(PORT))).isEqualTo(2);
        int sent = harness.wire.timeoutsMs.size();
        assertThat(harness.wire.timeoutsMs.subList(sent - 2, sent))
                .as("one and a half times 80 ms, and the default")
                .containsExactly(120, 100);
    }
}
