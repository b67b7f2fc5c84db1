package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.vport.condition.FlappingVPorts;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.Test;

/** Virtual ports that come and go again and again, and hosts that send traps without end. */
class VPortFlapTest extends VPortCase {
    private static final FaultPlan BRISK = new FaultPlan(1, 0, 0, 200, 1_000_000, 0);
    private static final long HALF_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Ten toggles a second for a minute. */
    private static final int TOGGLES = 600;

    private final List<Set<Long>> requests = new ArrayList<>();
    private long guid;

    private void open() {
        harness = harness(VPortModel.of(4), AgentProfile.CONFORMING, BRISK);
        manager = manager();
        manager.programSwitchesBy((ports, then) -> {
            requests.add(ports);
            then.accept(true);
        });
        guid = agent(OTHER).info(3).portGuid();
        partitions = new PartitionSettings(
                Objects.requireNonNull(PartitionConf.parse(
                                "test", String.format("Default=0x7fff: ALL=full;%nP=5: 0x%x=full;%n", guid), true)
                        .conf()),
                PartitionSettings.Enforcement.BOTH,
                true,
                false);
        sweep();
        requests.clear();
        harness.requests.clear();
    }

    private void toggle(IntConsumer then) {
        for (int i = 0; i < TOGGLES; i++) {
            agent(OTHER).unplug(3);
            harness.loop.runFor(HALF_NS);
            agent(OTHER).plug(3, guid);
            harness.loop.runFor(HALF_NS);
            then.accept(i);
        }
    }

    private long sets() {
        return harness.requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == VPortInfo.TYPE.id())
                .count();
    }

    @Test
    void aVPortThatTogglesCostsABoundedShare() {
        open();
        toggle(i -> {});
        assertThat(sets()).as("two for each time that it comes up").isLessThan(60);
        assertThat(requests).as("requests for its switch").hasSizeLessThan(60);
        assertThat(vendorSmps(Method.GET) + vendorSmps(Method.SET)).isLessThan(2500);
        assertThat(events.only(SmEvent.VPORTS_FLAPPING).get(EventField.REASON))
                .asString()
                .startsWith("vport 3 \"vport 3\" with GUID ");
        assertThat(events.of(SmEvent.VPORTS_STABLE)).isEmpty();
        settle();
        assertThat(state(OTHER, 3)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(manager.table().portOf(guid)).isEqualTo(portGuid(OTHER));
        assertThat(events.of(SmEvent.VPORTS_STABLE)).isEmpty();
        settle();
        assertThat(events.of(SmEvent.VPORTS_FLAPPING)).hasSize(1);
        assertThat(events.of(SmEvent.VPORTS_STABLE)).hasSize(1);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    @Test
    void theConditionEndsIfVirtualPortsAreSwitchedOff() {
        open();
        toggle(i -> {});
        mode = 0;
        sweep();
        assertThat(events.of(SmEvent.VPORTS_FLAPPING)).hasSize(1);
        assertThat(events.of(SmEvent.VPORTS_STABLE)).hasSize(1);
    }

    @Test
    void otherVPortsAreNotDelayedByAVPortThatToggles() {
        open();
        toggle(i -> {
            if (i % 20 == 0) {
                int vport = 10 + i / 20;
                agent(GOOD).plug(vport, 0x9000 + vport);
                harness.loop.runFor(HALF_NS);
                assertThat(state(GOOD, vport)).as("at another host, %d", i).isEqualTo(PortInfo.STATE_ACTIVE);
                agent(OTHER).plug(vport, 0x8000 + vport);
                harness.loop.runFor(FlappingVPorts.VISIT_PAUSE_NS + HALF_NS);
                assertThat(state(OTHER, vport)).as("at the same host, %d", i).isEqualTo(PortInfo.STATE_ACTIVE);
            }
        });
        assertThat(events.of(SmEvent.VPORTS_FLAPPING)).hasSize(1);
    }

    @Test
    void aVPortThatIsStableAgainComesUpWithoutAPause() {
        open();
        for (int times = 0; times < 3; times++) {
            for (int i = 0; i < FlappingVPorts.FREE; i++) {
                agent(OTHER).unplug(3);
                harness.loop.runFor(HALF_NS);
                agent(OTHER).plug(3, guid);
                harness.loop.runFor(HALF_NS);
                assertThat(state(OTHER, 3)).isEqualTo(PortInfo.STATE_ACTIVE);
            }
            harness.loop.runFor(FlappingVPorts.QUIET_NS);
        }
        assertThat(events.of(SmEvent.VPORTS_FLAPPING)).isEmpty();
    }

    @Test
    void aHostWhoseTrapsDoNotCeaseHasAFewVisitsASecond() {
        open();
        int seconds = 60;
        for (int i = 0; i < seconds * 100; i++) {
            agent(OTHER).setDescription(3, "pod " + i);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
        }
        long visits = harness.requests.stream()
                .filter(mad -> MadHeader.method(mad) == Method.GET
                        && MadHeader.attributeId(mad) == VirtualizationInfo.TYPE.id())
                .count();
        assertThat(visits).isBetween(5L * seconds, FlappingVPorts.FREE_VISITS + 5L * seconds + 10);
        assertThat(events.only(SmEvent.VPORTS_FLAPPING).get(EventField.REASON)).isEqualTo("traps do not cease");
        settle();
        settle();
        assertThat(events.of(SmEvent.VPORTS_STABLE)).hasSize(1);
    }

    @Test
    void allVirtualFunctionsOfAHostAreDelayedIfTheyToggleInTurn() {
        open();
        int cycles = 40;
        int vports = 124;
        for (int i = 0; i < cycles; i++) {
            for (int vport = 4; vport < 4 + vports; vport++) {
                agent(OTHER).plug(vport, 0x8000 + vport);
            }
            harness.loop.runFor(5 * HALF_NS);
            for (int vport = 4; vport < 4 + vports; vport++) {
                agent(OTHER).unplug(vport);
            }
            harness.loop.runFor(5 * HALF_NS);
        }
        assertThat(sets()).as("two for each time that one comes up").isLessThan(3_000);
    }

    @Test
    void aHostThatUsesOtherGuidsAllTheTimeIsRememberedInBounds() {
        open();
        for (int i = 0; i < 1000; i++) {
            agent(OTHER).changeGuid(3, 0x7000 + i);
            harness.loop.runFor(HALF_NS);
        }
        assertThat(manager.rememberedChanges()).isBetween(1, FlappingVPorts.MAX_OF_PORT);
        assertThat(events.of(SmEvent.VPORTS_FLAPPING)).hasSize(1);
        harness.loop.runFor(FlappingVPorts.QUIET_NS);
        settle();
        manager.visitPorts(harness.publishedView().subnet(), plan());
        assertThat(manager.rememberedChanges()).isZero();
        assertThat(manager.table().portOf(0x7000 + 999)).isEqualTo(portGuid(OTHER));
    }

    @Test
    void theConditionOfAnAbsentPortEnds() {
        open();
        toggle(i -> {});
        assertThat(events.of(SmEvent.VPORTS_FLAPPING)).hasSize(1);
        harness.fabric.interventions().powerOff(OTHER);
        sweep();
        assertThat(events.of(SmEvent.VPORTS_STABLE)).hasSize(1);
    }
}
