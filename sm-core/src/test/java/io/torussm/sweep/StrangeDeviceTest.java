package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A switch with wrong answers: other devices are not affected, and it is included once its answers are
 * correct.
 */
class StrangeDeviceTest {
    private static final String BAD = "sw-1-1-0";
    private static final int SWITCHES = 12;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final SweepHarness harness = new SweepHarness("torus:4x3x1");

    private void passLightSweeps(int count) {
        for (int i = 0; i < count; i++) {
            harness.sweepLight();
            harness.awaitRest();
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        }
    }

    private int switches() {
        return harness.publishedView().subnet().fabric().switchCount();
    }

    /** The switch responds, but its ports stay in INITIALIZE, so its links are excluded. */
    @Test
    void aSwitchThatAnswersButRaisesNoPortStaysExcluded() {
        long bad = BadDeviceTest.guid(harness, BAD);
        harness.fabric.setAgent(bad, AgentProfile.CONFORMING.ignoringSets(PortInfo.TYPE.id()));
        harness.sweep();
        harness.awaitRest();
        passLightSweeps(4);
        assertThat(harness.sweeper.excludedParts()).as("its links").isNotEmpty();
        assertThat(log.of(SmEvent.DEVICE_LEFT_OUT))
                .hasSize(harness.sweeper.excludedParts().size());
        log.take();
        int ends = harness.ends.size();
        passLightSweeps(40);
        assertThat(log.take())
                .extracting(LoggedEvents.LoggedEvent::event)
                .doesNotContain(SmEvent.DEVICE_LEFT_OUT, SmEvent.DEVICE_TAKEN_IN, SmEvent.LINK_HELD_DOWN);
        assertThat(harness.ends.size() - ends)
                .as("it is tried less and less often")
                .isLessThan(8);
        harness.fabric.setAgent(bad, AgentProfile.CONFORMING);
        passLightSweeps(20);
        assertThat(log.openConditions()).isEmpty();
        assertThat(harness.sweeper.excludedParts()).isEmpty();
        assertThat(harness.ends).last().isEqualTo("up");
        SweeperTest.assertHeld(harness);
    }

    /**
     * NodeInfo, SwitchInfo or PortInfo are invalid while it is read; its links do not change, so that no
     * change is reported.
     */
    @ParameterizedTest
    @ValueSource(ints = {0x11, 0x12, 0x15})
    void whoToldNonsenseIsAskedAgain(int attributeId) {
        harness.sweep();
        harness.awaitRest();
        long bad = BadDeviceTest.guid(harness, BAD);
        boolean[] isStrange = {true};
        harness.changeResponse = mad -> {
            if (isStrange[0] && MadHeader.attributeId(mad) == attributeId && BadDeviceTest.endOf(harness, mad) == bad) {
                Arrays.fill(mad, Smp.DATA_OFFSET, Smp.DATA_OFFSET + Smp.DATA_SIZE, (byte) 0);
            }
        };
        assertThat(harness.sweep()).isEqualTo("up");
        harness.awaitRest();
        assertThat(switches()).as("of the subnet of all others").isEqualTo(SWITCHES - 1);
        int ends = harness.ends.size();
        passLightSweeps(40);
        assertThat(harness.ends.size() - ends)
                .as("whole sweeps for what is strange as before")
                .isLessThan(4);
        assertThat(switches()).isEqualTo(SWITCHES - 1);
        isStrange[0] = false;
        passLightSweeps(6);
        assertThat(switches()).isEqualTo(SWITCHES);
        SweeperTest.assertHeld(harness);
    }

    /**
     * The switch returns the NodeInfo of another device while it is read. Its links do not change, so no change is
     * reported. The switch may be nearer or farther than the device whose name it has.
     */
    @ParameterizedTest
    @CsvSource({"sw-1-1-0, sw-3-1-0", "sw-1-1-0, sw-1-0-0", "host-1-1-0-0, host-2-1-0-0", "host-1-1-0-0, host-1-0-0-0"})
    void whoShowedTheNameOfAnotherIsAskedAgain(String device, String other) {
        harness.sweep();
        harness.awaitRest();
        long bad = BadDeviceTest.guid(harness, device);
        Topology.Node original = harness.node(other);
        boolean[] isStrange = {true};
        harness.changeResponse = mad -> {
            if (isStrange[0]
                    && MadHeader.attributeId(mad) == NodeInfo.TYPE.id()
                    && BadDeviceTest.endOf(harness, mad) == bad) {
                NodeInfo.NODE_GUID.set(mad, Smp.DATA_OFFSET, original.nodeGuid());
                NodeInfo.PORT_GUID.set(mad, Smp.DATA_OFFSET, original.portGuid(original.isSwitch() ? 0 : 1));
            }
        };
        harness.sweep();
        harness.awaitRest();
        int nodes = harness.publishedView().subnet().fabric().nodeCount();
        assertThat(nodes).isLessThan(2 * SWITCHES);
        int ends = harness.ends.size();
        passLightSweeps(40);
        assertThat(harness.ends.size() - ends)
                .as("whole sweeps for what is strange as before")
                .isLessThan(4);
        isStrange[0] = false;
        passLightSweeps(6);
        assertThat(harness.publishedView().subnet().fabric().nodeCount()).isEqualTo(2 * SWITCHES);
        SweeperTest.assertHeld(harness);
    }
}
