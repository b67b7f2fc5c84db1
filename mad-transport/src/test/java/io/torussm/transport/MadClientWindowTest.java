package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How much is on the wire at once: of all, of one device, through one port; and what changes that. */
class MadClientWindowTest {
    @Test
    void neverHasMoreOnTheWireThanItsWindow() {
        ClientHarness harness = new ClientHarness(4, 4, 0);
        MadScope scope = harness.client.scope();
        for (int i = 0; i < 50; i++) {
            harness.get(scope, 1, i);
        }
        assertThat(harness.wire.sent).hasSize(4);
        for (int i = 0; i < 50; i++) {
            harness.wire.respond(harness.wire.sent.get(i));
            harness.runDueTasks();
            assertThat(harness.wire.sent).hasSize(Math.min(50, i + 5));
        }
        assertThat(harness.outcomes).hasSize(50).allMatch(outcome -> outcome instanceof Outcome.Reply);
    }

    @ParameterizedTest
    @CsvSource({"64, 2", "0, 3"})
    void theTransportMayAllowFewer(int wireWindow, int max) {
        ScriptedTransport narrow = new ScriptedTransport();
        narrow.maxOutstanding = max;
        ClientHarness listener = new ClientHarness(1, 1, 0);
        MadScope scope = new MadClient(
                        narrow,
                        listener.loop,
                        MKeySource.fixed(0),
                        () -> new MadClient.Settings(wireWindow, 8, 100, 0),
                        1,
                        listener)
                .scope();
        for (int i = 0; i < 10; i++) {
            listener.get(scope, i);
        }
        assertThat(narrow.sent).hasSize(max);
    }

    @Test
    void timeOutsRetriesAndDeviceWindowMayChange() {
        ScriptedTransport wire = new ScriptedTransport();
        ClientHarness listener = new ClientHarness(1, 1, 0);
        AtomicReference<MadClient.Settings> settings = new AtomicReference<>(new MadClient.Settings(8, 1, 100, 0));
        MadScope scope = new MadClient(wire, listener.loop, MKeySource.fixed(0), settings::get, 1, listener).scope();
        listener.get(scope, 1);
        listener.runMs(200);
        assertThat(listener.outcomes).hasSize(1);
        settings.set(new MadClient.Settings(8, 2, 300, 1));
        listener.get(scope, 1);
        listener.get(scope, 1);
        assertThat(wire.sent).hasSize(3);
        listener.runMs(2000);
        assertThat(listener.outcomes).hasSize(3);
        assertThat(wire.timeoutsMs).containsExactly(100, 300, 300, 600, 600);
    }

    @Test
    void aFullWindowOfOneDeviceDoesNotDelayOthers() {
        ClientHarness harness = new ClientHarness(64, 2, 0);
        MadScope scope = harness.client.scope();
        for (int i = 0; i < 10; i++) {
            harness.get(scope, 1);
        }
        for (int i = 0; i < 3; i++) {
            harness.get(scope, 2);
        }
        assertThat(harness.sentTo(DrPath.of(1))).isEqualTo(2);
        assertThat(harness.sentTo(DrPath.of(2))).isEqualTo(2);
        harness.wire.respond(harness.wire.sent.get(0));
        harness.runDueTasks();
        assertThat(harness.sentTo(DrPath.of(1))).isEqualTo(3);
        harness.answerAllFrom(1);
        assertThat(harness.outcomes).hasSize(13);
    }

    @Test
    void aDeviceWhoseQueueWasCancelledDoesNotCostItsSuccessorTheWindow() {
        ClientHarness harness = new ClientHarness(5, 2, 0);
        DrPath path = DrPath.of(1);
        MadScope scope = harness.client.scope();
        scope.get(NodeInfo.TYPE, path, 0, outcome -> harness.get(scope, 1));
        for (int i = 0; i < 4; i++) {
            harness.get(scope, 2, i);
        }
        MadScope cancelled = harness.client.scope();
        harness.get(cancelled, 1);
        cancelled.close(); // leaves a device without a queue in line for the wire
        harness.wire.respond(harness.wire.sent.get(0));
        harness.runDueTasks();
        assertThat(harness.sentTo(path)).isEqualTo(2);
        for (int i = 0; i < 4; i++) {
            harness.get(scope, 1);
        }
        for (int i = 1; i < 5; i++) {
            harness.wire.respond(harness.wire.sent.get(i));
            harness.runDueTasks();
        }
        assertThat(harness.sentTo(path)).as("one answered, two on the wire").isEqualTo(3);
        harness.answerAllFrom(5);
        assertThat(harness.outcomes).hasSize(10);
    }

    @Test
    void theWindowHalvesForSimultaneousLossesAndNotForTheDead() {
        ClientHarness harness = new ClientHarness(0, 4, 3);
        MadScope scope = harness.client.scope();
        for (int device = 1; device <= 30; device++) {
            harness.get(scope, 1, device, 1);
        }
        harness.runMs(5_000);
        assertThat(harness.outcomes).hasSize(30).containsOnly(new Outcome.Failure<>(Outcome.FailureReason.TIMEOUT, 0));
        assertThat(harness.client.stats().window()).isEqualTo(64);
        harness.wire.sent.clear();
        for (int device = 1; device <= 30; device++) {
            harness.get(scope, 1, device, 1);
        }
        harness.runMs(110);
        assertThat(harness.wire.sent).hasSize(60);
        harness.answerAllFrom(30);
        assertThat(harness.client.stats().halvings()).isEqualTo(1);
        assertThat(harness.client.stats().window()).isEqualTo(32);
    }

    /** Their later tries are waited for longer and longer, but that takes no room on the wire. */
    @Test
    void deadDevicesThatFillTheWindowLeaveRoomForOthers() {
        ClientHarness harness = new ClientHarness(0, 4, 3);
        MadScope scope = harness.client.scope();
        for (int i = 1; i <= WireWindow.INITIAL; i++) {
            harness.get(scope, i);
        }
        harness.get(scope, 200);
        harness.runMs(190);
        assertThat(harness.sentTo(DrPath.of(200)))
                .as("all are tried a second time")
                .isZero();
        harness.runMs(40);
        assertThat(harness.sentTo(DrPath.of(200))).isEqualTo(1);
        assertThat(harness.outcomes).isEmpty();
    }

    @Test
    void aPortOfTheFirstSwitchIsNotFlooded() {
        ScriptedTransport wire = new ScriptedTransport();
        ClientHarness listener = new ClientHarness(1, 1, 0);
        MadClient client = new MadClient(
                wire,
                listener.loop,
                MKeySource.fixed(0),
                () -> new MadClient.Settings(0, 4, 100, 0),
                1,
                listener,
                WireWindow.fixed(500));
        MadScope scope = client.scope();
        MadScope cancelled = client.scope();
        for (int i = 1; i <= 100; i++) {
            listener.get(scope, 1, 7, i);
            listener.get(cancelled, 1, 7, i, 3);
        }
        assertThat(wire.sent).hasSize(64);
        listener.get(scope, 1, 8, 1);
        listener.get(scope, 1);
        assertThat(wire.sent).as("another port, and the switch itself").hasSize(66);
        cancelled.close();
        for (int i = 0; i < wire.sent.size(); i++) {
            wire.respond(wire.sent.get(i));
            listener.runDueTasks();
        }
        assertThat(listener.outcomes).hasSize(202);
        assertThat(listener.outcomes.stream().filter(outcome -> outcome instanceof Outcome.Reply))
                .hasSize(102);
    }
}
