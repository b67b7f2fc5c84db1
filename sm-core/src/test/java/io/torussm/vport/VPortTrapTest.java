package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.subnet.Subnet;
import io.torussm.vport.condition.UnmanagedPorts;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Traps of virtual ports, and changes, while their port is visited. */
class VPortTrapTest extends VPortCase {
    private static final FaultPlan FAST = new FaultPlan(1, 0, 0, 200, 1_000_000, 0);
    private static final int MANY = 200;

    private int traps;

    private void open(int vports, AgentProfile agentOfOther) {
        harness = harness(VPortModel.of(vports), agentOfOther, FAST);
        manager = manager();
    }

    /** Lets a host send a trap during each visit of any port, as long as it is not reported. */
    private void trapDuringEachVisit(long nodeGuid) {
        Subnet subnet = harness.publishedView().subnet();
        int lid = subnet.lid(port(nodeGuid));
        traps = 0;
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == VirtualizationInfo.TYPE.id()
                    && traps < MANY
                    && events.of(SmEvent.VPORTS_LEFT).isEmpty()) {
                traps++;
                harness.loop.schedule(0, () -> manager.onVPortTrap(lid));
            }
        };
    }

    private int port(long nodeGuid) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        return IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.portGuid(port) == portGuid(nodeGuid))
                .findFirst()
                .orElseThrow();
    }

    private void assertReportedInTime() {
        assertThat(events.of(SmEvent.VPORTS_LEFT)).hasSize(1);
        assertThat(traps).isLessThan(MANY);
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 300})
    void aPortThatSendsTrapsWithoutEndIsReported(int vports) {
        open(vports, AgentProfile.CONFORMING.ignoringSets(VPortInfo.TYPE.id()));
        harness.sweep();
        trapDuringEachVisit(OTHER);
        manager.visitPorts(harness.publishedView().subnet(), plan());
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(5));
        assertReportedInTime();
    }

    @Test
    void aContestedGuidOfAPortThatSendsTrapsWithoutEndIsReported() {
        open(4, AgentProfile.CONFORMING);
        sweep();
        trapDuringEachVisit(OTHER);
        agent(OTHER).plug(5, agent(GOOD).info(3).portGuid());
        settle();
        assertReportedInTime();
    }

    /** Plugs and unplugs a vport with a GUID of another port for 60 s. */
    private void alternate() {
        long guid = agent(GOOD).info(3).portGuid();
        for (int i = 0; i < 300; i++) {
            agent(OTHER).plug(5, guid);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(100));
            agent(OTHER).unplug(5);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    @Test
    void aPortWhoseReasonAlternatesIsReportedOnceInTenMinutes() {
        open(4, AgentProfile.CONFORMING);
        sweep();
        agent(OTHER).plug(9, agent(GOOD).info(2).portGuid());
        settle();
        assertThat(reasons()).singleElement().asString().startsWith("vport 9 ");
        alternate();
        agent(OTHER).plug(5, agent(GOOD).info(3).portGuid());
        settle();
        assertThat(reasons()).hasSize(1);
        harness.loop.runFor(UnmanagedPorts.PAUSE_NS);
        assertThat(reasons()).hasSize(2).last().asString().startsWith("vport 5 ");
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).isEmpty();
        agent(OTHER).unplug(5);
        agent(OTHER).unplug(9);
        settle();
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
        harness.loop.runFor(UnmanagedPorts.PAUSE_NS);
        assertThat(reasons()).hasSize(2);
    }

    private List<String> reasons() {
        return events.of(SmEvent.VPORTS_LEFT).stream()
                .map(event -> event.get(EventField.REASON))
                .toList();
    }

    @Test
    void aRepeatedlyManagedPortIsReportedOnceInTenMinutes() {
        open(4, AgentProfile.CONFORMING);
        sweep();
        alternate();
        agent(OTHER).plug(5, agent(GOOD).info(3).portGuid());
        settle();
        assertThat(events.of(SmEvent.VPORTS_LEFT)).hasSize(1);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
        harness.loop.runFor(UnmanagedPorts.PAUSE_NS);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).hasSize(2);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
    }

    /** Changes the GUID of a virtual port at the response with a number, counted from the first about its port. */
    @ParameterizedTest
    @ValueSource(ints = {0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28})
    void aGuidThatChangesDuringAVisitIsFoundWithItsKeys(int response) {
        open(4, AgentProfile.CONFORMING);
        long before = agent(GOOD).info(3).portGuid();
        partitions = new PartitionSettings(
                Objects.requireNonNull(PartitionConf.parse(
                                "test",
                                String.format("Default=0x7fff: ALL=full;%nP=5: 0x%x=full;%nQ=6: 0x99=full;%n", before),
                                true)
                        .conf()),
                PartitionSettings.Enforcement.BOTH,
                true,
                false);
        harness.sweep();
        harness.changeResponse = mad -> {
            boolean isOfGood = Objects.equals(Smp.path(mad), path(GOOD));
            if (isOfGood && traps++ == response) {
                agent(GOOD).changeGuid(3, 0x99);
            }
        };
        manager.visitPorts(harness.publishedView().subnet(), plan());
        settle();
        assertThat(traps).isGreaterThan(response);
        assertThat(manager.table().portOf(0x99)).isEqualTo(portGuid(GOOD));
        assertThat(manager.table().portOf(before)).isZero();
        assertThat(state(GOOD, 3)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(Arrays.stream(agent(GOOD).pKeys(3)).filter(pKey -> pKey != 0))
                .containsExactly(0xffff, 0x8006);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    @Test
    void manyChangesOfAHostAreNotDelayed() {
        open(4, AgentProfile.CONFORMING);
        sweep();
        for (int vport = 10; vport < 40; vport++) {
            agent(GOOD).plug(vport, 0x9000 + vport);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(50));
            assertThat(state(GOOD, vport)).as("vport %d", vport).isEqualTo(PortInfo.STATE_ACTIVE);
        }
    }

    @Test
    void visitsByTrapsAreLimited() {
        open(4, AgentProfile.CONFORMING);
        sweep();
        harness.requests.clear();
        for (int i = 0; i < 1000; i++) {
            agent(GOOD).setDescription(3, "pod " + i);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
        }
        assertThat(harness.requests.stream().filter(mad -> MadHeader.attributeId(mad) == VirtualizationInfo.TYPE.id()))
                .hasSizeLessThan(60);
    }

    /** Returns the number of SMPs about vports to the port of a host. */
    private long smps(long nodeGuid) {
        return harness.requests.stream()
                .filter(mad -> Arrays.stream(VENDOR).anyMatch(id -> id == MadHeader.attributeId(mad)))
                .filter(mad -> Objects.equals(Smp.path(mad), path(nodeGuid)))
                .count();
    }

    @Test
    void aLostGuidLeadsToVisitsOfItsContendersOnly() {
        sweep();
        long guid = agent(GOOD).info(3).portGuid();
        agent(OTHER).plug(5, guid);
        settle();
        assertThat(reasons()).hasSize(1);
        harness.requests.clear();
        agent(THIRD).unplug(3);
        agent(GOOD).unplug(2);
        settle();
        assertThat(smps(THIRD)).isPositive();
        assertThat(smps(GOOD)).isPositive();
        assertThat(smps(OTHER)).as("neither GUID is contested").isZero();
        agent(GOOD).unplug(3);
        settle();
        assertThat(manager.table().portOf(guid)).isEqualTo(portGuid(OTHER));
    }

    @Test
    void allContendersForLostGuidsAreVisited() {
        open(4, AgentProfile.CONFORMING);
        sweep();
        long first = agent(GOOD).info(2).portGuid();
        long second = agent(GOOD).info(3).portGuid();
        agent(OTHER).plug(5, first);
        settle();
        agent(THIRD).plug(5, second);
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(6));
        agent(GOOD).unplug(2);
        agent(GOOD).unplug(3);
        settle();
        assertThat(manager.table().portOf(first)).isEqualTo(portGuid(OTHER));
        assertThat(manager.table().portOf(second)).isEqualTo(portGuid(THIRD));
    }

    private DrPath path(long nodeGuid) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        return fabric.pathTo(port(nodeGuid));
    }
}
