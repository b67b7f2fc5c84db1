package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.sim.model.AgentProfile;
import io.torussm.testing.LoggedEvents;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The agent of the SM's switch does not respond, or not to one attribute; it forwards packets and SMPs to
 * others.
 */
class OwnSwitchTest {
    private static final String OWN = "sw-0-0-0";
    private static final int NODES = 24;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final SweepHarness harness = new SweepHarness("torus:4x3x1");

    @BeforeEach
    void bringUp() {
        assertThat(harness.sweep()).isEqualTo("up");
        harness.awaitRest();
    }

    private void setAgentProfile(AgentProfile profile) {
        harness.fabric.setAgent(BadDeviceTest.guid(harness, OWN), profile);
    }

    private int countNodes() {
        return harness.publishedView().subnet().fabric().nodeCount();
    }

    private void passLightSweeps(int count) {
        for (int i = 0; i < count; i++) {
            harness.sweepLight();
            harness.awaitRest();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {AgentProfile.ANY, 0x11, 0x12, 0x15})
    void whatIsPublishedStays(int attributeId) {
        setAgentProfile(AgentProfile.CONFORMING.dropping(attributeId, AgentProfile.ANY, 1));
        passLightSweeps(3);
        assertThat(harness.sweep()).startsWith("failed");
        passLightSweeps(2);
        assertThat(countNodes()).isEqualTo(NODES);
        assertThat(harness.sweeper.view()).isSameAs(harness.publishedView());
        setAgentProfile(AgentProfile.CONFORMING);
        passLightSweeps(2);
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(countNodes()).isEqualTo(NODES);
        SweeperTest.assertHeld(harness);
    }

    @ParameterizedTest
    @ValueSource(ints = {AgentProfile.ANY, 0x12})
    void aCableElsewhereIsRoutedAroundAsEver(int attributeId) {
        setAgentProfile(AgentProfile.CONFORMING.dropping(attributeId, AgentProfile.ANY, 1));
        log.take();
        passLightSweeps(6);
        assertThat(log.take()).extracting(LoggedEvents.LoggedEvent::event).containsExactly(SmEvent.SWITCHES_SILENT);
        int ends = harness.ends.size();
        harness.fabric.unlink(BadDeviceTest.guid(harness, "sw-2-1-0"), 3);
        harness.await(ends + 1);
        assertThat(harness.ends).last().isEqualTo("up");
        assertThat(harness.lastReport().reactionNs()).isLessThan(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(countNodes()).isEqualTo(NODES);
    }

    /** There is no response if the SM's cable is lost, or its switch is dead. */
    @Test
    void withoutAnyAnswerTheFabricIsReadAgain() {
        harness.requests.clear();
        harness.isRequestLost = mad -> MadHeader.HOP_COUNT.get(mad, 0) > 0;
        harness.sweepLight();
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(harness.ends).last().asString().startsWith("failed");
        assertThat(countNodes()).isEqualTo(NODES);
    }
}
