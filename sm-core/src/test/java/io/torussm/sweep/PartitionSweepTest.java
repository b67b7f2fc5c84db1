package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.PartitionPlan;
import io.torussm.partition.PartitionSettings;
import io.torussm.partition.PartitionSettings.Enforcement;
import io.torussm.partition.PortKeys;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.Seeds;
import io.torussm.view.PublishedView;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** P_Key tables and enforcement, read from the simulated devices. Host n is the n-th by GUID; the SM is at host 0. */
class PartitionSweepTest {
    private static final String TORUS = "torus:3x3x1,hosts=2";

    private static PartitionSettings settings(String text, Enforcement enforcement) {
        PartitionConf conf =
                Objects.requireNonNull(PartitionConf.parse("p.conf", text, true).conf());
        return new PartitionSettings(conf, enforcement, true, false);
    }

    private static PartitionSettings settings(String text) {
        return settings(text, Enforcement.BOTH);
    }

    private static PortKeys held(SweepHarness harness, Fabric fabric, int port) {
        return PortKeys.of(harness.fabric.pKeys(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port)));
    }

    private static String guid(Fabric fabric, int host) {
        return "0x" + Long.toHexString(fabric.portGuid(hostPort(fabric, host)));
    }

    private static int hostPort(Fabric fabric, int host) {
        return fabric.port(fabric.switchCount() + host, 1);
    }

    private static void assertHeld(SweepHarness harness) {
        PublishedView view = harness.publishedView();
        Fabric fabric = view.subnet().fabric();
        PartitionPlan plan = view.partitions();
        assertThat(plan.settings()).isEqualTo(harness.partitions);
        for (int port = 0; port < fabric.portCount(); port++) {
            PortKeys wanted = plan.table(port);
            if (wanted != null) {
                assertThat(held(harness, fabric, port))
                        .as(fabric.portName(port))
                        .isEqualTo(wanted);
            }
            if (fabric.peer(port) != Fabric.NONE) {
                PortInfo info = Devices.portInfo(harness, fabric, port);
                assertThat(info).as(fabric.portName(port)).isEqualTo(plan.withEnforcement(port, info));
                assertThat(info.portState()).isEqualTo(PortInfo.STATE_ACTIVE);
            }
        }
        assertThat(held(harness, fabric, fabric.localPort()).indexOf(0xffff)).isNotNegative();
    }

    @Test
    void portsHoldThePlanWhenTheSubnetIsUp() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.partitions = settings("A=0x10:ALL_CAS=full;B=0x20:ALL_SWITCHES=full,SELF=full;");
        assertThat(harness.sweep()).isEqualTo("up");
        assertHeld(harness);
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(held(harness, fabric, hostPort(fabric, 1))).isEqualTo(PortKeys.of(0x7fff, 0x8010));
        assertThat(held(harness, fabric, fabric.port(0, 0))).isEqualTo(PortKeys.of(0x7fff, 0x8020));
        assertThat(held(harness, fabric, fabric.localPort())).isEqualTo(PortKeys.of(0xffff, 0x8010, 0x8020));
    }

    @Test
    void aSecondSweepReadsAndWritesNoTable() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.partitions = settings("A=0x10:ALL_CAS=full;");
        harness.sweep();
        harness.sweep();
        assertThat(harness.requests).noneMatch(mad -> MadHeader.attributeId(mad) == PKeyTable.TYPE.id());
        assertThat(harness.countSets(PortInfo.TYPE.id())).isZero();
    }

    @Test
    void onlyTheBlocksThatDifferAreWritten() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.sweep();
        Fabric fabric = harness.publishedView().subnet().fabric();
        harness.partitions = settings("Default=0x7fff:ALL=full;A=0x10:" + guid(fabric, 3) + ";");
        harness.sweep();
        assertThat(harness.countSets(PKeyTable.TYPE.id()))
                .as("the host and its switch port")
                .isEqualTo(2);
        assertHeld(harness);
    }

    @Test
    void anotherSmReadsTheKeysOfPortsAndKeepsTheIndexes() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.partitions = settings("A=0x10:ALL_CAS;B=0x20:ALL_CAS=full;C=0x30:ALL_CAS;");
        harness.sweep();
        harness.restart();
        harness.partitions = settings("C=0x30:ALL_CAS=full;B=0x20:ALL_CAS=full;D=0x5:ALL_CAS;");
        harness.sweep();
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(held(harness, fabric, hostPort(fabric, 2))).isEqualTo(PortKeys.of(0x7fff, 0, 0x8020, 0x8030, 5));
        assertHeld(harness);
    }

    @Test
    void aPortWhoseLinkWasDownIsReadAgain() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.partitions = settings("A=0x10:ALL_CAS;");
        harness.sweep();
        Fabric fabric = harness.publishedView().subnet().fabric();
        int sw = fabric.nodeOf(fabric.peer(hostPort(fabric, 5)));
        harness.fabric.failSwitch(fabric.nodeGuid(sw));
        harness.fabric.restoreSwitch(fabric.nodeGuid(sw));
        harness.sweep();
        assertHeld(harness);
    }

    @Test
    void enforcementBeginsAfterTheTablesAndEndsBeforeThem() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.partitions = settings("A=0x10:ALL_CAS;");
        harness.sweep();
        assertThat(lastIndex(harness, PKeyTable.TYPE.id())).isLessThan(enforcing(harness, 1, true));
        harness.partitions = settings("Default=0x7fff:;", Enforcement.OFF);
        harness.sweep();
        assertThat(enforcing(harness, 0, false)).isLessThan(firstIndex(harness, PKeyTable.TYPE.id()));
        assertHeld(harness);
        harness.partitions = settings("B=0x11:ALL_CAS;", Enforcement.OUT);
        harness.sweep();
        assertThat(lastIndex(harness, PKeyTable.TYPE.id())).isLessThan(enforcing(harness, 1, true));
        assertHeld(harness);
    }

    /**
     * Returns the index of the first or last Set(PortInfo) of a switch port to a host with this
     * PartitionEnforcementOutbound.
     */
    private static int enforcing(SweepHarness harness, int value, boolean isFirst) {
        int index = -1;
        for (int i = 0; i < harness.requests.size(); i++) {
            byte[] mad = harness.requests.get(i);
            boolean isMeant = isSet(mad, PortInfo.TYPE.id())
                    && PortInfo.PARTITION_ENFORCEMENT_OUTBOUND.get(mad, Smp.DATA_OFFSET) == value;
            index = isMeant && (index < 0 || !isFirst) ? i : index;
        }
        assertThat(index).isNotNegative();
        return index;
    }

    private static boolean isSet(byte[] mad, int attribute) {
        return MadHeader.method(mad) == Method.SET && MadHeader.attributeId(mad) == attribute;
    }

    private static int firstIndex(SweepHarness harness, int attribute) {
        for (int i = 0; i < harness.requests.size(); i++) {
            if (isSet(harness.requests.get(i), attribute)) {
                return i;
            }
        }
        throw new AssertionError("none was sent");
    }

    private static int lastIndex(SweepHarness harness, int attribute) {
        int last = -1;
        for (int i = 0; i < harness.requests.size(); i++) {
            last = isSet(harness.requests.get(i), attribute) ? i : last;
        }
        assertThat(last).isNotNegative();
        return last;
    }

    @Test
    void aSwitchPortWhoseTableCouldNotBeWrittenDoesNotBeginToEnforce() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.partitions = settings("A=0x10:ALL_CAS;");
        int[] switchPort = {0};
        harness.isRequestLost = mad -> {
            boolean isLost = isSet(mad, PKeyTable.TYPE.id()) && MadHeader.attributeModifier(mad) >>> 16 != 0;
            switchPort[0] += isLost ? 1 : 0;
            return isLost;
        };
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(switchPort[0]).isPositive();
        Fabric fabric = harness.publishedView().subnet().fabric();
        int port = fabric.peer(hostPort(fabric, 1));
        assertThat(Devices.portInfo(harness, fabric, port).get(PortInfo.PARTITION_ENFORCEMENT_INBOUND))
                .isZero();
        harness.isRequestLost = mad -> false;
        harness.sweepLight();
        assertThat(harness.ends).as("the light sweep became a heavy one").hasSize(2);
        assertHeld(harness);
    }

    @Test
    void allDevicesHaveTheNewKeyBeforeAnyLosesTheOldOne() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.partitions = settings("A=0x10:ALL_CAS=full;");
        harness.sweep();
        harness.partitions = settings("B=0x20:ALL_CAS=full;");
        harness.sweep();
        int lastAddition = -1;
        int firstRemoval = Integer.MAX_VALUE;
        for (int i = 0; i < harness.requests.size(); i++) {
            byte[] mad = harness.requests.get(i);
            if (isSet(mad, PKeyTable.TYPE.id())) {
                PortKeys written = PortKeys.NONE.with(0, PKeyTable.TYPE.read(mad, Smp.DATA_OFFSET));
                assertThat(written.isIn(0x20)).isTrue();
                lastAddition = written.isIn(0x10) ? i : lastAddition;
                firstRemoval = written.isIn(0x10) ? firstRemoval : Math.min(firstRemoval, i);
            }
        }
        assertThat(lastAddition).isNotNegative().isLessThan(firstRemoval);
        assertHeld(harness);
    }

    /**
     * While tables change from one configuration to another, ports that share a partition in both can
     * communicate at any moment.
     */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void noWorkingKeyIsRemovedBeforeAnotherIsInPlace(long seed) {
        Random random = Seeds.random(seed);
        SweepHarness harness = new SweepHarness(
                TorusSpec.parse("torus:2x2x1,hosts=2").topology(), new FaultPlan(seed, 0, 0, 1000, 2_000_000));
        harness.partitions = settings(randomConf(random, null));
        harness.sweep();
        Fabric fabric = harness.publishedView().subnet().fabric();
        for (int round = 0; round < 5; round++) {
            PartitionPlan before = harness.publishedView().partitions();
            harness.partitions = settings(randomConf(random, fabric));
            PartitionPlan after = PartitionPlan.of(harness.partitions, fabric, port -> held(harness, fabric, port));
            harness.changeResponse = mad -> {
                if (MadHeader.attributeId(mad) == PKeyTable.TYPE.id()) {
                    assertTalking(harness, fabric, before, after);
                }
            };
            assertThat(harness.sweep()).isEqualTo("up");
            assertHeld(harness);
        }
    }

    private static void assertTalking(SweepHarness harness, Fabric fabric, PartitionPlan before, PartitionPlan after) {
        for (int port = 0; port < fabric.portCount(); port++) {
            PortKeys first = before.table(port);
            PortKeys last = after.table(port);
            String name = fabric.portName(port);
            if (first != null && last != null) {
                PortKeys currentKeys = held(harness, fabric, port);
                first.stream().filter(pKey -> last.indexOf(pKey) >= 0).forEach(pKey -> assertThat(
                                currentKeys.indexOf(pKey))
                        .as("%s: %s -> %s by %s", name, first, last, currentKeys)
                        .isNotNegative());
            }
        }
    }

    private static String randomConf(Random random, @org.jspecify.annotations.Nullable Fabric fabric) {
        StringBuilder text = new StringBuilder();
        for (int i = 1; i < 60; i++) {
            if (random.nextBoolean()) {
                text.append(i)
                        .append(i % 7 == 0 ? ",indx0" : "")
                        .append(":ALL=")
                        .append(random.nextBoolean() ? "full" : "l");
                if (fabric != null) {
                    text.append(',').append(guid(fabric, random.nextInt(4))).append("=full");
                }
                text.append(";\n");
            }
        }
        return text.toString();
    }

    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void convergesThoughSmpsAreLostDoubledAndLate(long seed) {
        SweepHarness harness = new SweepHarness(
                TorusSpec.parse("torus:3x3x1,hosts=1").topology(), new FaultPlan(seed, 0.1, 0.1, 1000, 50_000_000));
        harness.partitions = settings("A=0x10:ALL_CAS=full;B=0x20,indx0:ALL_SWITCHES;");
        for (int sweeps = 0; sweeps < 20 && harness.view == null; sweeps++) {
            harness.sweep();
        }
        harness.fabric.setLoss(0);
        harness.sweep();
        assertHeld(harness);
    }

    @Test
    void groupsOfTheFileExistWhenTheSubnetIsUp() {
        SweepHarness harness = new SweepHarness(TORUS);
        harness.partitions = settings("Default=0x7fff,ipoib,mtu=5:ALL=full;A=0x10,ipoib,scope=5:ALL;");
        harness.sweep();
        assertThat(harness.memberships.view().groups())
                .extracting(group -> group.record().pKey())
                .containsExactly(0xffff, 0x8010);
        harness.partitions = settings("Default=0x7fff:;");
        harness.sweep();
        assertThat(harness.memberships.view().groups()).isEmpty();
    }

    /** An HCA port has its own table: the one of the ingress port of the SMP. */
    @Test
    void eachPortOfAnAdapterHasItsOwnTable() throws Exception {
        String text = """
                Switch 4 "S-1" # "a"
                [1] "H-1"[1]
                [2] "H-2"[1]
                [4] "S-2"[4]

                Switch 4 "S-2" # "b"
                [1] "H-2"[2]
                [4] "S-1"[4]

                Ca 1 "H-1" # "host-0-0-0-0"
                [1] "S-1"[1]

                Ca 2 "H-2" # "two"
                [1] "S-1"[2]
                [2] "S-2"[1]
                """;
        Topology topology = SweepHarness.topology(text);
        Topology.Node two = topology.node("two").orElseThrow();
        SweepHarness harness = new SweepHarness(topology, FaultPlan.NONE);
        harness.partitions = settings("A=1:0x" + Long.toHexString(two.portGuid(1)) + ";B=2:0x"
                + Long.toHexString(two.portGuid(2)) + "=full;");
        assertThat(harness.sweep()).isEqualTo("up");
        assertHeld(harness);
        assertThat(PortKeys.of(harness.fabric.pKeys(two.nodeGuid(), 1))).isEqualTo(PortKeys.of(0x7fff, 1));
        assertThat(PortKeys.of(harness.fabric.pKeys(two.nodeGuid(), 2))).isEqualTo(PortKeys.of(0x7fff, 0x8002));
    }
}
