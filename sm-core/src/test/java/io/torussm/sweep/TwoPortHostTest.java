package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
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
    private static final long SM = 0x100;
    private static final long DUAL = 0x200;
    private static final long OTHER = 0x300;

    /**
     * Returns a fabric with a cable between two switches at port 1; the SM is at port 2 of the first, its
     * second port is free.
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

    private static final String SM_HOST = """
            caguid=0x100
            Ca 2 "H-sm" # "host-0-0-0-0"
            [1](101) "S-a"[2]
            """;

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

    private static SweepHarness bringUp(SweepHarness harness) {
        harness.vlArbitration = SweepHarness::arbitration;
        assertThat(harness.sweep()).isEqualTo("up");
        harness.awaitRest();
        return harness;
    }

    private static Subnet subnet(SweepHarness harness) {
        return harness.publishedView().subnet();
    }

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
                .isEqualTo(SweepHarness.arbitration(VlArbitrationPolicy.PortClass.CA, 8, 8, 4)
                        .low0());
        assertThat(harness.fabric.pKeys(nodeGuid, portNum)[0])
                .as("P_Key of port %d", portNum)
                .isEqualTo(0xffff);
    }

    /** Checks that no request was refused or repeated, and no work is left. */
    private static void assertSmooth(SweepHarness harness) {
        assertThat(harness.lastReport().errors()).isEmpty();
        harness.requests.clear();
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(harness.countAllSets()).as("nothing is written again").isZero();
    }

    @Test
    void bothPortsAtOneSwitch() {
        SweepHarness harness = bringUp(onOneSwitch());
        assertProgrammed(harness, DUAL, 1);
        assertProgrammed(harness, DUAL, 2);
        assertThat(subnet(harness).lid(port(harness, DUAL, 1)))
                .isNotEqualTo(subnet(harness).lid(port(harness, DUAL, 2)));
        assertSmooth(harness);
    }

    @Test
    void aPortAtEachOfTwoSwitches() {
        SweepHarness harness = bringUp(onTwoSwitches());
        assertProgrammed(harness, DUAL, 1);
        assertProgrammed(harness, DUAL, 2);
        assertProgrammed(harness, OTHER, 1);
        assertSmooth(harness);
    }

    @Test
    void theOtherPortOfTheSmsOwnAdapter() {
        SweepHarness harness = bringUp(withDualSmHost());
        assertProgrammed(harness, SM, 1);
        assertProgrammed(harness, SM, 2);
        assertThat(subnet(harness).smLid())
                .isEqualTo(harness.fabric.portInfo(SM, 1).lid());
        assertSmooth(harness);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aPortThatIsDownAtTheStartIsLeftOutAndProgrammedWhenItComes(int down) {
        SweepHarness harness = onTwoSwitches();
        harness.fabric.unlink(DUAL, down);
        bringUp(harness);
        assertProgrammed(harness, DUAL, 3 - down);
        assertThat(subnet(harness).lid(port(harness, DUAL, down))).isZero();
        harness.fabric.relink(DUAL, down);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        harness.awaitRest();
        assertThat(harness.ends).containsOnly("up").hasSizeGreaterThan(1);
        assertProgrammed(harness, DUAL, 1);
        assertProgrammed(harness, DUAL, 2);
    }

    /** In a local sweep the port vanishes as in a whole one: it has no LID any more. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void aPortThatGoesDownLeavesTheOtherAloneAndComesBackWithItsLid(int down) {
        SweepHarness harness = bringUp(onTwoSwitches());
        int lid = subnet(harness).lid(port(harness, DUAL, down));
        int otherLid = subnet(harness).lid(port(harness, DUAL, 3 - down));
        harness.fabric.unlink(DUAL, down);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        harness.awaitRest();
        assertThat(subnet(harness).lid(port(harness, DUAL, down))).as("gone").isZero();
        assertThat(subnet(harness).fabric().isEndport(port(harness, DUAL, down)))
                .isFalse();
        assertThat(subnet(harness).lid(port(harness, DUAL, 3 - down))).isEqualTo(otherLid);
        assertProgrammed(harness, DUAL, 3 - down);
        harness.fabric.relink(DUAL, down);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        harness.awaitRest();
        assertThat(subnet(harness).lid(port(harness, DUAL, down))).isEqualTo(lid);
        assertProgrammed(harness, DUAL, 1);
        assertProgrammed(harness, DUAL, 2);
        assertSmooth(harness);
    }

    @Test
    void aLocalSweepLeavesTheStateOfAWholeOne() {
        SweepHarness harness = bringUp(onTwoSwitches());
        harness.fabric.unlink(DUAL, 1);
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        harness.awaitRest();
        Fabric local = subnet(harness).fabric();
        assertThat(harness.sweep()).isEqualTo("up");
        Fabric whole = subnet(harness).fabric();
        for (int port = 0; port < whole.portCount(); port++) {
            assertThat(local.isEndport(port)).as(whole.portName(port)).isEqualTo(whole.isEndport(port));
            assertThat(local.portGuid(port)).as(whole.portName(port)).isEqualTo(whole.portGuid(port));
            assertThat(local.peer(port)).isEqualTo(whole.peer(port));
        }
    }

    /** Each port has its own key, which SMPs on its own route carry. */
    @Test
    void portsWithDifferentMKeys() {
        SweepHarness harness = onTwoSwitches();
        SweepSettings open = harness.settings;
        harness.settings =
                new SweepSettings(open.gidPrefix(), 0, false, false, 0x77, 0, 2, 18, 18, open.links(), true, 0, false);
        bringUp(harness);
        assertThat(harness.fabric.portInfo(DUAL, 1).get(PortInfo.M_KEY)).isEqualTo(0x77);
        assertThat(harness.fabric.portInfo(DUAL, 2).get(PortInfo.M_KEY)).isEqualTo(0x77);
        harness.settings =
                new SweepSettings(open.gidPrefix(), 0, false, false, 0x99, 0, 2, 18, 18, open.links(), true, 0, false);
        harness.isRequestLost = mad -> isSetOfKeyAt(mad, 2);
        harness.sweep();
        assertThat(harness.fabric.portInfo(DUAL, 1).get(PortInfo.M_KEY)).isEqualTo(0x99);
        assertThat(harness.fabric.portInfo(DUAL, 2).get(PortInfo.M_KEY)).isEqualTo(0x77);
        harness.isRequestLost = mad -> false;
        harness.sweep();
        assertThat(harness.fabric.portInfo(DUAL, 2).get(PortInfo.M_KEY)).isEqualTo(0x99);
        assertProgrammed(harness, DUAL, 2);
    }

    private static boolean isSetOfKeyAt(byte[] mad, int portNum) {
        return Devices.wantedState(mad) >= 0
                && PortInfo.M_KEY.get(mad, Smp.DATA_OFFSET) == 0x99
                && (MadHeader.attributeModifier(mad) & 0xff) == portNum;
    }
}
