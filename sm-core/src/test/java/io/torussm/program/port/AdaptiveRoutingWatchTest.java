package io.torussm.program.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.smp.AdaptiveRoutingInfo;
import io.torussm.mad.smp.Smp;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import org.junit.jupiter.api.Test;

/** The watch for adaptive routing, on two switches, one of which is of Mellanox. */
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

    private final SweepHarness harness = new SweepHarness(SweepHarness.topology(FABRIC), FaultPlan.NONE);
    private int flags;
    private int requestCount;

    private void look(AdaptiveRoutingWatch watch) {
        watch.update(harness.publishedView().subnet().fabric());
        harness.loop.runFor(5_000_000_000L);
    }

    private void answer(byte[] mad) {
        if (MadHeader.attributeId(mad) == AdaptiveRoutingInfo.TYPE.id()) {
            requestCount++;
            MadHeader.STATUS.set(mad, 0, MadStatus.OK);
            mad[Smp.DATA_OFFSET + 3] = (byte) flags;
        }
    }

    @Test
    void isReportedWhenItIsOnAndWhenItIsOff() {
        harness.changeResponse = this::answer;
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
            assertThat(requestCount)
                    .as("asked once more after it was on, and not again")
                    .isEqualTo(3);
        }
    }

    @Test
    void aSwitchThatStillWaitsIsNotAskedTwice() {
        harness.changeResponse = this::answer;
        harness.sweep();
        AdaptiveRoutingWatch watch = new AdaptiveRoutingWatch(harness.client);
        flags = 1;
        look(watch);
        for (int sweeps = 0; sweeps < 3; sweeps++) {
            watch.update(harness.publishedView().subnet().fabric());
        }
        look(watch);
        assertThat(requestCount)
                .as("once at first, and once for all sweeps since")
                .isEqualTo(2);
    }

    @Test
    void theStateEndsWithTheMastership() {
        harness.changeResponse = this::answer;
        harness.sweep();
        AdaptiveRoutingWatch watch = new AdaptiveRoutingWatch(harness.client);
        flags = 1;
        watch.update(harness.publishedView().subnet().fabric());
        watch.forget();
        harness.loop.runFor(5_000_000_000L);
        assertThat(requestCount).isEqualTo(1);
        assertThat(watch.remarks()).as("what a late answer says").isEmpty();
        look(watch);
        assertThat(watch.remarks()).hasSize(1);
        watch.forget();
        assertThat(watch.remarks()).isEmpty();
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
