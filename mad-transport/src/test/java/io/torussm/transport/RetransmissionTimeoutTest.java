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

/** The estimate from late responses, and its use by the client. */
class RetransmissionTimeoutTest {
    private static final long DEFAULT_TIMEOUT = 800;

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
        assertThat(after(null, 99, 99)).isNull();
        assertThat(after(null, 100, 100)).isNotNull();
    }

    @Test
    void isHalfAsLongAgainAsTheLatestAnswerOfLate() {
        RetransmissionTimeout first = slowTimeoutAfter(null, 400, 400);
        assertThat(first.timeoutNs()).isEqualTo(600);
        RetransmissionTimeout second = slowTimeoutAfter(first, 800, 800);
        assertThat(second.timeoutNs()).isEqualTo(1200);
        assertThat(slowTimeoutAfter(second, 400, 400).timeoutNs())
                .as("an eighth of the way back")
                .isEqualTo(1125);
    }

    /** Karn: which try was answered is not known. */
    @Test
    void anAnswerThatMayBeToTheLastTrySaysNothing() {
        assertThat(after(null, 810, 10)).as("of a prompt device one was lost").isNull();
        RetransmissionTimeout slow = slowTimeoutAfter(null, 400, 400);
        assertThat(after(slow, 1200, 400)).isSameAs(slow);
        assertThat(after(slow, 1200, 300)).as("it may be a quick one").isSameAs(slow);
    }

    @Test
    void anAnswerThatCannotBeToTheLastTryWasLate() {
        RetransmissionTimeout slow = slowTimeoutAfter(null, 400, 400);
        assertThat(slowTimeoutAfter(slow, 1199, 199).timeoutNs()).isEqualTo(1199 + 599);
        assertThat(slowTimeoutAfter(null, 1199, 199).timeoutNs())
                .as("it is not measured yet")
                .isEqualTo(1199 + 599);
        assertThat(slowTimeoutAfter(null, 1199, 199).minDelayNs()).isEqualTo(199);
    }

    @Test
    void promptDevicesAreForgotten() {
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
    void lateDevicesAreRepeatedLessSoonAndNotForLonger() {
        ClientHarness harness = new ClientHarness(4, 1, 2);
        harness.wire.onSend = frame -> harness.loop.schedule(
                TimeUnit.MILLISECONDS.toNanos(250), () -> harness.wire.deliver(ScriptedTransport.reply(frame, 0)));
        for (int i = 0; i < 4; i++) {
            harness.get(harness.client.scope(), 1);
            harness.runMs(2000);
        }
        assertThat(harness.outcomes).hasSize(4).allMatch(outcome -> outcome instanceof Outcome.Reply);
        assertThat(harness.wire.timeoutsMs).containsExactly(100, 200, 350, 350, 350);
        List<Long> timesMs = new ArrayList<>();
        long begunNs = harness.loop.nowNs();
        harness.wire.onSend = frame -> timesMs.add((harness.loop.nowNs() - begunNs) / 1_000_000);
        harness.get(harness.client.scope(), 1);
        harness.runMs(700);
        assertThat(timesMs).as("dead now").containsExactly(0L, 350L);
        assertThat(harness.outcomes).hasSize(5).last().isInstanceOf(Outcome.Failure.class);
    }

    /** Tries of 100, 200, 400, 800 ms, if it were in time. */
    @ParameterizedTest
    @CsvSource({
        "30, 100 200 400 800",
        "120, 180 200 400 720",
        "240, 360 360 400 380",
        "290, 435 435 630",
        "450, 675 825",
        "1400, 750 750"
    })
    void allTriesTakeTheSameTimeAndTheLastIsWaitedForAsLongAsAnyAtLeast(int steadyMs, String expected) {
        ClientHarness harness = new ClientHarness(4, 1, 3);
        harness.wire.onSend = frame -> harness.loop.schedule(
                TimeUnit.MILLISECONDS.toNanos(steadyMs), () -> harness.wire.deliver(ScriptedTransport.reply(frame, 0)));
        for (int i = 0; i < 100; i++) {
            harness.get(harness.client.scope(), 1);
            harness.runMs(2000);
        }
        harness.wire.onSend = frame -> {};
        harness.wire.timeoutsMs.clear();
        harness.get(harness.client.scope(), 1);
        harness.runMs(2000);
        assertThat(harness.wire.timeoutsMs)
                .isEqualTo(
                        Arrays.stream(expected.split(" ")).map(Integer::valueOf).toList());
    }

    /** A stage is over, and nothing under way, before the next one begins. */
    @Test
    void lateDevicesAreRememberedIfManyOthersAreForgotten() {
        ClientHarness harness = new ClientHarness(4, 1, 2);
        harness.wire.onSend = frame -> harness.loop.schedule(
                TimeUnit.MILLISECONDS.toNanos(80), () -> harness.wire.deliver(ScriptedTransport.reply(frame, 0)));
        harness.get(harness.client.scope(), 1);
        harness.runMs(1000);
        harness.wire.onSend = frame -> harness.wire.deliver(ScriptedTransport.reply(frame, 0));
        MadScope scope = harness.client.scope();
        for (int port = 2; port < 102; port++) {
            harness.get(scope, port);
        }
        harness.runMs(1000);
        harness.get(harness.client.scope(), 1);
        harness.get(harness.client.scope(), 2);
        harness.runMs(1);
        assertThat(harness.sentTo(DrPath.of(1))).isEqualTo(2);
        int sent = harness.wire.timeoutsMs.size();
        assertThat(harness.wire.timeoutsMs.subList(sent - 2, sent)).containsExactly(120, 100);
    }
}
