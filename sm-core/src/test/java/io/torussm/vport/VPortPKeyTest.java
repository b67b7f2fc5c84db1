package io.torussm.vport;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.GeneralInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.vport.VPortGuidInfo;
import io.torussm.mad.vport.VPortModifier;
import io.torussm.mad.vport.VPortPKeyTable;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PortKeys;
import io.torussm.sim.model.AgentProfile;
import io.torussm.sim.model.FalseValue;
import io.torussm.sim.model.VPortModel;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The P_Key tables of virtual ports by their GUIDs. */
class VPortPKeyTest extends VPortCase {
    private static final int TABLE = VPortPKeyTable.TYPE.id();
    private static final int FULL_DEFAULT = 0xffff;

    private void partition(String lines) {
        PartitionConf conf = PartitionConf.parse("test", "Default=0x7fff: ALL=full;\n" + lines, true)
                .conf();
        partitions =
                new PartitionSettings(Objects.requireNonNull(conf), PartitionSettings.Enforcement.BOTH, true, false);
    }

    private void member(int pKey, long guid) {
        partition(String.format("P=0x%x: 0x%016x=full;", pKey, guid));
    }

    private List<Integer> keys(long nodeGuid, int vport) {
        return Arrays.stream(agent(nodeGuid).pKeys(vport))
                .filter(pKey -> pKey != 0)
                .boxed()
                .toList();
    }

    private long vport(long nodeGuid, int index) {
        return agent(nodeGuid).info(index).portGuid();
    }

    private long sets() {
        return harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == TABLE && MadHeader.method(mad) == Method.SET)
                .count();
    }

    @Test
    void aVPortHasTheKeysOfItsGuid() {
        member(5, vport(GOOD, 3));
        sweep();
        assertThat(keys(GOOD, 3)).containsExactly(FULL_DEFAULT, 0x8005);
        assertThat(keys(GOOD, 2)).containsExactly(FULL_DEFAULT);
        assertThat(sets()).isEqualTo(1);
        assertThat(manager.table().keysOf(vport(GOOD, 3))).isEqualTo(PortKeys.of(FULL_DEFAULT, 0x8005));
        assertThat(manager.table().keysAt(portGuid(GOOD)).isIn(5)).isTrue();
        assertThat(events.of(SmEvent.VPORTS_LEFT)).isEmpty();
    }

    @Test
    void aTableIsReadBeforeItIsWritten() {
        member(5, vport(GOOD, 1));
        sweep();
        List<Integer> ofTables = harness.requests.stream()
                .filter(mad -> MadHeader.attributeId(mad) == TABLE || MadHeader.attributeId(mad) == 0xffb5)
                .filter(mad -> MadHeader.attributeModifier(mad) >>> 16 == 1 || MadHeader.attributeId(mad) == 0xffb5)
                .map(mad -> MadHeader.attributeId(mad) << 4 | MadHeader.method(mad))
                .toList();
        int write = ofTables.indexOf(TABLE << 4 | Method.SET);
        assertThat(ofTables.subList(0, write)).contains(0xffb5 << 4 | Method.GET, TABLE << 4 | Method.GET);
        assertThat(keys(GOOD, 1)).contains(0x8005);
    }

    @Test
    void membershipsAtRunTimeNeedNoSweep() {
        sweep();
        harness.requests.clear();
        member(5, vport(GOOD, 3));
        manager.repartitioned(plan());
        settle();
        assertThat(keys(GOOD, 3)).containsExactly(FULL_DEFAULT, 0x8005);
        assertThat(sets()).isEqualTo(1);
        assertThat(harness.requests).as("flags, states, and one vport").hasSizeLessThan(8);
        partition("");
        manager.repartitioned(plan());
        settle();
        assertThat(keys(GOOD, 3)).containsExactly(FULL_DEFAULT);
        assertThat(state(GOOD, 3)).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    /** Repartitions during the first visits: at the SMP with a number, and a few SMPs later if there are more. */
    private void changeAt(int smp, String... changes) {
        use(VPortModel.of(4), AgentProfile.CONFORMING);
        partition("");
        harness.sweep();
        int[] smps = {0};
        harness.changeResponse = mad -> {
            int since = smps[0]++ - smp;
            if (since >= 0 && since % 4 == 0 && since / 4 < changes.length) {
                harness.loop.schedule(0, () -> {
                    partition(changes[since / 4]);
                    manager.repartitioned(plan());
                });
            }
        };
        manager.visitPorts(harness.publishedView().subnet(), plan());
        settle();
    }

    @ParameterizedTest
    @ValueSource(ints = {4, 16, 28, 40, 52, 64, 70, 72, 74, 76, 77})
    void aMembershipThatChangesDuringAVisitIsNotLost(int smp) {
        String added = String.format("P=0x5: 0x%016x=full;", vport(GOOD, 3));
        changeAt(smp, added);
        assertThat(keys(GOOD, 3)).containsExactly(FULL_DEFAULT, 0x8005);
        changeAt(smp, added, "");
        assertThat(keys(GOOD, 3)).containsExactly(FULL_DEFAULT);
    }

    @Test
    void aVPortThatArrivesHasTheKeysThatWaitForIt() {
        member(7, 0x99);
        sweep();
        agent(GOOD).plug(9, 0x99);
        settle();
        assertThat(keys(GOOD, 9)).containsExactly(FULL_DEFAULT, 0x8007);
        agent(GOOD).unplug(9);
        agent(OTHER).plug(5, 0x99);
        settle();
        assertThat(keys(OTHER, 5)).containsExactly(FULL_DEFAULT, 0x8007);
        assertThat(state(OTHER, 5)).isEqualTo(PortInfo.STATE_ACTIVE);
    }

    @Test
    void aSweepWritesTablesThatAreRightNoMore() {
        member(5, vport(GOOD, 3));
        sweep();
        sweep();
        assertThat(sets()).isZero();
        manager = manager();
        sweep();
        assertThat(sets()).as("by a new master").isZero();
        assertThat(keys(GOOD, 3)).containsExactly(FULL_DEFAULT, 0x8005);
    }

    @Test
    void theKeysOfTheOtherOrderStayAsTheyAre() {
        use(VPortModel.of(4).with(VPortModifier.VPORT_IN_LOWER_HALF), AgentProfile.CONFORMING);
        member(5, vport(GOOD, 3));
        sweep();
        assertThat(sets()).isZero();
        assertThat(keys(GOOD, 3)).containsExactly(FULL_DEFAULT);
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(manager.table().keysOf(vport(GOOD, 3))).isNull();
        assertThat(events.only(SmEvent.VPORTS_LEFT).get(EventField.REASON)).contains("P_Keys of vport 3");
    }

    static Stream<Arguments> badDevices() {
        AgentProfile good = AgentProfile.CONFORMING;
        int refused = MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE;
        int guids = VPortGuidInfo.TYPE.id();
        return Stream.of(
                Arguments.of("denies", good.withFalseValue(FalseValue.ofByte(GeneralInfo.TYPE.id(), 1, 0))),
                Arguments.of("no GUIDs", good.refusing(guids, Method.GET, refused, 1)),
                Arguments.of("silent about GUIDs", good.dropping(guids, Method.GET, 1)),
                Arguments.of("no tables", good.refusing(TABLE, Method.GET, refused, 1)),
                Arguments.of("silent about tables", good.dropping(TABLE, Method.GET, 1)),
                Arguments.of("no Sets", good.refusing(TABLE, Method.SET, refused, 1)),
                Arguments.of("deaf to Sets", good.dropping(TABLE, Method.SET, 1)),
                Arguments.of("keeps none", good.ignoringSets(TABLE)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("badDevices")
    void aDeviceWithoutTablesHasItsVPorts(String name, AgentProfile bad) {
        use(VPortModel.of(4), bad);
        partition(String.format("P=0x5: 0x%016x, 0x%016x;", vport(GOOD, 3), vport(OTHER, 3)));
        sweep();
        assertThat(manager.table().countActive()).isEqualTo(12);
        assertThat(keys(GOOD, 3)).contains(0x0005);
        assertThat(keys(OTHER, 3)).doesNotContain(0x0005);
        assertThat(events.only(SmEvent.VPORTS_LEFT).names("P_Keys of vport")).isTrue();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        sweep();
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        if (!name.equals("denies")) {
            assertThat(keys(OTHER, 3)).contains(0x0005);
            assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {MadStatus.INVALID_FIELD, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE})
    void aRejectedTableCostsItsVPortOnly(int status) {
        partition(String.format("P=0x5: 0x%016x, 0x%016x;", vport(GOOD, 1), vport(GOOD, 3)));
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == TABLE && isOfVPort(mad, GOOD, 1)) {
                MadHeader.STATUS.set(mad, 0, status);
            }
        };
        sweep();
        assertThat(keys(GOOD, 3)).containsExactly(FULL_DEFAULT, 0x0005);
        assertThat(keys(GOOD, 1)).containsExactly(FULL_DEFAULT);
        assertThat(events.only(SmEvent.VPORTS_LEFT).get(EventField.REASON)).contains("P_Keys of vport 1");
        harness.changeResponse = mad -> {};
        sweep();
        assertThat(keys(GOOD, 1)).containsExactly(FULL_DEFAULT, 0x0005);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
    }

    private boolean isOfVPort(byte[] mad, long nodeGuid, int vport) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        DrPath path = fabric.node(fabric.nodeByGuid(nodeGuid)).path();
        return Objects.equals(path, Smp.path(mad)) && MadHeader.attributeModifier(mad) >>> 16 == vport;
    }

    @Test
    void aKeyThatADeviceKeptIsTakenAwayLater() {
        use(VPortModel.of(4), AgentProfile.CONFORMING);
        member(5, vport(OTHER, 3));
        sweep();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING.ignoringSets(TABLE));
        partition("");
        sweep();
        assertThat(keys(OTHER, 3)).contains(0x8005);
        assertThat(events.only(SmEvent.VPORTS_LEFT).names("P_Keys of vport 3")).isTrue();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        sweep();
        assertThat(keys(OTHER, 3)).containsExactly(FULL_DEFAULT);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
    }

    @Test
    void aNewMasterRevokesAKeyOfADeviceThatIsSilentAtFirst() {
        use(VPortModel.of(4), AgentProfile.CONFORMING);
        member(5, vport(OTHER, 3));
        sweep();
        manager = manager();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING.dropping(VPortGuidInfo.TYPE.id(), Method.GET, 1));
        partition("");
        sweep();
        assertThat(keys(OTHER, 3)).contains(0x8005);
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(1));
        assertThat(keys(OTHER, 3)).containsExactly(FULL_DEFAULT);
    }

    @Test
    void aTableThatIsTooSmallIsReported() {
        StringBuilder many = new StringBuilder();
        for (int pKey = 1; pKey <= 64; pKey++) {
            many.append(String.format("P%d=0x%x: 0x%016x;%n", pKey, pKey, vport(GOOD, 3)));
        }
        partition(many.toString());
        sweep();
        assertThat(keys(GOOD, 3)).hasSize(64).contains(FULL_DEFAULT);
        assertThat(events.only(SmEvent.VPORTS_LEFT).get(EventField.REASON)).contains("no room for 1");
    }

    @Test
    void aNewMasterReportsADeviceThatRejectsItsTables() {
        use(VPortModel.of(4), AgentProfile.CONFORMING);
        member(5, vport(OTHER, 3));
        sweep();
        manager = manager();
        harness.fabric.setAgent(
                OTHER,
                AgentProfile.CONFORMING.refusing(
                        VPortGuidInfo.TYPE.id(), Method.GET, MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE, 1));
        partition("");
        sweep();
        assertThat(events.only(SmEvent.VPORTS_LEFT).names("P_Keys of vport 2")).isTrue();
        harness.fabric.setAgent(OTHER, AgentProfile.CONFORMING);
        sweep();
        assertThat(keys(OTHER, 3)).containsExactly(FULL_DEFAULT);
        assertThat(events.of(SmEvent.VPORTS_MANAGED)).hasSize(1);
    }
}
