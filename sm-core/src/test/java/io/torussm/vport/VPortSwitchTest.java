package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.vport.VPortGuidInfo;
import io.torussm.mad.vport.VPortPKeyTable;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.partition.VPortMembers;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import io.torussm.vport.condition.UnmanagedPorts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to program the P_Key tables of switches at ports with virtual ports. */
class VPortSwitchTest extends VPortCase {
    /** Devices that respond shortly before the time-out. */
    private static final FaultPlan SLOW = new FaultPlan(1, 0, 0, 200, 150_000_000, 0);

    private static final FaultPlan FAST = new FaultPlan(1, 0, 0, 200, 1_000_000, 0);

    private final List<Set<Long>> requests = new ArrayList<>();
    private boolean isDone = true;
    private long refused;

    private PartitionSettings member(String members) {
        PartitionConf conf = PartitionConf.parse("test", "Default=0x7fff: ALL=full;\n" + members, true)
                .conf();
        return new PartitionSettings(Objects.requireNonNull(conf), PartitionSettings.Enforcement.BOTH, true, false)
                .with(manager.table());
    }

    private PartitionSettings member(long guid) {
        return member(String.format("P=0x5: 0x%016x=full;", guid));
    }

    private void program(Set<Long> ports, Consumer<Boolean> then) {
        requests.add(ports);
        then.accept(isDone && !ports.contains(refused));
    }

    private Fabric fabric() {
        return harness.publishedView().subnet().fabric();
    }

    private PartitionPlan look(PartitionSettings settings) {
        harness.sweep();
        manager.programSwitchesBy(this::program);
        PartitionPlan plan = PartitionPlan.of(settings, fabric(), port -> PortKeys.NONE);
        manager.visitPorts(harness.publishedView().subnet(), plan);
        settle();
        return plan;
    }

    @Test
    void aRequestThatFailsIsRepeatedAFewTimes() {
        PartitionSettings settings = member(agent(GOOD).info(3).portGuid());
        isDone = false;
        harness.sweep();
        manager.programSwitchesBy(this::program);
        // The plan of a sweep that met the host without this virtual port.
        PartitionPlan plan = PartitionPlan.of(settings.with(portGuid -> List.of()), fabric(), port -> PortKeys.NONE);
        manager.visitPorts(harness.publishedView().subnet(), plan);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        assertThat(requests).hasSize(3).containsOnly(Set.of(portGuid(GOOD)));
        isDone = true;
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(requests).hasSize(4);
    }

    @Test
    void aRequestThatAlwaysFailsEndsAndAnEarlierMastershipIsForgotten() {
        isDone = false;
        aRequestThatIsRefused();
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(5));
        assertThat(requests).hasSize(6);
        requests.clear();
        aRequestThatIsRefused();
        manager.forget();
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(5));
        assertThat(requests).hasSize(1);
    }

    private void aRequestThatIsRefused() {
        PartitionSettings settings = member(agent(GOOD).info(3).portGuid());
        harness.sweep();
        manager.programSwitchesBy(this::program);
        manager.visitPorts(
                harness.publishedView().subnet(),
                PartitionPlan.of(settings.with(portGuid -> List.of()), fabric(), port -> PortKeys.NONE));
        while (requests.isEmpty()) {
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(10));
        }
    }

    @Test
    void aRevokedKeyIsRemovedFromTheSwitchIfTheDeviceIsNotManaged() {
        use(
                VPortModel.of(4),
                AgentProfile.CONFORMING.refusing(
                        VPortGuidInfo.TYPE.id(), Method.GET, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, 1));
        look(PartitionSettings.DEFAULT);
        PartitionPlan plan = look(member(agent(OTHER).info(3).portGuid()));
        requests.clear();
        manager.repartitioned(plan.changedFor(member(""), fabric(), new BitSet(), port -> PortKeys.NONE));
        settle();
        assertThat(requests).containsExactly(Set.of(portGuid(OTHER)));
    }

    @Test
    void aNewMasterLeavesASwitchAsItIsUntilAllVPortsAreRead() {
        use(VPortModel.of(100), AgentProfile.CONFORMING);
        look(PartitionSettings.DEFAULT);
        PartitionSettings settings = member(agent(GOOD).info(99).portGuid());
        requests.clear();
        manager = manager();
        manager.programSwitchesBy(this::program);
        PartitionPlan plan = PartitionPlan.of(
                settings.with((VPortMembers) portGuid -> null), fabric(), port -> PortKeys.of(0xffff, 0x8005));
        manager.visitPorts(harness.publishedView().subnet(), plan);
        settle();
        assertThat(manager.table().guidsAt(portGuid(GOOD))).hasSize(99);
        assertThat(requests).noneMatch(ports -> ports.contains(portGuid(GOOD)));
    }

    @Test
    void aSwitchThatFailsDelaysNoOther() {
        refused = portGuid(OTHER);
        harness.sweep();
        manager.programSwitchesBy(this::program);
        repartition(member(agent(OTHER).info(3).portGuid()), true);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(18));
        assertThat(requests).hasSize(5).containsOnly(Set.of(refused));
        repartition(
                member(String.format(
                        "P=0x5: 0x%016x, 0x%016x=full;",
                        agent(OTHER).info(3).portGuid(), agent(GOOD).info(3).portGuid())),
                false);
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(100));
        assertThat(requests).contains(Set.of(portGuid(GOOD)));
        assertThat(requests.stream().filter(ports -> ports.contains(refused))).hasSize(5);
    }

    /** Publishes a plan that was made before virtual ports were known. */
    private void repartition(PartitionSettings settings, boolean isSwept) {
        PartitionPlan plan = PartitionPlan.of(settings.with(portGuid -> List.of()), fabric(), port -> PortKeys.NONE);
        if (isSwept) {
            manager.visitPorts(harness.publishedView().subnet(), plan);
        } else {
            manager.repartitioned(plan);
        }
    }

    @Test
    void aChangeDuringAContinuedVisitIsFound() {
        harness = harness(VPortModel.of(400).withTrap(0), AgentProfile.CONFORMING, FAST);
        manager = manager();
        harness.sweep();
        manager.visitPorts(harness.publishedView().subnet(), plan());
        while (manager.table().of(portGuid(GOOD)).size() < 100) {
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
        }
        agent(GOOD).changeGuid(3, 0x99);
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(manager.table().portOf(0x99)).isEqualTo(portGuid(GOOD));
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 8, 100})
    void vportsAreKnownThoughTheirTablesAreSilent(int count) {
        use(VPortModel.of(count), AgentProfile.CONFORMING.dropping(VPortPKeyTable.TYPE.id(), Method.GET, 1));
        look(PartitionSettings.DEFAULT);
        assertThat(manager.table().guidsAt(portGuid(OTHER))).hasSize(count - 1);
        PartitionPlan plan = look(member(agent(OTHER).info(3).portGuid()));
        requests.clear();
        agent(OTHER).unplug(2);
        manager.repartitioned(plan.changedFor(member(""), fabric(), new BitSet(), port -> PortKeys.NONE));
        settle();
        assertThat(requests).isNotEmpty().containsOnly(Set.of(portGuid(OTHER)));
        assertThat(manager.table().guidsAt(portGuid(OTHER)))
                .as("one was deleted")
                .hasSize(count - 2);
    }

    @Test
    void aSlowDeviceIsNotWaitedForWithoutEnd() {
        harness = harness(VPortModel.of(400), AgentProfile.CONFORMING, SLOW);
        manager = manager();
        look(PartitionSettings.DEFAULT);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(60));
        assertThat(manager.table().guidsAt(portGuid(GOOD))).isNull();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(60));
        assertThat(manager.table().guidsAt(portGuid(GOOD))).isNotNull();
        assertThat(events.of(SmEvent.VPORTS_LEFT)).hasSize(3);
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(10));
        assertThat(manager.table().guidsAt(portGuid(GOOD))).hasSize(399);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(3);
    }

    @Test
    void manyVPortsWithoutAGuidAreVisitedOnce() {
        harness = harness(VPortModel.of(400), AgentProfile.CONFORMING, FAST);
        manager = manager();
        for (int vport = 2; vport < 399; vport++) {
            agent(OTHER).changeGuid(vport, 0);
        }
        look(PartitionSettings.DEFAULT);
        assertThat(manager.table().guidsAt(portGuid(OTHER))).hasSize(2);
        assertThat(events.only(SmEvent.VPORTS_LEFT).names("GUID 0")).isTrue();
        harness.requests.clear();
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(harness.requests).as("another visit, for vport 1").hasSizeLessThan(500);
        assertThat(manager.table().keysOf(agent(OTHER).info(1).portGuid())).isNotNull();
    }

    @Test
    void aNewMasterLeavesASwitchAsItIsIfADeviceRejectsTheFirstVisit() {
        look(PartitionSettings.DEFAULT);
        int rejected = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        harness.fabric.setAgent(
                OTHER, AgentProfile.CONFORMING.refusing(VPortStateTable.TYPE.id(), Method.GET, rejected, 1));
        requests.clear();
        manager = manager();
        manager.programSwitchesBy(this::program);
        PartitionPlan plan = PartitionPlan.of(
                PartitionSettings.DEFAULT.with((VPortMembers) portGuid -> null),
                fabric(),
                port -> PortKeys.of(0xffff, 0x8005));
        manager.visitPorts(harness.publishedView().subnet(), plan);
        settle();
        assertThat(requests).noneMatch(ports -> ports.contains(portGuid(OTHER)));
        harness.loop.runFor(UnmanagedPorts.MAX_UNKNOWN_NS);
        assertThat(requests).as("after two minutes").anyMatch(ports -> ports.contains(portGuid(OTHER)));
        assertThat(events.of(SmEvent.VPORTS_LEFT)).last().satisfies(event -> assertThat(
                        event.names("vports were not read"))
                .isTrue());
    }
}
