package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Sets of transactions: their one end, cancellation and pulling, with the client and the scripted wire of
 * {@link ClientHarness}.
 */
class MadScopeTest {
    private final List<String> events = new ArrayList<>();

    @Test
    void isIdleOnceWhenItsLastTransactionHasEnded() {
        ClientHarness harness = new ClientHarness(2, 1, 0);
        MadScope scope = harness.client.scope();
        for (int i = 0; i < 5; i++) {
            harness.get(scope, i);
        }
        scope.whenIdle(() -> events.add("idle after " + harness.outcomes.size()));
        harness.answerAllFrom(0);
        harness.runMs(1_000);
        assertThat(events).containsExactly("idle after 5");
        harness.get(scope, 1);
        harness.answerAllFrom(5);
        assertThat(events).hasSize(1);
    }

    @Test
    void anEmptyScopeIsIdleSoonButNotWithinTheCall() {
        ClientHarness harness = new ClientHarness(2, 1, 0);
        harness.client.scope().whenIdle(() -> events.add("idle"));
        assertThat(events).isEmpty();
        harness.runDueTasks();
        assertThat(events).containsExactly("idle");
    }

    @Test
    void aWaitForAClosedScopeIsNotCalledBack() {
        ClientHarness harness = new ClientHarness(2, 1, 0);
        MadScope scope = harness.client.scope();
        scope.close();
        scope.whenIdle(() -> events.add("idle"));
        harness.runDueTasks();
        assertThat(events).isEmpty();
    }

    @Test
    void aScopeWithinAnotherCanBeClosedByItselfAndIsPartOfItOtherwise() {
        ClientHarness harness = new ClientHarness(4, 4, 0);
        List<String> idle = new ArrayList<>();
        MadScope scope = harness.client.scope();
        MadScope lost = scope.child();
        MadScope won = scope.child();
        scope.whenIdle(() -> idle.add("all"));
        lost.whenIdle(() -> idle.add("lost"));
        won.whenIdle(() -> idle.add("won"));
        harness.get(lost, 1);
        harness.get(won, 2);
        lost.close();
        harness.runDueTasks();
        assertThat(harness.outcomes).containsExactly(ClientHarness.CANCELLED);
        assertThat(idle).isEmpty();
        harness.wire.respond(harness.wire.lastSent());
        harness.runDueTasks();
        assertThat(idle).containsExactly("won", "all");

        harness.get(won, 2);
        scope.close();
        harness.get(scope.child(), 2);
        harness.runDueTasks();
        assertThat(harness.outcomes).hasSize(4);
        assertThat(harness.outcomes.subList(2, 4)).containsOnly(ClientHarness.CANCELLED);
    }

    @Test
    void aContinuationMayAskMoreBeforeItsScopeIsIdle() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        MadScope scope = harness.client.scope();
        scope.get(NodeInfo.TYPE, DrPath.LOCAL, 0, outcome -> harness.get(scope, 1));
        scope.whenIdle(() -> events.add("idle after " + harness.wire.sent.size()));
        harness.answerAllFrom(0);
        assertThat(events).containsExactly("idle after 2");
    }

    @Test
    void onlyOneMayWait() {
        MadScope scope = new ClientHarness(1, 1, 0).client.scope();
        scope.whenIdle(() -> {});
        assertThatIllegalStateException().isThrownBy(() -> scope.whenIdle(() -> {}));
    }

    @Test
    void closingCallsEveryContinuationOnceAndFreesTheWindows() {
        ClientHarness harness = new ClientHarness(3, 1, 5);
        MadScope scope = harness.client.scope();
        scope.whenIdle(() -> events.add("idle"));
        for (int i = 0; i < 10; i++) {
            harness.get(scope, i % 5);
        }
        List<Integer> pulled = new ArrayList<>();
        scope.pull(harness.requests(1_000, pulled));
        int known = 10 + pulled.size();
        List<MadFrame> before = List.copyOf(harness.wire.sent);
        assertThat(before).hasSize(3);
        scope.close();
        assertThat(harness.outcomes).hasSize(known).allMatch(ClientHarness.CANCELLED::equals);
        before.forEach(harness.wire::respond);
        harness.runMs(10_000);
        assertThat(harness.outcomes).hasSize(known);
        assertThat(pulled).hasSize(known - 10);
        assertThat(harness.client.stats().late()).isEqualTo(3);
        assertThat(events).as("a closed scope is not idle").isEmpty();

        MadScope next = harness.client.scope();
        for (int i = 0; i < 3; i++) {
            harness.get(next, i);
        }
        assertThat(harness.wire.sent).as("the whole window is free").hasSize(6);
        scope.close();
        assertThat(harness.outcomes).hasSize(known);
    }

    /** The remaining requests are sent as if all tries were over. */
    @Test
    void aCancelledWaitIsNotifiedOfNoTimeOutsAndTheOthersContinue() {
        ClientHarness harness = new ClientHarness(2, 1, 3);
        MadScope scope = harness.client.scope();
        MadScope child = scope.child();
        MadScope other = harness.client.scope();
        harness.get(scope, 1);
        harness.get(scope, 1);
        harness.get(child, 2);
        harness.get(other, 3);
        harness.runMs(30);
        assertThat(scope.isWaiting()).isTrue();
        assertThat(TimeUnit.NANOSECONDS.toMillis(scope.sinceLastChangeNs())).isEqualTo(30);
        assertThat(scope.routes()).containsExactlyInAnyOrder(DrPath.of(1), DrPath.of(2));
        scope.expire();
        assertThat(harness.outcomes).hasSize(3).containsOnly(new Outcome.Failure<>(Outcome.FailureReason.TIMEOUT, 0));
        assertThat(harness.client.stats().timeouts()).isEqualTo(3);
        assertThat(scope.isWaiting()).isFalse();
        assertThat(scope.sinceLastChangeNs()).isZero();
        assertThat(harness.sentTo(DrPath.of(3))).as("there is room for others").isEqualTo(1);
        harness.get(scope, 4);
        harness.wire.respond(harness.wire.lastSent());
        harness.runDueTasks();
        assertThat(harness.outcomes).hasSize(4).last().isInstanceOf(Outcome.Reply.class);
    }

    @Test
    void closingLeavesOtherScopesAlone() {
        ClientHarness harness = new ClientHarness(2, 2, 0);
        MadScope doomed = harness.client.scope();
        MadScope other = harness.client.scope();
        harness.get(doomed, 1);
        harness.get(other, 1);
        harness.get(doomed, 1);
        harness.get(other, 1);
        doomed.close();
        assertThat(harness.outcomes).containsExactly(ClientHarness.CANCELLED, ClientHarness.CANCELLED);
        harness.answerAllFrom(0);
        assertThat(harness.outcomes).hasSize(4);
        assertThat(harness.outcomes.subList(2, 4)).allMatch(outcome -> outcome instanceof Outcome.Reply);
    }

    @Test
    void aClosedScopeCancelsNewRequests() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        MadScope scope = harness.client.scope();
        scope.close();
        harness.get(scope, 1);
        scope.pull(harness.requests(5, new ArrayList<>()));
        assertThat(harness.outcomes).containsExactly(ClientHarness.CANCELLED);
        assertThat(harness.wire.sent).isEmpty();
    }

    @Test
    void aContinuationMayCloseItsScope() {
        ClientHarness harness = new ClientHarness(2, 2, 0);
        MadScope scope = harness.client.scope();
        scope.get(NodeInfo.TYPE, DrPath.of(1), 0, outcome -> {
            events.add("first");
            scope.close();
        });
        harness.get(scope, 2);
        harness.get(scope, 3);
        harness.answerAllFrom(0);
        assertThat(events).containsExactly("first");
        assertThat(harness.outcomes).containsExactly(ClientHarness.CANCELLED, ClientHarness.CANCELLED);
    }

    @Test
    void aSourceIsPulledOnlyWhenThereIsRoom() {
        ClientHarness harness = new ClientHarness(4, 1, 0);
        List<Integer> pulled = new ArrayList<>();
        MadScope scope = harness.client.scope();
        scope.pull(harness.requests(1_000, pulled));
        scope.whenIdle(() -> events.add("idle"));
        assertThat(pulled).hasSize(4);
        for (int i = 0; i < 500; i++) {
            harness.wire.respond(harness.wire.sent.get(i));
            harness.runDueTasks();
            assertThat(pulled).hasSize(i + 5);
        }
        harness.answerAllFrom(500);
        assertThat(harness.outcomes).hasSize(1_000);
        assertThat(events).containsExactly("idle");
    }

    @Test
    void aSourceForOneSilentDeviceFillsABoundedQueue() {
        ClientHarness harness = new ClientHarness(4, 1, 0);
        List<Integer> pulled = new ArrayList<>();
        harness.client
                .scope()
                .pull(IntStream.range(0, 1_000)
                        .mapToObj(i -> {
                            pulled.add(i);
                            return harness.request(1);
                        })
                        .iterator());
        assertThat(harness.wire.sent).hasSize(1);
        assertThat(pulled).hasSize(1 + 16);
    }

    @Test
    void theStageAfterAPulledOneIsSentThoughTheWindowWasFull() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        MadScope first = harness.client.scope();
        first.pull(harness.requests(1, new ArrayList<>()));
        first.whenIdle(() -> {
            MadScope second = harness.client.scope();
            harness.get(second, 7);
            second.whenIdle(() -> events.add("second stage done"));
        });
        harness.answerAllFrom(0);
        assertThat(harness.wire.sent).hasSize(2);
        assertThat(events).containsExactly("second stage done");
    }
}
