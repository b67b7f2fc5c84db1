package io.torussm.subnet;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sweep.SweepHarness;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Enabled widths and speeds, as calculated and as written to a device. */
class LinkSpeedsTest {
    private static final long SWITCH = 0x10;
    private static final String PAIR = """
            switchguid=0x10(10)
            Switch 2 "S-1" # "sw"
            [1] "H-1"[1] # 4xHDR
            [2] "R-1"[1] # 4xEDR
            caguid=0x100
            Ca 1 "H-1" # "host-0-0-0-0"
            [1](101) "S-1"[1] # 4xHDR
            rtguid=0x200
            Rt 1 "R-1" # "router"
            [1](201) "S-1"[2] # 4xEDR
            """;

    private final SweepHarness harness = new SweepHarness(SweepHarness.topology(PAIR), FaultPlan.NONE);

    private PortInfo enabled(LinkSpeeds speeds, PortInfo at) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        return speeds.applyTo(fabric, fabric.port(0, 1), at);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0, 0, 1, 1, 1",
        "255, 15, 31, 3, 7, 7",
        "2, 6, 3, 2, 6, 3",
        "16, 8, 8, 1, 1, 1",
        "255, 15, 30, 3, 7, 30",
    })
    void zeroLeavesAndAllIsWhatIsSupported(int width, int speed, int extended, int toWidth, int toSpeed, int toExt) {
        harness.sweep();
        PortInfo restricted = harness.fabric
                .portInfo(SWITCH, 1)
                .with(PortInfo.LINK_WIDTH_ENABLED, 1)
                .with(PortInfo.LINK_SPEED_ENABLED, 1)
                .with(PortInfo.LINK_SPEED_EXT_ENABLED, 1);
        PortInfo wanted = enabled(new LinkSpeeds(width, speed, extended, 0, List.of()), restricted);
        assertThat(wanted)
                .isEqualTo(restricted
                        .with(PortInfo.LINK_WIDTH_ENABLED, toWidth)
                        .with(PortInfo.LINK_SPEED_ENABLED, toSpeed)
                        .with(PortInfo.LINK_SPEED_EXT_ENABLED, toExt));
    }

    /** A simulator, and perhaps a device, takes a mask for the speed that is to be active. */
    @Test
    void allSupportedRatesAreSentByTheirCodes() {
        PortInfo now = harness.fabric
                .portInfo(SWITCH, 1)
                .with(PortInfo.LINK_WIDTH_ENABLED, 1)
                .with(PortInfo.LINK_SPEED_ENABLED, 1);
        PortInfo wanted = now.with(PortInfo.LINK_WIDTH_ENABLED, now.get(PortInfo.LINK_WIDTH_SUPPORTED))
                .with(PortInfo.LINK_SPEED_ENABLED, now.get(PortInfo.LINK_SPEED_SUPPORTED));
        PortInfo sent = LinkSpeeds.asSent(wanted, now);
        assertThat(sent.get(PortInfo.LINK_WIDTH_ENABLED)).isEqualTo(LinkSpeeds.ALL_WIDTHS);
        assertThat(sent.get(PortInfo.LINK_SPEED_ENABLED)).isEqualTo(LinkSpeeds.ALL_SPEEDS);
        assertThat(LinkSpeeds.asSent(wanted, wanted)).as("no change").isEqualTo(wanted);
    }

    @Test
    void aPortOfItsOwnIsSetOnceAndRouterPortsHaveTheirHoqLife() {
        LinkSpeeds.PortSpeeds own = new LinkSpeeds.PortSpeeds(SWITCH, 1, 1, null, 2);
        harness.settings = SweepHarness.settings(
                new LinkSettings(5, 0x12, 0x0f, 7, 7, 8, 8, new LinkSpeeds(255, 3, 31, 0, List.of(own))));
        assertThat(harness.sweep()).isEqualTo("up");
        PortInfo told = harness.fabric.portInfo(SWITCH, 1);
        assertThat(told.get(PortInfo.LINK_WIDTH_ENABLED)).isEqualTo(1);
        assertThat(told.get(PortInfo.LINK_SPEED_ENABLED)).isEqualTo(3);
        assertThat(told.get(PortInfo.LINK_SPEED_EXT_ENABLED)).isEqualTo(2);
        PortInfo other = harness.fabric.portInfo(SWITCH, 2);
        assertThat(other.get(PortInfo.LINK_WIDTH_ENABLED)).isEqualTo(3);
        assertThat(other.get(PortInfo.LINK_SPEED_EXT_ENABLED)).isEqualTo(3);
        assertThat(harness.requests.stream().filter(LinkSpeedsTest::isHoqOfRouter))
                .isNotEmpty();
        harness.awaitRest();
        harness.sweep();
        assertThat(harness.countAllSets()).isZero();
    }

    private static boolean isHoqOfRouter(byte[] mad) {
        var path = io.torussm.mad.smp.Smp.path(mad);
        return io.torussm.mad.MadHeader.method(mad) == io.torussm.mad.Method.SET
                && io.torussm.mad.MadHeader.attributeId(mad) == PortInfo.TYPE.id()
                && path != null
                && path.hops() == 2
                && PortInfo.HOQ_LIFE.get(mad, io.torussm.mad.smp.Smp.DATA_OFFSET) == 0x0f;
    }
}
