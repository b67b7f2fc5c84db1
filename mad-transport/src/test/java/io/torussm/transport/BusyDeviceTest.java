package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import org.junit.jupiter.api.Test;

/** Devices that answer with status Busy (IBA 13.4.7), or leave requests of one kind unanswered. */
class BusyDeviceTest {
    @Test
    void aBusyDeviceIsAskedAgain() {
        ClientHarness harness = new ClientHarness(4, 4, 2);
        harness.get(harness.client.scope(), 1);
        answerBusy(harness);
        assertThat(harness.outcomes).isEmpty();
        harness.runMs(ClientHarness.TIMEOUT_MS / 2);
        assertThat(harness.wire.sent).hasSize(2);
        harness.wire.respond(harness.wire.lastSent());
        harness.runDueTasks();
        assertThat(harness.outcomes).hasSize(1).allMatch(outcome -> outcome instanceof Outcome.Reply);
    }

    @Test
    void aDeviceThatIsBusyAtEveryTryIsReportedAsBusy() {
        ClientHarness harness = new ClientHarness(4, 4, 2);
        harness.get(harness.client.scope(), 1);
        int patienceMs = ClientHarness.TIMEOUT_MS * (1 + 2 + 4);
        int passedMs = 0;
        while (harness.outcomes.isEmpty() && passedMs < 2 * patienceMs) {
            answerBusy(harness);
            harness.runMs(ClientHarness.TIMEOUT_MS / 2);
            passedMs += ClientHarness.TIMEOUT_MS / 2;
        }
        assertThat(passedMs).isGreaterThanOrEqualTo(patienceMs);
        assertThat(harness.wire.sent).as("asked more often than its tries").hasSizeGreaterThan(3);
        assertThat(harness.outcomes)
                .containsExactly(new Outcome.Failure<>(Outcome.FailureReason.BAD_STATUS, MadStatus.BUSY));
        assertThat(harness.client.stats().timeouts()).isZero();
    }

    /** Ends the wait for a response, which would be reported as a change otherwise. */
    @Test
    void aBusyDeviceAfterTheDeadlineIsReportedAsBusy() {
        ClientHarness harness = new ClientHarness(4, 1, 2);
        MadScope scope = harness.client.scope();
        harness.get(scope, 1);
        answerBusy(harness);
        harness.get(scope, 2);
        scope.expire();
        assertThat(harness.outcomes)
                .containsExactlyInAnyOrder(
                        new Outcome.Failure<>(Outcome.FailureReason.BAD_STATUS, MadStatus.BUSY),
                        new Outcome.Failure<>(Outcome.FailureReason.TIMEOUT, 0));
        assertThat(harness.client.stats().timeouts()).isEqualTo(1);
    }

    @Test
    void aMostlyBusyDeviceDelaysNoQueuedRequestOfOthers() {
        ClientHarness harness = new ClientHarness(64, 1, 2);
        MadScope scope = harness.client.scope();
        for (int i = 0; i < 1000; i++) {
            harness.get(scope, 1);
        }
        int asked = 0;
        for (int i = 0; i < 10_000 && harness.outcomes.size() < 1000; i++) {
            if (harness.wire.sent.size() > asked) {
                asked = harness.wire.sent.size();
                respondToLast(harness, asked % 2 == 0 ? MadStatus.OK : MadStatus.BUSY);
            }
            harness.runMs(ClientHarness.TIMEOUT_MS / 2);
        }
        assertThat(harness.outcomes).hasSize(1000);
        assertThat(asked)
                .as("requests to a device that sends back every second one")
                .isLessThan(300);
        assertThat(harness.outcomes).contains(new Outcome.Failure<>(Outcome.FailureReason.BAD_STATUS, MadStatus.BUSY));
        assertThat(harness.client.stats().timeouts()).isZero();
    }

    @Test
    void anUrgentRequestDoesNotWaitForUnansweredOnes() {
        ClientHarness harness = new ClientHarness(64, 2, 2);
        MadScope scope = harness.client.scope();
        for (int port = 1; port <= 5; port++) {
            scope.get(PortInfo.TYPE, DrPath.of(1), port, outcome -> {});
        }
        assertThat(harness.wire.sent).hasSize(2);
        scope.submit(harness.request(1).urgent());
        assertThat(harness.wire.sent).hasSize(3);
        harness.wire.respond(harness.wire.lastSent());
        harness.runDueTasks();
        assertThat(harness.outcomes).hasSize(1).allMatch(outcome -> outcome instanceof Outcome.Reply);
    }

    private static void answerBusy(ClientHarness harness) {
        respondToLast(harness, MadStatus.BUSY);
    }

    private static void respondToLast(ClientHarness harness, int status) {
        harness.wire.deliver(ScriptedTransport.reply(harness.wire.lastSent(), status));
        harness.runDueTasks();
    }
}
