package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.vport.VNodeDescription;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortNotice;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.model.VPortModel;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The descriptions of virtual ports: read late and seldom, as they are for people only. */
class VPortDescriptionTest extends VPortCase {
    private static final int ID = VNodeDescription.TYPE.id();

    private List<String> names(long nodeGuid) {
        return manager.table().of(portGuid(nodeGuid)).stream()
                .map(VirtualPort::name)
                .toList();
    }

    private long reads() {
        return harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == ID)
                .count();
    }

    private int lastIndex(int attribute, int method) {
        return IntStream.range(0, harness.requests.size())
                .filter(i -> MadHeader.attributeId(harness.requests.get(i)) == attribute
                        && MadHeader.method(harness.requests.get(i)) == method)
                .max()
                .orElse(-1);
    }

    @Test
    void descriptionsAreReadOnceOfVPortsThatAreNotPhysical() {
        sweep();
        assertThat(names(GOOD)).containsExactly("", "vport 1", "vport 2", "vport 3");
        assertThat(reads()).isEqualTo(9);
        sweep();
        assertThat(reads()).as("after another sweep").isZero();
        assertThat(names(OTHER)).containsExactly("", "vport 1", "vport 2", "vport 3");
    }

    @Test
    void descriptionsDelayNoVPortOfAnyHost() {
        sweep();
        int lastSet = lastIndex(VPortInfo.TYPE.id(), Method.SET);
        List<Integer> until = harness.requests.subList(0, lastSet + 1).stream()
                .map(MadHeader::attributeId)
                .toList();
        assertThat(lastSet).isPositive();
        assertThat(until).doesNotContain(ID);
        assertThat(vendorSmps(Method.GET) - reads())
                .as("GeneralInfo, VirtualizationInfo twice, states, four VPortInfo and VNodeInfo, the proof, P_Keys")
                .isEqualTo(3 * (4 + 8 + 1 + 6));
    }

    @Test
    void aTrapAboutANameLeadsToOneRead() {
        use(VPortModel.of(4).withTrap(VPortNotice.TRAP_VPORT_CHANGE), AgentProfile.CONFORMING);
        sweep();
        harness.requests.clear();
        agent(GOOD).setDescription(2, "pod-7");
        settle();
        assertThat(names(GOOD)).containsExactly("", "vport 1", "pod-7", "vport 3");
        assertThat(reads()).isEqualTo(1);
    }

    @Test
    void readsByTrapsAreLimited() {
        sweep();
        harness.requests.clear();
        for (int i = 0; i < 1000; i++) {
            agent(GOOD).setDescription(1 + i % 3, "pod " + i);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(1));
        }
        settle();
        assertThat(reads()).isLessThan(180);
        assertThat(names(GOOD)).containsExactly("", "pod 999", "pod 997", "pod 998");
    }

    @Test
    void aTrapAboutAVPortThatDoesNotExistLeadsToNoRead() {
        sweep();
        harness.requests.clear();
        int lid = harness.publishedView()
                .subnet()
                .lid(harness.publishedView().subnet().fabric().endport(portGuid(GOOD)));
        IntStream.range(4, 2000).forEach(vport -> manager.onVPortNameTrap(lid, vport));
        manager.onVPortTrap(lid);
        settle();
        assertThat(reads()).isZero();
    }

    @Test
    void aVPortWithAnotherGuidIsReadAgain() {
        sweep();
        harness.requests.clear();
        agent(GOOD).changeGuid(2, 0x77);
        agent(GOOD).setDescription(2, "other machine");
        settle();
        assertThat(names(GOOD)).containsExactly("", "vport 1", "other machine", "vport 3");
        assertThat(reads()).isBetween(1L, 2L);
    }

    @Test
    void returningVPortsKeepTheirNameUntilItIsReadAgain() {
        sweep();
        agent(GOOD).setDescriptionSilently(3, "restarted");
        harness.requests.clear();
        harness.fabric.setAgent(GOOD, AgentProfile.CONFORMING.dropping(ID, Method.GET, 1));
        harness.fabric.unlink(GOOD, 1);
        harness.fabric.relink(GOOD, 1);
        harness.sweep();
        manager.visitPorts(harness.publishedView().subnet(), plan());
        settle();
        assertThat(state(GOOD, 3)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(names(GOOD)).containsExactly("", "vport 1", "vport 2", "vport 3");
        harness.fabric.setAgent(GOOD, AgentProfile.CONFORMING);
        sweep();
        assertThat(names(GOOD)).containsExactly("", "vport 1", "vport 2", "restarted");
        assertThat(reads()).isEqualTo(3);
    }

    @Test
    void aNewMasterReadsThemOnce() {
        sweep();
        manager.forget();
        assertThat(names(GOOD)).isEmpty();
        sweep();
        assertThat(names(GOOD)).containsExactly("", "vport 1", "vport 2", "vport 3");
        assertThat(reads()).isEqualTo(9);
        assertThat(vendorSmps(Method.SET)).as("only requests to register again").isEqualTo(3);
    }

    @Test
    void textThatIsHostileForATerminalIsMadeHarmless() {
        sweep();
        agent(GOOD).setDescription(1, "a\u001b[31m\"{x}\u202e\nb");
        agent(GOOD).setDescription(2, "long " + "x".repeat(100));
        settle();
        assertThat(names(GOOD).get(1)).isEqualTo("a [31m  x   b");
        assertThat(names(GOOD).get(2)).hasSize(64);
    }

    @Test
    void aVPortThatWentKeepsItsNameInTheHistory() {
        sweep();
        long guid = agent(GOOD).info(2).portGuid();
        Instant before = harness.loop.timeOfDay();
        settle();
        agent(GOOD).unplug(2);
        settle();
        assertThat(manager.table().changes()).singleElement().satisfies(entry -> assertThat(entry.name())
                .isEqualTo("vport 2"));
        List<VirtualPort> current = manager.table().of(portGuid(GOOD));
        assertThat(manager.table().history().at(portGuid(GOOD), current, before))
                .extracting(VPortHistory.PastVPort::name)
                .containsExactly("vport 1", "vport 2", "vport 3");
        agent(GOOD).plug(2, guid);
        agent(GOOD).setDescriptionSilently(2, "next machine");
        settle();
        assertThat(manager.table().changes()).singleElement().satisfies(entry -> assertThat(entry.name())
                .isEqualTo("next machine"));
    }

    @Test
    void aFlappingVPortIsReportedWithItsName() {
        sweep();
        long guid = agent(GOOD).info(2).portGuid();
        for (int i = 0; i < 6; i++) {
            agent(GOOD).unplug(2);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(50));
            agent(GOOD).plug(2, guid);
            harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(50));
        }
        assertThat(events.only(SmEvent.VPORTS_FLAPPING).get(EventField.REASON))
                .startsWith("vport 2 \"vport 2\" with GUID ");
    }

    @ParameterizedTest
    @ValueSource(ints = {MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, 0x8})
    void aDeviceThatRejectsDescriptionsIsAskedOnce(int status) {
        harness = harness(VPortModel.of(4), AgentProfile.CONFORMING.refusing(ID, Method.GET, status, 1));
        manager = manager();
        sweep();
        assertThat(readsOf(OTHER)).isEqualTo(1);
        assertThat(names(OTHER)).containsExactly("", "", "", "");
        assertThat(names(GOOD)).containsExactly("", "vport 1", "vport 2", "vport 3");
        harness.requests.clear();
        agent(OTHER).plug(9, 0x99);
        agent(OTHER).setDescription(2, "renamed");
        settle();
        harness.sweep();
        manager.visitPorts(harness.publishedView().subnet(), plan());
        settle();
        assertThat(readsOf(OTHER)).isZero();
        assertThat(state(OTHER, 9)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    @Test
    void aVPortWhoseDescriptionIsRejectedIsAskedOnceWithoutEffectOnOthers() {
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == ID && MadHeader.attributeModifier(mad) == 1) {
                MadHeader.STATUS.set(mad, 0, MadStatus.INVALID_FIELD);
            }
        };
        sweep();
        assertThat(names(GOOD)).containsExactly("", "", "vport 2", "vport 3");
        sweep();
        assertThat(reads()).isZero();
    }

    @Test
    void aDeviceThatDropsDescriptionsCostsOnlyItself() {
        harness = harness(VPortModel.of(4), AgentProfile.CONFORMING.dropping(ID, Method.GET, 1), FaultPlan.NONE);
        manager = manager();
        sweep();
        assertThat(names(GOOD)).containsExactly("", "vport 1", "vport 2", "vport 3");
        long tries = readsOf(OTHER);
        assertThat(tries).isPositive();
        for (int i = 0; i < 5; i++) {
            sweep();
        }
        harness.requests.clear();
        agent(OTHER).plug(9, 0x99);
        settle();
        assertThat(readsOf(OTHER)).as("after %d in each of some sweeps", tries).isZero();
        assertThat(state(OTHER, 9)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    @Test
    void manyDevicesThatDropDescriptionsDelayNoNewVPort() {
        for (long host : List.of(GOOD, OTHER, THIRD)) {
            harness.fabric.setAgent(host, AgentProfile.CONFORMING.dropping(ID, Method.GET, 1));
        }
        harness.sweep();
        manager.visitPorts(harness.publishedView().subnet(), plan());
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(reads()).isPositive();
        agent(GOOD).plug(9, 0x99);
        harness.loop.runFor(TimeUnit.MILLISECONDS.toNanos(20));
        assertThat(state(GOOD, 9)).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    private long readsOf(long nodeGuid) {
        var fabric = harness.publishedView().subnet().fabric();
        var path = fabric.pathTo(fabric.endport(portGuid(nodeGuid)));
        return harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == ID && Objects.equals(Smp.path(mad), path))
                .count();
    }
}
