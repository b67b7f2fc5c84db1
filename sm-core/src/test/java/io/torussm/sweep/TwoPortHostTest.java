package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.VlArbitrationTable;
import io.torussm.program.smp.SweepSettings;
import io.torussm.routing.VlArbitrationPolicy;
import io.torussm.sim.model.FaultPlan;
import io.torussm.subnet.LinkSettings;
import io.torussm.subnet.Subnet;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Adapters with both ports in the subnet: each port is an end port of its own, and receives only its own
 * SMPs.
 */
class TwoPortHostTest {
    /** Node GUIDs of adapters: with the SM, with both ports in use, and with one port. */
    private static final long SM = 0x100;

    private static final long DUAL = 0x200;
    private static final long OTHER = 0x300;

    private static final int DEFAULT_P_KEY = 0xffff;
    private static final long OLD_M_KEY = 0x77;
    private static final long NEW_M_KEY = 0x99;

    /** The low-priority table of {@link SweepHarness#arbitration}, of adapters with eight data VLs. */
    private static final VlArbitrationTable LOW_ARBITRATION_OF_HOSTS =
            SweepHarness.arbitration(VlArbitrationPolicy.PortClass.CA, 8, 8, 4).low0();

    /**
     * Returns an SM on two switches with a cable between their ports 1. The SM is at port 2 of the first switch. Cables
     * and hosts are lines in the format of ibnetdiscover, in which a number in parentheses is a port GUID.
     */
    private static SweepHarness harness(String cablesA, String cablesB, String hosts) {
        String text = """
                switchguid=0xa0
                Switch 8 "S-a" # "sw-a"
                [1] "S-b"[1]
                [2] "H-sm"[1](101)
                %s
                switchguid=0xb0
                Switch 8 "S-b" # "sw-b"
                [1] "S-a"[1]
                %s
                %s
                """.formatted(cablesA, cablesB, hosts);
        return new SweepHarness(SweepHarness.topology(text), FaultPlan.NONE);
    }

    /** The host of the SM, whose second port is free. */
    private static final String SM_HOST = """
            caguid=0x100
            Ca 2 "H-sm" # "host-0-0-0-0"
            [1](101) "S-a"[2]
            """;

    /** Returns a fabric in which both ports of an adapter are at the first switch. */
    private static SweepHarness onOneSwitch() {
        return harness("[3] \"H-dual\"[1](201)\n[4] \"H-dual\"[2](202)", "[3] \"H-other\"[1](301)", SM_HOST + """
                        caguid=0x200
                        Ca 2 "H-dual" # "dual"
                        [1](201) "S-a"[3]
                        [2](202) "S-a"[4]
                        caguid=0x300
                        Ca 1 "H-other" # "other"
                        [1](301) "S-b"[3]
                        """);
    }

    /** Returns a fabric in which each switch has one port of an adapter. */
    private static SweepHarness onTwoSwitches() {
        return harness("[3] \"H-dual\"[1](201)", "[3] \"H-other\"[1](301)\n[4] \"H-dual\"[2](202)", SM_HOST + """
                        caguid=0x200
                        Ca 2 "H-dual" # "dual"
                        [1](201) "S-a"[3]
                        [2](202) "S-b"[4]
                        caguid=0x300
                        Ca 1 "H-other" # "other"
                        [1](301) "S-b"[3]
                        """);
    }

    /** Returns a fabric in which the second port of the SM's adapter is at the other switch. */
    private static SweepHarness withDualSmHost() {
        return harness("", "[3] \"H-other\"[1](301)\n[4] \"H-sm\"[2](102)", """
                caguid=0x100
                Ca 2 "H-sm" # "host-0-0-0-0"
                [1](101) "S-a"[2]
                [2](102) "S-b"[4]
                caguid=0x300
                Ca 1 "H-other" # "other"
                [1](301) "S-b"[3]
                """);
    }

    /** Waits until the SM has received the traps of a change, and has programmed it. */
    private static void settle(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        harness.awaitRest();
    }

    /** Returns the number of the other port of a two-port adapter. */
    private static int otherPort(int portNum) {
        return portNum == 1 ? 2 : 1;
    }

    private static SweepHarness bringUp(SweepHarness harness) {
        harness.vlArbitration = SweepHarness::arbitration;
        assertThat(harness.sweep()).isEqualTo("up");
        harness.awaitRest();
        return harness;
    }

    private static Subnet subnet(SweepHarness harness) {
        return harness.publishedView().subnet();
    }

    private static int lid(SweepHarness harness, long nodeGuid, int portNum) {
        return subnet(harness).lid(port(harness, nodeGuid, portNum));
    }

    /** Returns the index of a port in the published fabric. */
    private static int port(SweepHarness harness, long nodeGuid, int portNum) {
        Fabric fabric = subnet(harness).fabric();
        return fabric.port(fabric.nodeByGuid(nodeGuid), portNum);
    }

    /** Checks all programmed attributes of a port of an adapter. */
    private static void assertProgrammed(SweepHarness harness, long nodeGuid, int portNum) {
        PortInfo held = harness.fabric.portInfo(nodeGuid, portNum);
        int port = port(harness, nodeGuid, portNum);
        assertThat(held.portState()).as("state of port %d", portNum).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(held.lid()).isNotZero().isEqualTo(subnet(harness).lid(port));
        assertThat(held.masterSmLid()).isEqualTo(subnet(harness).smLid());
        assertThat(harness.fabric.sl2vl(nodeGuid, 0, portNum))
                .as("SL2VL of port %d", portNum)
                .isEqualTo(LinkSettings.foldRow(harness.publishedView().plan().sl2vl(port), held.operationalVls()))
                .isNotZero();
        assertThat(harness.fabric.vlArbitration(nodeGuid, portNum, 1))
                .as("VL arbitration of port %d", portNum)
                .isEqualTo(LOW_ARBITRATION_OF_HOSTS);
        assertThat(harness.fabric.pKeys(nodeGuid, portNum)[0])
                .as("P_Key of port %d", portNum)
                .isEqualTo(DEFAULT_P_KEY);
    }

    /** Checks that the last sweep had no error, and left no work for another one. */
    private static void assertNothingLeftToWrite(SweepHarness harness) {
        assertThat(harness.lastReport().errors()).isEmpty();
        harness.requests.clear();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).as("Sets of another sweep").isZero();
    }

    @Test
    void bothPortsAtOneSwitchAreProgrammedWithLidsOfTheirOwn() {
        SweepHarness harness = bringUp(onOneSwitch());
        assertProgrammed(harness, DUAL, 1);
        assertProgrammed(harness, DUAL, 2);
        assertThat(lid(harness, DUAL, 1)).isNotEqualTo(lid(harness, DUAL, 2));
        assertNothingLeftToWrite(harness);
    }

    @Test
    void portsOfOneAdapterAtTwoSwitchesAreProgrammed() {
        SweepHarness harness = bringUp(onTwoSwitches());
        assertProgrammed(harness, DUAL, 1);
        assertProgrammed(harness, DUAL, 2);
        assertProgrammed(harness, OTHER, 1);
        assertNothingLeftToWrite(harness);
    }

    @Test
    void theOtherPortOfTheAdapterOfTheSmIsProgrammed() {
        SweepHarness harness = bringUp(withDualSmHost());
        assertProgrammed(harness, SM, 1);
        assertProgrammed(harness, SM, 2);
        assertThat(subnet(harness).smLid())
                .isEqualTo(harness.fabric.portInfo(SM, 1).lid());
        assertNothingLeftToWrite(harness);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aPortThatIsDownAtTheStartIsLeftOutAndProgrammedWhenItComes(int down) {
        SweepHarness harness = onTwoSwitches();
        harness.fabric.unlink(DUAL, down);
        bringUp(harness);
        assertProgrammed(harness, DUAL, otherPort(down));
        assertThat(lid(harness, DUAL, down)).isZero();
        harness.fabric.relink(DUAL, down);
        settle(harness);
        assertThat(harness.ends).containsOnly("up").hasSizeGreaterThan(1);
        assertProgrammed(harness, DUAL, 1);
        assertProgrammed(harness, DUAL, 2);
    }

    /** In a local sweep the port vanishes as in a whole one: it has no LID any more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aPortThatGoesDownLeavesTheOtherAloneAndComesBackWithItsLid(int down) {
        SweepHarness harness = bringUp(onTwoSwitches());
        int lid = lid(harness, DUAL, down);
        int otherLid = lid(harness, DUAL, otherPort(down));
        harness.fabric.unlink(DUAL, down);
        settle(harness);
        assertThat(lid(harness, DUAL, down)).as("gone").isZero();
        assertThat(subnet(harness).fabric().isEndport(port(harness, DUAL, down)))
                .isFalse();
        assertThat(lid(harness, DUAL, otherPort(down))).isEqualTo(otherLid);
        assertProgrammed(harness, DUAL, otherPort(down));
        harness.fabric.relink(DUAL, down);
        settle(harness);
        assertThat(lid(harness, DUAL, down)).isEqualTo(lid);
        assertProgrammed(harness, DUAL, 1);
        assertProgrammed(harness, DUAL, 2);
        assertNothingLeftToWrite(harness);
    }

    @Test
    void aLocalSweepOfALostPortFindsTheFabricOfAWholeSweep() {
        SweepHarness harness = bringUp(onTwoSwitches());
        harness.fabric.unlink(DUAL, 1);
        settle(harness);
        Fabric local = subnet(harness).fabric();
        assertThat(harness.sweep()).isEqualTo("up");
        Fabric whole = subnet(harness).fabric();
        for (int port = 0; port < whole.portCount(); port++) {
            assertThat(local.isEndport(port)).as(whole.portName(port)).isEqualTo(whole.isEndport(port));
            assertThat(local.portGuid(port)).as(whole.portName(port)).isEqualTo(whole.portGuid(port));
            assertThat(local.peer(port)).isEqualTo(whole.peer(port));
        }
    }

    /** Each port has its own key, which SMPs on its own route carry. The Set of one port is lost. */
    @Test
    void aPortThatMissedAChangeOfTheMKeyGetsItInTheNextSweep() {
        SweepHarness harness = onTwoSwitches();
        harness.settings = withMKey(OLD_M_KEY);
        bringUp(harness);
        assertThat(mKey(harness, 1)).isEqualTo(OLD_M_KEY);
        assertThat(mKey(harness, 2)).isEqualTo(OLD_M_KEY);
        harness.settings = withMKey(NEW_M_KEY);
        harness.isRequestLost = mad -> isSetOfNewKeyAt(mad, 2);
        harness.sweep();
        assertThat(mKey(harness, 1)).isEqualTo(NEW_M_KEY);
        assertThat(mKey(harness, 2)).isEqualTo(OLD_M_KEY);
        harness.isRequestLost = mad -> false;
        harness.sweep();
        assertThat(mKey(harness, 2)).isEqualTo(NEW_M_KEY);
        assertProgrammed(harness, DUAL, 2);
    }

    private static SweepSettings withMKey(long mKey) {
        int protectBits = 2;
        int unlimitedLease = 0;
        return MKeySweepCase.settings(mKey, protectBits, unlimitedLease);
    }

    private static long mKey(SweepHarness harness, int portNum) {
        return harness.fabric.portInfo(DUAL, portNum).get(PortInfo.M_KEY);
    }

    private static boolean isSetOfNewKeyAt(byte[] mad, int portNum) {
        return Devices.wantedState(mad) >= 0
                && PortInfo.M_KEY.get(mad, Smp.DATA_OFFSET) == NEW_M_KEY
                && (MadHeader.attributeModifier(mad) & 0xff) == portNum;
    }
}
