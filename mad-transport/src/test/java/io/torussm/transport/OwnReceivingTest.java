package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import org.junit.jupiter.api.Test;

/** The loop receives alone while it waits for responses, and no longer. */
class OwnReceivingTest {
    private final ClientHarness harness = new ClientHarness(4, 4, 0);
    private final MadScope scope = harness.client.scope();

    private void sendRequests(int requests) {
        for (int port = 1; port <= requests; port++) {
            harness.get(scope, port);
        }
    }

    /** Answers the first request, which wakes the loop, when the other answers have arrived already. */
    private void answerOneAndHaveTheOthersArrive() {
        harness.wire.onSend = request ->
                harness.wire.arrivedFrames.add(new MadFrame(MadAddress.DIRECTED, ScriptedTransport.reply(request, 0)));
        for (MadFrame request : harness.wire.sent.subList(1, harness.wire.sent.size())) {
            harness.wire.onSend.accept(request);
        }
        harness.wire.respond(harness.wire.sent.get(0));
    }

    @Test
    void oneAnswerFromTheTransportsThreadIsEnough() {
        sendRequests(100);
        answerOneAndHaveTheOthersArrive();
        harness.runDueTasks();
        assertThat(harness.outcomes).hasSize(100).allMatch(outcome -> outcome instanceof Outcome.Reply);
        assertThat(harness.wire.resumedCount).isEqualTo(1);
    }

    @Test
    void receivingIsLeftAsSoonAsNothingComes() {
        sendRequests(3);
        harness.wire.respond(harness.wire.sent.get(0));
        harness.runDueTasks();
        assertThat(harness.outcomes).hasSize(1);
        assertThat(harness.wire.resumedCount).isEqualTo(1);
        assertThat(resumedAfterOtherMad()).isEqualTo(2);
    }

    /** It pauses after its next receipt. If it were resumed immediately it would never pause. */
    @Test
    void theThreadOfTheTransportIsGivenTimeToStandAside() {
        sendRequests(3);
        harness.wire.isBusyReceiving = true;
        harness.wire.respond(harness.wire.sent.get(0));
        harness.runDueTasks();
        assertThat(harness.wire.resumedCount).isZero();
        harness.wire.isBusyReceiving = false;
        assertThat(resumedAfterOtherMad()).isEqualTo(1);
    }

    @Test
    void theThreadOfTheTransportContinuesWhenItDeliveredTheLastAnswer() {
        sendRequests(2);
        harness.wire.isBusyReceiving = true;
        harness.wire.respond(harness.wire.sent.get(0));
        harness.runDueTasks();
        assertThat(resumedAfterOtherMad()).isEqualTo(1);
    }

    @Test
    void anUnrequestedMadIsNotReceived() {
        sendRequests(1);
        harness.wire.arrivedFrames.add(new MadFrame(MadAddress.DIRECTED, new byte[MadHeader.MAD_SIZE]));
        harness.wire.respond(harness.wire.sent.get(0));
        harness.runDueTasks();
        assertThat(harness.wire.arrivedFrames).hasSize(1);
    }

    /** The load of the SA must not be on the loop: its requests are received by the thread of the transport. */
    @Test
    void afterARequestOfOthersTheLoopKeepsOutOfIt() {
        sendRequests(100);
        harness.wire.arrivedFrames.add(new MadFrame(
                MadAddress.DIRECTED, MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET, 1, NodeInfo.TYPE.id(), 0)));
        answerOneAndHaveTheOthersArrive();
        harness.runDueTasks();
        assertThat(harness.administration).hasSize(1);
        assertThat(harness.outcomes).hasSize(1);
        assertThat(harness.wire.resumedCount).isEqualTo(1);
        assertThat(resumedAfterOtherMad()).isEqualTo(1);
    }

    /**
     * Completes the second answer by the thread of the transport; returns how often the loop has left receiving by
     * then.
     */
    private int resumedAfterOtherMad() {
        harness.wire.respond(harness.wire.sent.get(1));
        harness.runDueTasks();
        assertThat(harness.outcomes).hasSize(2);
        return harness.wire.resumedCount;
    }

    @Test
    void anErrorOfAContinuationLeavesNoListenerDeaf() {
        scope.whenFailed(bug -> {});
        sendRequests(2);
        scope.get(NodeInfo.TYPE, DrPath.of(3), 0, outcome -> {
            throw new AssertionError("provoked");
        });
        answerOneAndHaveTheOthersArrive();
        assertThatThrownBy(harness::runDueTasks).hasMessage("provoked");
        assertThat(harness.wire.resumedCount).isEqualTo(1);
    }
}
