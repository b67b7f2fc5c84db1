package io.torussm.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.AdaptiveRoutingInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.FaultPlan;
import io.torussm.sim.Topology;
import io.torussm.sim.TopologyText;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import java.io.IOException;
import java.io.StringReader;
import org.junit.jupiter.api.Test;

/** Two switches, one of which is of Mellanox. */
class AdaptiveRoutingWatchTest {
    private static final String FABRIC = """
            vendid=0x2c9
            devid=0xd2f0
            switchguid=0x10
            Switch 2 "S-1" # "quantum"
            [1] "H-1"[1] # 4xHDR
            [2] "S-2"[1] # 4xHDR
            vendid=0x1234
            devid=0x1
            switchguid=0x20
            Switch 2 "S-2" # "another"
            [1] "S-1"[2] # 4xHDR
            vendid=0x2c9
            devid=0x101b
            caguid=0x100
            Ca 1 "H-1" # "host-0-0-0-0"
            [1](101) "S-1"[1] # 4xHDR
            """;

    private final SweepHarness harness = new SweepHarness(topology(), FaultPlan.NONE);
    private int flags;
    private int asked;

    private static Topology topology() {
        try {
            return TopologyText.read("quantum", new StringReader(FABRIC));
        } catch (IOException | io.torussm.sim.TopologyException e) {
            throw new AssertionError(e);
        }
    }

    private void look(AdaptiveRoutingWatch watch) {
        watch.look(harness.up().subnet().fabric());
        harness.loop.runFor(5_000_000_000L);
    }

    private void answer(byte[] mad) {
        if (MadHeader.attributeId(mad) == AdaptiveRoutingInfo.TYPE.id()) {
            asked++;
            MadHeader.STATUS.set(mad, 0, MadStatus.OK);
            mad[Smp.DATA + 3] = (byte) flags;
        }
    }

    @Test
    void isToldWhenItIsOnAndWhenItIsOff() {
        harness.tamper = this::answer;
        harness.sweep();
        AdaptiveRoutingWatch watch = new AdaptiveRoutingWatch(harness.client);
        try (LoggedEvents events = new LoggedEvents().listen()) {
            flags = 0x31;
            look(watch);
            assertThat(events.only(SmEvent.ADAPTIVE_ROUTING_ON).names("quantum"))
                    .isTrue();
            assertThat(watch.remarks())
                    .singleElement()
                    .asString()
                    .contains("quantum", "adaptive routing, fallback routing, routing notifications");
            look(watch);
            assertThat(events.of(SmEvent.ADAPTIVE_ROUTING_ON)).hasSize(1);
            flags = 0x0e;
            look(watch);
            assertThat(events.only(SmEvent.ADAPTIVE_ROUTING_OFF).names("quantum"))
                    .isTrue();
            assertThat(watch.remarks()).isEmpty();
            look(watch);
            assertThat(asked)
                    .as("asked once more after it was on, and not again")
                    .isEqualTo(3);
        }
    }

    /** As the simulated switches do: status 0x0C. */
    @Test
    void aSwitchThatDoesNotKnowTheAttributeIsAskedOnce() {
        harness.sweep();
        AdaptiveRoutingWatch watch = new AdaptiveRoutingWatch(harness.client);
        look(watch);
        long before = harness.requests.size();
        look(watch);
        assertThat(harness.requests).hasSize((int) before);
        assertThat(watch.remarks()).isEmpty();
        assertThat(harness.sweep()).isEqualTo("up");
    }
}
