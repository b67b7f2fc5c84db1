package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.mad.Gid;
import io.torussm.mad.Lids;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.routing.RecordedCases;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Assigned LIDs, mostly of a switch with the SM's host A at port 1 and host B at port 2. */
class LidAssignerTest {
    private static final long SWITCH = 0x100;
    private static final long HOST_A = 0x200;
    private static final long HOST_B = 0x300;

    /** LinearFDBCap of a switch whose SwitchInfo is not known. */
    private static final int UNKNOWN = 0;

    @Test
    void numbersAFreshFabricFromTheSmsOwnPort() {
        Subnet subnet = assign(fabric(0, 0, 0, 1024), Map.of(), 0, false);
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(1);
        assertThat(lidOf(subnet, SWITCH)).isEqualTo(2);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(3);
        assertThat(subnet.topLid()).isEqualTo(3);
        assertThat(subnet.switchOfLid(3)).isEqualTo(subnet.fabric().nodeByGuid(SWITCH));
    }

    @ParameterizedTest
    @ValueSource(strings = {"minhop", "updn", "dnup", "dor"})
    void numbersAFreshFabricAsTheReferenceDid(String engine) {
        RecordedCases.of(engine).forEach((name, recorded) -> {
            for (RecordedCases.State state : recorded.states().stream().limit(1).toList()) {
                Subnet wanted = state.subnet();
                Fabric fabric = wanted.fabric();
                Subnet subnet = assign(fabric, Map.of(), wanted.lmc(fabric.localPort()), false);
                for (int port = 0; port < fabric.portCount(); port++) {
                    assertThat(subnet.lid(port))
                            .as(name + " " + fabric.portName(port))
                            .isEqualTo(wanted.lid(port));
                }
            }
        });
    }

    @Test
    void keepsReportsOfPortsAgainstAStoreThatMostOfThemContradict() {
        Map<Long, Integer> old = Map.of(HOST_B + 1, 30, HOST_A + 1, 31, SWITCH, 7);
        Subnet subnet = assign(fabric(7, 9, 11, 1024), old, 0, false);
        assertThat(lidOf(subnet, SWITCH)).isEqualTo(7);
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(9);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(11);
    }

    @Test
    void believesAMasterThatGaveTheLidsAgainstAllReports() {
        Map<Long, Integer> given = Map.of(HOST_B + 1, 30, HOST_A + 1, 31, SWITCH, 7);
        LidAssigner.AssignedLids result =
                assign(fabric(7, 9, 11, 1024), new LidAssigner.KnownLids(given, true, Set.of()));
        Subnet subnet = result.subnet().orElseThrow();
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(31);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(30);
        assertThat(result.restored()).hasSize(2);
        assertThat(result.changes()).isEmpty();
    }

    @Test
    void aPortThatReportsALidOfAnotherKeepsItsOwn() {
        Map<Long, Integer> given = Map.of(HOST_B + 1, 11, HOST_A + 1, 9, SWITCH, 7);
        for (int foreign : new int[] {9, 7, 1, 60, Lids.UNICAST_LAST}) {
            Subnet subnet = assign(fabric(7, 9, foreign, 1024), given, 0, false);
            assertThat(lidOf(subnet, SWITCH)).isEqualTo(7);
            assertThat(lidOf(subnet, HOST_A)).isEqualTo(9);
            assertThat(lidOf(subnet, HOST_B)).isEqualTo(11);
        }
    }

    @Test
    void aNewPortDoesNotTakeTheLidOfAnAbsentOne() {
        Map<Long, Integer> given = Map.of(0x999L, 11, HOST_A + 1, 9, SWITCH, 7);
        LidAssigner.AssignedLids result =
                assign(fabric(7, 9, 11, 1024), new LidAssigner.KnownLids(given, true, Set.of()));
        assertThat(lidOf(result.subnet().orElseThrow(), HOST_B)).isNotIn(7, 9, 11);
        assertThat(result.changes()).hasSize(1);
    }

    /** Every table would have 768 blocks for it. */
    @Test
    void aLidFarBeyondTheForwardingTablesIsNotKept() {
        Subnet subnet = assign(fabric(7, 9, 49151, 49152), Map.of(), 0, false);
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(9);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(1);
        assertThat(lidOf(assign(fabric(7, 9, 900, 49152), Map.of(), 0, false), HOST_B))
                .isEqualTo(900);
    }

    /** A false answer of the switch, or another one in its place: the LIDs are in use. */
    @Test
    void lidsInUseAreKeptThoughTheSwitchClaimsToForwardFewer() {
        Map<Long, Integer> given = Map.of(HOST_B + 1, 11, HOST_A + 1, 9, SWITCH, 7);
        Subnet subnet = assign(fabric(7, 0, 11, 3), given, 0, false);
        assertThat(lidOf(subnet, SWITCH)).isEqualTo(7);
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(9);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(11);
        assertThat(LidReach.outliers(subnet)).singleElement().asString().contains("LinearFDBCap 3");
    }

    @Test
    void givesARebootedPortTheLidThatTheStoreRemembers() {
        Subnet subnet = assign(fabric(7, 9, 0, 1024), Map.of(HOST_B + 1, 30), 0, false);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(30);
    }

    @Test
    void sparesTheLidsOfAbsentPorts() {
        Subnet subnet = assign(fabric(0, 0, 0, 1024), Map.of(0x999L, 2), 0, false);
        assertThat(lidOf(subnet, SWITCH)).isEqualTo(3);
    }

    /** LID 1 is another switch's, 2 and 3 are a host's: its second one is as little to be had as its first. */
    @Test
    void sparesAllLidsOfAnAbsentHost() {
        Subnet subnet = assign(fabric(0, 0, 0, 1024), Map.of(0x998L, 1, 0x999L, 2), 1, false);
        assertThat(lidOf(subnet, SWITCH)).isGreaterThan(3);
    }

    @Test
    void takesLidsOfAbsentPortsWhenNoOthersAreLeft() {
        Subnet subnet = assign(fabric(0, 0, 0, 4), Map.of(0x999L, 2), 0, false);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(2);
    }

    /** A port that is absent may return with its virtual ports, but a new port needs a LID now. */
    @Test
    void takesLidsOfVirtualPortsAtAbsentPortsWhenNoOthersAreLeft() {
        Fabric fabric = fabric(0, 0, 0, 5);
        Map<Long, VPortLids.VPortLid> vports = Map.of(
                0x77L, new VPortLids.VPortLid(1, HOST_A + 1, true),
                0x78L, new VPortLids.VPortLid(2, 0x999L, true));
        LidAssigner.KnownLids memory = new LidAssigner.KnownLids(Map.of(), true, Set.of(), VPortLids.of(vports));
        assertThat(lidOf(assign(fabric, memory).subnet().orElseThrow(), HOST_B)).isEqualTo(2);
        Fabric large = fabric(0, 0, 0, 1024);
        assertThat(lidOf(assign(large, memory).subnet().orElseThrow(), HOST_B)).isEqualTo(5);
    }

    @Test
    void leavesADisputedLidToThePortThatTheStoreNames() {
        LidAssigner.AssignedLids result = LidAssigner.assign(
                fabric(5, 9, 9, 1024),
                LidAssigner.KnownLids.ofStore(Map.of(HOST_B + 1, 9)),
                0,
                false,
                Gid.DEFAULT_PREFIX);
        Subnet subnet = result.subnet().orElseThrow();
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(9);
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(1);
        assertThat(result.changes()).singleElement().asString().contains("changes from 9 to 1");
    }

    @Test
    void leavesADisputedLidToTheSmsOwnPortWhenTheStoreKnowsNeither() {
        Subnet subnet = assign(fabric(5, 9, 9, 1024), Map.of(), 0, false);
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(9);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(1);
    }

    @Test
    void alignsRangesToTheLmcAndGivesSwitchesOneLid() {
        Subnet subnet = assign(fabric(0, 0, 0, 1024), Map.of(), 2, false);
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(4);
        assertThat(lidOf(subnet, SWITCH)).isEqualTo(8);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(12);
        assertThat(subnet.portOfLid(15)).isEqualTo(subnet.portOfLid(12));
        assertThat(subnet.portOfLid(3)).isEqualTo(Fabric.NONE);
    }

    /** The switch lost its LID with its power, and its SwitchInfo was lost. It must not count as a host. */
    @Test
    void aSwitchWithoutSwitchInfoKeepsItsLid() {
        Subnet subnet = assign(fabric(0, 4, 8, UNKNOWN), Map.of(SWITCH, 3), 1, false);
        int port0 = subnet.portOfLid(3);
        assertThat(lidOf(subnet, SWITCH)).isEqualTo(3);
        assertThat(subnet.lmc(port0)).isZero();
    }

    @Test
    void doesNotKeepAReportedLidThatIsNotAligned() {
        Subnet subnet = assign(fabric(1, 5, 8, 1024), Map.of(), 2, false);
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(4);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(8);
    }

    @Test
    void forgetsEverythingWhenReassignmentIsAskedFor() {
        Subnet subnet = assign(fabric(7, 9, 11, 1024), Map.of(HOST_B + 1, 30), 0, true);
        assertThat(lidOf(subnet, HOST_A)).isEqualTo(1);
        assertThat(lidOf(subnet, HOST_B)).isEqualTo(3);
    }

    @Test
    void saysWhichPortGetsNoLidWhenTheSwitchesCannotForwardMore() {
        LidAssigner.AssignedLids result =
                LidAssigner.assign(fabric(0, 0, 0, 3), LidAssigner.KnownLids.NONE, 0, false, Gid.DEFAULT_PREFIX);
        assertThat(result.subnet()).isEmpty();
        assertThat(result.unaddressed()).as("a host, not the switch").hasSize(1);
        assertThat(result.problem())
                .contains("no LID is left")
                .contains("up to 2")
                .contains("LMC is 0");
    }

    private static LidAssigner.AssignedLids assign(Fabric fabric, LidAssigner.KnownLids memory) {
        return LidAssigner.assign(fabric, memory, 0, false, Gid.DEFAULT_PREFIX);
    }

    private static Subnet assign(Fabric fabric, Map<Long, Integer> remembered, int lmc, boolean reassign) {
        return LidAssigner.assign(fabric, LidAssigner.KnownLids.ofStore(remembered), lmc, reassign, Gid.DEFAULT_PREFIX)
                .subnet()
                .orElseThrow();
    }

    private static int lidOf(Subnet subnet, long nodeGuid) {
        Fabric fabric = subnet.fabric();
        int node = fabric.nodeByGuid(nodeGuid);
        return subnet.lid(fabric.port(node, fabric.isSwitch(node) ? 0 : 1));
    }

    /** Returns one switch with host A of the SM at port 1 and host B at port 2, whose ports report these LIDs. */
    private static Fabric fabric(int switchLid, int lidA, int lidB, int linearFdbCap) {
        FabricBuilder builder = new FabricBuilder();
        addHost(builder, HOST_A, lidA, DrPath.LOCAL);
        NodeInfo sw = NodeInfo.TYPE
                .zero()
                .with(NodeInfo.NODE_TYPE, NodeInfo.SWITCH)
                .with(NodeInfo.NUM_PORTS, 2)
                .with(NodeInfo.NODE_GUID, SWITCH)
                .with(NodeInfo.PORT_GUID, SWITCH)
                .with(NodeInfo.LOCAL_PORT_NUM, 1);
        builder.addNode(sw, DrPath.of(1));
        if (linearFdbCap != UNKNOWN) {
            builder.setSwitchInfo(SWITCH, SwitchInfo.TYPE.zero().with(SwitchInfo.LINEAR_FDB_CAP, linearFdbCap));
        }
        builder.setPortInfo(SWITCH, 0, PortInfo.TYPE.zero().with(PortInfo.LID, switchLid));
        addHost(builder, HOST_B, lidB, DrPath.of(1, 2));
        builder.link(HOST_A, 1, SWITCH, 1);
        builder.link(HOST_B, 1, SWITCH, 2);
        return builder.build();
    }

    private static void addHost(FabricBuilder builder, long guid, int lid, DrPath path) {
        NodeInfo info = NodeInfo.TYPE
                .zero()
                .with(NodeInfo.NODE_TYPE, NodeInfo.CHANNEL_ADAPTER)
                .with(NodeInfo.NUM_PORTS, 1)
                .with(NodeInfo.NODE_GUID, guid)
                .with(NodeInfo.PORT_GUID, guid + 1)
                .with(NodeInfo.LOCAL_PORT_NUM, 1);
        builder.addNode(info, path);
        builder.setPortInfo(guid, 1, PortInfo.TYPE.zero().with(PortInfo.LID, lid));
    }
}
