package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.VirtualLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Continuations, sources, stages and receivers that throw, with the client and the scripted wire of
 * {@link ClientHarness}.
 */
class MadScopeFailuresTest {
    private final List<String> events = new ArrayList<>();

    @Test
    void aDefectInAScopeWithinAnotherFailsTheWhole() {
        ClientHarness harness = new ClientHarness(4, 4, 0);
        List<String> failed = new ArrayList<>();
        MadScope scope = harness.client.scope();
        scope.whenFailed(bug -> failed.add(String.valueOf(bug.getMessage())));
        scope.child().get(NodeInfo.TYPE, DrPath.of(1), 0, outcome -> {
            throw new IllegalStateException("planted");
        });
        harness.get(scope, 2);
        harness.wire.respond(harness.wire.sent.get(0));
        harness.runDueTasks();
        assertThat(failed).containsExactly("planted");
        assertThat(harness.outcomes).containsExactly(ClientHarness.CANCELLED);
    }

    @Test
    void aContinuationThatThrowsDoesNotKeepOthersWaiting() {
        ClientHarness harness = new ClientHarness(4, 4, 0);
        MadScope scope = harness.client.scope();
        for (int i = 0; i < 4; i++) {
            scope.get(NodeInfo.TYPE, DrPath.of(i), 0, outcome -> {
                events.add("called");
                throw new IllegalArgumentException("a bug");
            });
            harness.get(scope, i);
        }
        scope.whenIdle(() -> events.add("idle"));
        harness.wire.sent.forEach(harness.wire::respond);
        harness.runDueTasks();
        harness.answerAllFrom(4);
        assertThat(events).containsExactly("called", "called", "called", "called", "idle");
        assertThat(harness.outcomes).hasSize(4);
        assertThat(harness.client.stats().failures()).isEqualTo(4);
    }

    @Test
    void aScopeReportsItsFirstFailureAndIsClosed() {
        ClientHarness harness = new ClientHarness(4, 4, 0);
        MadScope scope = harness.client.scope();
        scope.whenIdle(() -> events.add("idle"));
        scope.whenFailed(bug -> events.add("failed: " + bug.getMessage()));
        for (int i = 0; i < 3; i++) {
            scope.get(NodeInfo.TYPE, DrPath.of(i), 0, outcome -> {
                events.add(outcome instanceof Outcome.Reply ? "reply" : "cancelled");
                throw new IllegalArgumentException("a bug");
            });
        }
        harness.answerAllFrom(0);
        assertThat(events).containsExactly("reply", "cancelled", "cancelled", "failed: a bug");
        assertThat(harness.client.stats().failures()).isEqualTo(3);
    }

    @Test
    void aSourceThatThrowsEndsItsScope() {
        ClientHarness harness = new ClientHarness(4, 4, 0);
        MadScope scope = harness.client.scope();
        scope.whenFailed(bug -> events.add("failed: " + bug.getMessage()));
        scope.pull(IntStream.range(0, 10)
                .mapToObj(i -> {
                    if (i == 2) {
                        throw new IllegalArgumentException("no third");
                    }
                    return harness.request(i);
                })
                .iterator());
        assertThat(events).containsExactly("failed: no third");
        assertThat(harness.outcomes).containsExactly(ClientHarness.CANCELLED, ClientHarness.CANCELLED);
        MadScope next = harness.client.scope();
        next.pull(harness.requests(3, new ArrayList<>()));
        next.whenIdle(() -> events.add("next idle"));
        harness.answerAllFrom(2);
        assertThat(events).endsWith("next idle");
    }

    @Test
    void aSourceThatThrowsUnheardIsOver() {
        ClientHarness harness = new ClientHarness(4, 4, 0);
        MadScope scope = harness.client.scope();
        scope.pull(IntStream.range(0, 10)
                .mapToObj(i -> {
                    if (i == 1) {
                        throw new IllegalArgumentException("no second");
                    }
                    return harness.request(i);
                })
                .iterator());
        scope.whenIdle(() -> events.add("idle"));
        harness.answerAllFrom(0);
        assertThat(events).containsExactly("idle");
        assertThat(harness.outcomes).hasSize(1);
    }

    @Test
    void aStageThatCannotBeginIsAFailureOfTheOneBefore() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        MadScope scope = harness.client.scope();
        scope.whenFailed(bug -> events.add("failed: " + bug.getMessage()));
        scope.whenIdle(() -> {
            throw new IllegalArgumentException("cannot begin");
        });
        harness.runDueTasks();
        assertThat(events).containsExactly("failed: cannot begin");
        assertThat(harness.client.stats().failures()).isEqualTo(1);
    }

    @Test
    void anErrorReachesTheLoopAndTheClientGoesOn() {
        ClientHarness harness = new ClientHarness(2, 1, 0);
        MadScope scope = harness.client.scope();
        scope.get(NodeInfo.TYPE, DrPath.of(1), 0, outcome -> {
            throw new AssertionError("a test that fails");
        });
        for (int i = 0; i < 5; i++) {
            harness.get(scope, 2);
        }
        scope.whenIdle(() -> events.add("idle"));
        List.copyOf(harness.wire.sent).forEach(harness.wire::respond);
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(harness::runDueTasks)
                .withMessage("a test that fails");
        harness.runDueTasks();
        harness.answerAllFrom(2);
        assertThat(harness.outcomes).hasSize(5);
        assertThat(events).containsExactly("idle");
    }

    @Test
    void anErrorLeavesNoOtherRequestWithoutAnOutcome() {
        ClientHarness harness = new ClientHarness(2, 1, 0);
        MadScope parent = harness.client.scope();
        MadScope scope = parent.child();
        scope.get(NodeInfo.TYPE, DrPath.of(1), 0, outcome -> {
            throw new AssertionError("a test that fails");
        });
        for (int i = 0; i < 3; i++) {
            harness.get(scope, 2);
        }
        parent.whenIdle(() -> events.add("idle"));
        assertThatExceptionOfType(AssertionError.class).isThrownBy(scope::close).withMessage("a test that fails");
        assertThat(harness.outcomes).hasSize(3).allMatch(outcome -> outcome instanceof Outcome.Failure<?>);
        assertThat(events).containsExactly("idle");
        assertThat(harness.client.stats().failures())
                .as("the loop counts an Error")
                .isZero();
    }

    /** The loop receives, and counts, only one. */
    @Test
    void furtherErrorsOfRequestsThatEndTogetherAreCounted() {
        ClientHarness harness = new ClientHarness(4, 4, 0);
        MadScope scope = harness.client.scope();
        for (int i = 0; i < 3; i++) {
            String bug = "bug " + i;
            scope.get(NodeInfo.TYPE, DrPath.of(i), 0, outcome -> {
                throw new AssertionError(bug);
            });
        }
        assertThatExceptionOfType(AssertionError.class).isThrownBy(scope::close).satisfies(first -> assertThat(
                        first.getSuppressed())
                .extracting(Throwable::getMessage)
                .containsExactly("bug 1", "bug 2"));
        assertThat(harness.client.stats().failures()).isEqualTo(2);
    }

    /** The JVM throws the same OutOfMemoryError again and again. */
    @Test
    void oneErrorOfSeveralRequestsLeavesNoneWithoutAnOutcome() {
        ClientHarness harness = new ClientHarness(2, 1, 0);
        MadScope scope = harness.client.scope();
        AssertionError error = new AssertionError("a test that fails");
        int[] ended = {0};
        for (int i = 0; i < 3; i++) {
            scope.get(NodeInfo.TYPE, DrPath.of(1), 0, outcome -> {
                ended[0]++;
                throw error;
            });
        }
        assertThatExceptionOfType(AssertionError.class).isThrownBy(scope::close).isEqualTo(error);
        assertThat(ended[0]).isEqualTo(3);
    }

    @Test
    void anErrorLeavesNoRequestUnsent() {
        ClientHarness harness = new ClientHarness(1, 1, 0);
        MadScope scope = harness.client.scope();
        scope.get(NodeInfo.TYPE, DrPath.of(1), 0, outcome -> {
            throw new AssertionError("a test that fails");
        });
        harness.get(scope, 2);
        harness.wire.respond(harness.wire.sent.get(0));
        assertThatExceptionOfType(AssertionError.class).isThrownBy(harness::runDueTasks);
        assertThat(harness.sentTo(DrPath.of(2))).isEqualTo(1);
    }

    @Test
    void handlersThatThrowAreCounted() {
        ScriptedTransport wire = new ScriptedTransport();
        VirtualLoop loop = new VirtualLoop();
        MadClient client = new MadClient(
                wire,
                loop,
                MKeySource.fixed(0),
                () -> new MadClient.Settings(1, 1, 100, 0),
                1,
                new MadClient.UnsolicitedReceiver() {
                    @Override
                    public void subnetManagement(MadFrame frame) {
                        throw new IllegalArgumentException("trap");
                    }

                    @Override
                    public void subnetAdministration(MadFrame frame) {
                        throw new IllegalArgumentException("query");
                    }

                    @Override
                    public void portLost(String reason) {
                        events.add(reason);
                    }
                });
        wire.deliver(Smp.lidRouted(Method.TRAP, 1, 2, 0, 0));
        wire.deliver(Smp.lidRouted(Method.TRAP, 2, 2, 0, 0));
        wire.deliver(MadHeader.create(MgmtClass.SUBN_ADM, 2, Method.GET, 1, 0x35, 0));
        loop.runFor(0);
        assertThat(client.stats().failures()).isEqualTo(3);
        assertThat(client.stats().unsolicited()).isEqualTo(2);
    }
}
