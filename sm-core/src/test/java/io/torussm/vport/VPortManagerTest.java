package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.vport.VNodeInfo;
import io.torussm.mad.vport.VPortInfo;
import io.torussm.mad.vport.VPortStateTable;
import io.torussm.mad.vport.VirtualizationInfo;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.model.VPortModel;
import io.torussm.sim.model.VPortModel.VPortActivation;
import io.torussm.sim.model.VPortModel.VPortLids;
import io.torussm.sweep.SweepHarness;
import io.torussm.vport.condition.UnmanagedPorts;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The manager of virtual ports, on good devices and bad ones. */
class VPortManagerTest extends VPortCase {
    @Test
    void vportsBecomeActiveAfterASweep() {
        sweep();
        for (int vport = 0; vport < 4; vport++) {
            assertThat(state(GOOD, vport)).as("vport %d", vport).isEqualTo(PortInfo.STATE_ACTIVE);
        }
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(manager.table().portOf(agent(GOOD).info(3).portGuid())).isEqualTo(portGuid(GOOD));
        assertThat(events.only(SmEvent.VPORTS_ACTIVE).get(EventField.COUNT)).isEqualTo("12");
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    /** A Set that follows a Get in flight is cancelled; later visits have a scope that may send Sets. */
    @Test
    void visitsThatAStandstillInterruptsWriteNothingAndAreRepeated() {
        harness.sweep();
        manager.visitPorts(harness.publishedView().subnet(), plan());
        harness.client.refuseSets();
        settle();
        assertThat(vendorSmps(Method.SET)).isZero();
        harness.client.permitSets();
        settle();
        assertThat(state(GOOD, 3)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    @Test
    void aSweepOverKnownVPortsWritesNothing() {
        sweep();
        sweep();
        assertThat(vendorSmps(Method.SET)).isZero();
        assertThat(vendorSmps(Method.GET)).as("one for each port").isEqualTo(3);
        assertThat(events.of(SmEvent.VPORTS_ACTIVE)).hasSize(1);
    }

    @Test
    void vportsThatFellWithABriefLossOfTheLinkReturn() {
        sweep();
        harness.fabric.unlink(GOOD, 1);
        harness.fabric.relink(GOOD, 1);
        harness.sweep();
        settle();
        manager.visitPorts(harness.publishedView().subnet(), plan());
        settle();
        assertThat(state(GOOD, 3)).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    @Test
    void devicesThatTakeNoArmedAreActivatedInOneSet() {
        use(VPortModel.of(4).with(VPortActivation.DIRECT), AgentProfile.CONFORMING);
        sweep();
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    @Test
    void aPortWithAsManyVPortsAsAreManagedHasNoneLeft() {
        use(VPortModel.of(VPortReader.MAX_VPORTS), AgentProfile.CONFORMING);
        sweep();
        settle();
        assertThat(manager.table().countActive()).isEqualTo(3 * VPortReader.MAX_VPORTS);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    @Test
    void noVPortIsReadIfVPortsAreIgnored() {
        mode = 0;
        sweep();
        assertThat(vendorSmps(Method.GET)).isZero();
        assertThat(agent(GOOD).isEnabled()).isFalse();
    }

    @Test
    void virtualizationIsDisabledOnRequest() {
        sweep();
        mode = 1;
        sweep();
        assertThat(agent(GOOD).isEnabled()).isFalse();
        assertThat(manager.table().vports()).isZero();
        sweep();
        assertThat(vendorSmps(Method.SET)).isZero();
    }

    static Stream<AgentProfile> enabled() {
        int refused = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        int enable = VirtualizationInfo.TYPE.id();
        AgentProfile good = AgentProfile.CONFORMING;
        return Stream.of(good.refusing(enable, Method.SET, refused, 1), good.ignoringSets(enable));
    }

    @ParameterizedTest
    @MethodSource("enabled")
    void vportsOfADeviceThatStaysEnabledStayAsTheyWere(AgentProfile bad) {
        sweep();
        List<VirtualPort> before = manager.table().of(portGuid(OTHER));
        harness.fabric.setAgent(OTHER, bad);
        mode = 1;
        sweep();
        assertThat(agent(OTHER).isEnabled()).isTrue();
        assertThat(manager.table().of(portGuid(OTHER))).isEqualTo(before).hasSize(4);
        assertThat(manager.table().of(portGuid(GOOD))).isEmpty();
        assertThat(events.of(SmEvent.VPORTS_LEFT)).hasSize(1);
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        sweep();
        assertThat(manager.table().vports()).isZero();
    }

    @ParameterizedTest
    @ValueSource(ints = {1144, 1146})
    void aVPortThatArrivesOrGoesIsFoundByItsTrap(int trap) {
        use(VPortModel.of(4).withTrap(trap), AgentProfile.CONFORMING);
        sweep();
        agent(GOOD).plug(9, 0x99);
        settle();
        assertThat(state(GOOD, 9)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(manager.table().portOf(0x99)).isEqualTo(portGuid(GOOD));
        assertThat(harness.fabric.pendingTrapCount()).isZero();
        agent(GOOD).unplug(9);
        settle();
        assertThat(manager.table().portOf(0x99)).isZero();
        assertThat(manager.table().countActive()).isEqualTo(12);
    }

    @Test
    void aVPortWithAnotherGuidIsKnownByIt() {
        sweep();
        long before = agent(GOOD).info(2).portGuid();
        agent(GOOD).changeGuid(2, 0x77);
        settle();
        assertThat(manager.table().portOf(before)).isZero();
        assertThat(manager.table().portOf(0x77)).isEqualTo(portGuid(GOOD));
        assertThat(state(GOOD, 2)).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    @Test
    void aMovedVPortCostsSmpsOfTwoPortsOnly() {
        sweep();
        long guid = agent(GOOD).info(3).portGuid();
        harness.requests.clear();
        agent(GOOD).unplug(3);
        agent(OTHER).plug(5, guid);
        settle();
        assertThat(manager.table().portOf(guid)).isEqualTo(portGuid(OTHER));
        assertThat(state(OTHER, 5)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(harness.requests)
                .as("states of two ports and their flags, twice if the new place is met first; one vport; represses")
                .hasSizeLessThanOrEqualTo(16);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    @Test
    void aGuidThatTwoVPortsHaveStaysWhereItWas() {
        sweep();
        long guid = agent(GOOD).info(3).portGuid();
        agent(OTHER).plug(5, guid);
        settle();
        assertThat(manager.table().portOf(guid)).isEqualTo(portGuid(GOOD));
        assertThat(state(OTHER, 5)).isEqualTo(PortInfo.STATE_INITIALIZE);
        assertThat(events.only(SmEvent.VPORTS_LEFT).names("vport 5")).isTrue();
        agent(GOOD).unplug(3);
        settle();
        assertThat(manager.table().portOf(guid)).isEqualTo(portGuid(OTHER));
        assertThat(state(OTHER, 5)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
    }

    @Test
    void aVPortLeavesAHostThatIsSilent() {
        sweep();
        long guid = agent(OTHER).info(3).portGuid();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING.droppingAll());
        agent(OTHER).unplug(3);
        agent(GOOD).plug(5, guid);
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(2));
        assertThat(manager.table().portOf(guid)).isEqualTo(portGuid(GOOD));
        assertThat(state(GOOD, 5)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(manager.table().of(portGuid(OTHER))).as("as they were").hasSize(3);
    }

    @Test
    void vportsReturnWithTheLinkOfTheirPort() {
        sweep();
        harness.fabric.unlink(GOOD, 1);
        sweep();
        assertThat(manager.table().countActive()).isEqualTo(8);
        harness.fabric.relink(GOOD, 1);
        sweep();
        assertThat(state(GOOD, 3)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(manager.table().countActive()).isEqualTo(12);
    }

    @Test
    void aNewMasterChangesNoVPortAndAsksItsClientsToRegister() {
        sweep();
        int[] before = agent(GOOD).pKeys(3);
        manager = manager();
        sweep();
        assertThat(state(GOOD, 3)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(agent(GOOD).pKeys(3)).isEqualTo(before);
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(vendorSmps(Method.SET)).as("VClientReregister of each port").isEqualTo(3);
        assertThat(agent(GOOD).reregistrations(3)).isEqualTo(1);
        assertThat(agent(GOOD).isEnabled()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {Method.GET, Method.SET})
    void clientsOfAPortThatIsSilentAtATakeoverRegisterLater(int silent) {
        sweep();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING.dropping(VirtualizationInfo.TYPE.id(), silent, 1));
        manager = manager();
        sweep();
        assertThat(agent(OTHER).reregistrations(3)).isZero();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(agent(OTHER).reregistrations(3)).isEqualTo(1);
        sweep();
        assertThat(agent(OTHER).reregistrations(3)).as("once").isEqualTo(1);
    }

    @Test
    void aDeviceThatRejectsTheReregistrationIsManaged() {
        sweep();
        int refused = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        int enable = VirtualizationInfo.TYPE.id();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING.refusing(enable, Method.SET, refused, 1));
        manager = manager();
        sweep();
        sweep();
        assertThat(manager.table().countActive()).isEqualTo(12);
    }

    static Stream<AgentProfile> unreadable() {
        int refused = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        int states = VPortStateTable.TYPE.id();
        AgentProfile good = AgentProfile.CONFORMING;
        return Stream.of(
                good.refusing(VirtualizationInfo.TYPE.id(), Method.GET, refused, 1),
                good.withFalseValue(FalseValue.ofByte(VirtualizationInfo.TYPE.id(), 6, 3)),
                good.refusing(states, Method.GET, refused, 1),
                good.withFalseValue(FalseValue.ofByte(states, 1, 0xff)));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void vportsThatCannotBeReadStayAsTheyWere(AgentProfile bad) {
        sweep();
        List<VirtualPort> before = manager.table().of(portGuid(OTHER));
        harness.fabric.setAgent(OTHER, bad);
        agent(OTHER).plug(9, 0x99);
        settle();
        assertThat(events.of(SmEvent.VPORTS_LEFT)).hasSize(1);
        assertThat(manager.table().of(portGuid(OTHER))).isEqualTo(before).hasSize(4);
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        sweep();
        assertThat(manager.table().countActive()).isEqualTo(13);
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void aVPortLeavesAHostThatCannotBeRead(AgentProfile bad) {
        sweep();
        long guid = agent(OTHER).info(3).portGuid();
        harness.fabric.setAgent(OTHER, bad);
        agent(OTHER).unplug(3);
        agent(GOOD).plug(5, guid);
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(2));
        assertThat(manager.table().portOf(guid)).isEqualTo(portGuid(GOOD));
        assertThat(state(GOOD, 5)).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(manager.table().of(portGuid(OTHER))).as("as they were").hasSize(3);
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void aDeviceThatRejectsTheFirstVisitOfANewMasterIsAskedAgain(AgentProfile bad) {
        sweep();
        harness.fabric.setAgent(OTHER, bad);
        manager = manager();
        sweep();
        assertThat(manager.table().guidsAt(portGuid(OTHER))).as("not known").isNull();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(40));
        assertThat(manager.table().guidsAt(portGuid(OTHER))).hasSize(3);
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
    }

    static Stream<Arguments> badDevices() {
        AgentProfile good = AgentProfile.CONFORMING;
        int refused = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        int enable = VirtualizationInfo.TYPE.id();
        int info = VPortInfo.TYPE.id();
        return Stream.of(
                Arguments.of(
                        "denies", good.withFalseValue(FalseValue.ofByte(GeneralInfo.TYPE.id(), 2, 0)), "GeneralInfo"),
                Arguments.of("another revision", good.withFalseValue(FalseValue.ofByte(enable, 6, 3)), "revision 3"),
                Arguments.of("no room", good.withFalseValue(FalseValue.ofByte(enable, 1, 0)), "VPortCap"),
                Arguments.of("refuses", good.refusing(enable, Method.GET, refused, 1), "0x000c"),
                Arguments.of("stays disabled", good.ignoringSets(enable), "stays disabled"),
                Arguments.of(
                        "no states", good.refusing(VPortStateTable.TYPE.id(), Method.GET, refused, 1), "VPortState"),
                Arguments.of(
                        "false states",
                        good.withFalseValue(FalseValue.ofByte(VPortStateTable.TYPE.id(), 1, 0xff)),
                        "state 15"),
                Arguments.of("no attributes", good.refusing(info, Method.GET, refused, 1), "vport 2"),
                Arguments.of("no GUID", good.withFalseValue(FalseValue.of(info, VPortInfo.PORT_GUID, 0)), "GUID"),
                Arguments.of(
                        "GUID of a port",
                        good.withFalseValue(FalseValue.of(info, VPortInfo.PORT_GUID, guidOfSm())),
                        "GUID of a port"),
                Arguments.of("no Sets", good.refusing(info, Method.SET, refused, 1), "0x000c"),
                Arguments.of("stays down", good.ignoringSets(info), "stays in state 2"),
                Arguments.of("deaf to Sets", good.dropping(info, Method.SET, 1), "timeout"));
    }

    private static long guidOfSm() {
        return TORUS.node(SweepHarness.HOST).orElseThrow().portGuid(1);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badDevices")
    void aBadDeviceCostsItself(String name, AgentProfile bad, String reason) {
        use(VPortModel.of(4), bad);
        sweep();
        assertThat(manager.table().countActive()).isEqualTo(8);
        assertThat(events.only(SmEvent.VPORTS_LEFT).get(EventField.REASON)).contains(reason);
        assertThat(state(OTHER, 3)).isNotEqualTo(PortInfo.STATE_ACTIVE);
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        sweep();
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(events.of(SmEvent.VPORTS_LEFT)).hasSize(1);
        if (!reason.equals("GeneralInfo")) {
            assertThat(manager.table().countActive()).isEqualTo(12);
            assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
        }
    }

    @Test
    void aDeviceWithoutGeneralInfoIsManagedByItsPortInfo() {
        use(VPortModel.of(4), AgentProfile.CONFORMING.dropping(GeneralInfo.TYPE.id(), Method.GET, 1));
        sweep();
        assertThat(manager.table().countActive()).isEqualTo(12);
        harness.requests.clear();
        sweep();
        assertThat(harness.requests).noneMatch(mad -> MadHeader.attributeId(mad) == GeneralInfo.TYPE.id());
    }

    @Test
    void aDeviceWithoutVirtualNodesHasVPorts() {
        int refused = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        use(VPortModel.of(4), AgentProfile.CONFORMING.refusing(VNodeInfo.TYPE.id(), Method.GET, refused, 1));
        sweep();
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(manager.table().of(portGuid(OTHER)).get(1).nodeGuid()).isZero();
    }

    @Test
    void aSilentDeviceIsAskedAgainWithoutASweep() {
        use(VPortModel.of(4), AgentProfile.CONFORMING.dropping(VirtualizationInfo.TYPE.id(), Method.GET, 1));
        sweep();
        assertThat(events.only(SmEvent.VPORTS_LEFT).get(EventField.REASON)).contains("timeout");
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(40));
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
    }

    @ParameterizedTest
    @EnumSource(VPortLids.class)
    void vportsThatNeedALidStayAsTheyAre(VPortLids lids) {
        use(VPortModel.of(4).with(lids), AgentProfile.CONFORMING);
        sweep();
        boolean isOwn = lids == VPortLids.OWN;
        assertThat(manager.table().countActive()).isEqualTo(isOwn ? 3 : 12);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).hasSize(isOwn ? 3 : 0);
    }

    @Test
    void theStateEndsWithTheMastership() {
        sweep();
        agent(GOOD).plug(9, 0x99);
        manager.forget();
        settle();
        assertThat(manager.table().vports()).isZero();
        assertThat(manager.table().portOf(agent(GOOD).info(3).portGuid())).isZero();
        assertThat(state(GOOD, 9)).isEqualTo(PortInfo.STATE_INITIALIZE);
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING.droppingAll());
        sweep();
        assertThat(manager.table().countActive()).isEqualTo(9);
    }

    @Test
    void aVPortThatIsGoneIsForgottenThoughAnotherIsSilent() {
        sweep();
        long gone = agent(OTHER).info(3).portGuid();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING.dropping(VPortInfo.TYPE.id(), Method.GET, 1));
        agent(OTHER).unplug(3);
        agent(OTHER).plug(9, 0x99);
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(manager.table().portOf(gone)).isZero();
        assertThat(manager.table().of(portGuid(OTHER))).as("the others").hasSize(3);
        assertThat(events.only(SmEvent.VPORTS_LEFT).names("vport 9")).isTrue();
    }

    @Test
    void aPortIsReportedAgainWithAnotherReason() {
        use(VPortModel.of(4), AgentProfile.CONFORMING.ignoringSets(VirtualizationInfo.TYPE.id()));
        sweep();
        sweep();
        assertThat(events.only(SmEvent.VPORTS_LEFT).names("stays disabled")).isTrue();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING.ignoringSets(VPortInfo.TYPE.id()));
        sweep();
        harness.loop.runFor(UnmanagedPorts.PAUSE_NS);
        assertThat(events.of(SmEvent.VPORTS_LEFT)).hasSize(2);
        assertThat(events.of(SmEvent.VPORTS_LEFT).get(1).names("stays in state 2"))
                .isTrue();
    }
}
