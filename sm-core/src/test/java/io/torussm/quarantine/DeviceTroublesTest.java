package io.torussm.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The reports of attributes that devices do not accept, sweep by sweep. */
class DeviceTroublesTest {
    private static final int SWEEPS = 3;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    /** TSM-6028 is a condition of each sweep; a known rejection of a device is reported once. */
    @Test
    void valuesThatWaitAreReportedInEachSweepBesideAKnownRejection() {
        SweepHarness harness = new SweepHarness("torus:3x3x1,hosts=1");
        harness.sweep();
        Fabric fabric = harness.publishedView().subnet().fabric();
        DeviceTroubles troubles = new DeviceTroubles();
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            ProgrammingErrors errors = new ProgrammingErrors();
            errors.report("M_Keys wait for the disk");
            errors.report(2, PortInfo.TYPE.id(), "PortInfo was rejected");
            troubles.onSweepEnd(fabric, errors);
        }
        assertThat(log.of(SmEvent.WRITES_POSTPONED)).hasSize(SWEEPS);
        assertThat(log.of(SmEvent.DEVICE_TROUBLE)).hasSize(1);
    }
}
