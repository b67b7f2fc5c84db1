package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is learnt from late answers, and what the client does with it. */
class RetransmissionTimeoutTest {
    private static final long USUAL = 800;

    private static @Nullable RetransmissionTimeout after(
            @Nullable RetransmissionTimeout before, long sinceFirst, long sinceLast) {
        return RetransmissionTimeout.after(before, sinceFirst, sinceLast, USUAL);
    }

    private static long wait(@Nullable RetransmissionTimeout timeout) {
        return Objects.requireNonNull(timeout).ns(USUAL);
    }

    @Test
    void ofPromptAnswersNothingIsKept() {
        assertThat(after(null, 99, 99)).isNull();
        assertThat(after(null, 100, 100)).isNotNull();
    }

    /** RFC 6298, 2.2 and 2.3, with alpha 1/8 and beta 1/4; 2.4 has a least variation, here an eighth of the usual time-out. */
    @Test
    void isThatOfRfc6298() {
        RetransmissionTimeout first = after(null, 400, 400);
        assertThat(first).isEqualTo(new RetransmissionTimeout(400, 400, 200));
        assertThat(wait(first)).isEqualTo(400 + 4 * 200);
        RetransmissionTimeout second = after(first, 800, 800);
        assertThat(second).isEqualTo(new RetransmissionTimeout(400, 450, 250));
        RetransmissionTimeout steady = first;
        for (int i = 0; i < 30; i++) {
            steady = after(steady, 400, 400);
        }
        assertThat(wait(steady)).isEqualTo(500);
    }

    /** Karn: which try was answered is not known. */
    @Test
    void anAnswerThatMayBeToTheLastTrySaysNothing() {
        assertThat(after(null, 810, 10)).as("of a prompt device one was lost").isNull();
        RetransmissionTimeout slow = after(null, 400, 400);
        assertThat(after(slow, 1200, 400)).isSameAs(slow);
        assertThat(after(slow, 1200, 450)).isSameAs(slow);
    }

    @Test
    void anAnswerThatCannotBeToTheLastTryWasLate() {
        RetransmissionTimeout slow = after(null, 400, 400);
        assertThat(wait(after(slow, 1199, 399))).isGreaterThan(wait(slow));
        assertThat(wait(after(null, 1199, 399))).as("nobody knows it yet").isGreaterThan(USUAL);
    }

    @Test
    void whoIsPromptAgainIsForgotten() {
        RetransmissionTimeout timeout = after(null, 4000, 4000);
        int answers = 0;
        while (timeout != null && answers < 100) {
            timeout = after(timeout, 1, 1);
            answers++;
        }
        assertThat(answers).isBetween(8, 40);
    }

    /** Whose answer comes after 250 ms is asked again after 100 ms the first time only; all tries of 100, 200, 400 ms take 700. */
    @Test
    void whoIsLateIsAskedAgainLessSoonAndNotForLonger() {
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

    /** A stage is over, and nothing under way, before the next one begins. */
    @Test
    void whoIsLateIsRememberedWhenManyDevicesAreForgotten() {
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
        assertThat(harness.wire.timeoutsMs.subList(sent - 2, sent)).containsExactly(350, 100);
    }
}
