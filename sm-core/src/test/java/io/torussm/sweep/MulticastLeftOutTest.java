package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FalseValue;
import io.torussm.testing.LoggedEvents;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A switch that does not accept its multicast table does not affect multicast of other switches, or unicast.
 */
class MulticastLeftOutTest extends MulticastSweepCase {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private static AgentProfile profile(String kind) {
        return switch (kind) {
            case "disobeys" -> AgentProfile.CONFORMING.ignoringSets(MFT);
            case "refuses" -> AgentProfile.CONFORMING.refusing(MFT, Method.SET, MadStatus.INVALID_FIELD, 1);
            case "drops" -> AgentProfile.CONFORMING.dropping(MFT, Method.SET, 1);
            default -> AgentProfile.CONFORMING.refusing(MFT, AgentProfile.ANY, MadStatus.BUSY, 1);
        };
    }

    /** Returns hosts that are not behind a switch. */
    private List<Integer> others(long guid) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        return harness.hosts().stream()
                .filter(port -> fabric.nodeGuid(fabric.switchOf(port)) != guid)
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"disobeys", "refuses", "drops", "is busy"})
    void multicastLeadsAroundASwitchThatDoesNotTakeItUntilItDoes(String kind) {
        long bad = BadDeviceTest.guid(harness, "sw-1-0-0");
        harness.fabric.setAgent(bad, profile(kind));
        bringUp();
        harness.hosts().forEach(port -> join(OTHER, port));
        harness.sweepLight();
        harness.awaitRest();
        assertThat(harness.ends).containsOnly("up");
        assertDelivers(harness, OTHER_MLID, others(bad), others(bad));
        assertThat(log.of(SmEvent.MULTICAST_LEFT_OUT))
                .singleElement()
                .satisfies(event -> assertThat(event.get(EventField.NAME)).contains("sw-1-0-0"));
        assertThat(harness.publishedView().subnet().fabric().switchCount()).isEqualTo(9);

        int before = harness.ends.size();
        harness.sweepLight();
        harness.sweepLight();
        assertThat(harness.ends).as("it stays as it is").hasSize(before);

        harness.fabric.setAgent(bad, AgentProfile.CONFORMING);
        harness.sweepLight();
        harness.sweepLight();
        harness.awaitRest();
        assertThat(log.only(SmEvent.DEVICE_TAKEN_IN).get(EventField.ATTRIBUTE))
                .as("no end of an exclusion of the whole switch")
                .isEqualTo(log.only(SmEvent.MULTICAST_LEFT_OUT).get(EventField.ATTRIBUTE))
                .isEqualTo("0x001b");
        assertThat(log.openConditions()).isEmpty();
        assertDelivers(harness, OTHER_MLID, harness.hosts(), harness.hosts());
    }

    /** All other switches support 1,024 groups, and so does this one. */
    @Test
    void aSwitchThatClaimsRoomForOneGroupDoesNotLimitGroups() {
        long liar = BadDeviceTest.guid(harness, "sw-1-0-0");
        harness.fabric.setAgent(
                liar,
                AgentProfile.CONFORMING.withFalseValue(
                        FalseValue.of(SwitchInfo.TYPE.id(), SwitchInfo.MULTICAST_FDB_CAP, 1)));
        bringUp();
        harness.hosts().forEach(port -> join(OTHER, port));
        harness.sweepLight();
        harness.awaitRest();
        assertDelivers(harness, OTHER_MLID, harness.hosts(), harness.hosts());
        assertThat(log.of(SmEvent.MULTICAST_NO_ROOM)).isEmpty();
    }

    @Test
    void theSwitchOfTheSmIsLeftOutOfMulticastLikeAnyOther() {
        long own = BadDeviceTest.guid(harness, "sw-0-0-0");
        harness.fabric.setAgent(own, profile("refuses"));
        roots = new int[] {0, 1};
        bringUp();
        harness.hosts().forEach(port -> join(OTHER, port));
        harness.sweepLight();
        harness.awaitRest();
        assertDelivers(harness, OTHER_MLID, others(own), others(own));
    }
}
