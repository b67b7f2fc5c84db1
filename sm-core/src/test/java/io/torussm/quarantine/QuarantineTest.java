package io.torussm.quarantine;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.stage.ProgrammingErrors;
import io.torussm.state.StateDirectory;
import io.torussm.subnet.SubnetMemory;
import io.torussm.sweep.SweepHarness;
import io.torussm.testing.LoggedEvents;
import io.torussm.transport.SmpRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The failures until a switch is excluded, and the sweeps until it is tried again. The torus has 9 switches. */
class QuarantineTest {
    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    private final SweepHarness harness = new SweepHarness("torus:3x3x1");
    private final Quarantine quarantine = new Quarantine(
            harness.loop,
            SubnetMemory.of(StateDirectory.none(harness.loop), 1, () -> 0, () -> false)
                    .drains());
    private final Fabric fabric = read();

    private Fabric read() {
        harness.sweep();
        return Objects.requireNonNull(harness.sweeper.view()).subnet().fabric();
    }

    /** Ends a sweep in which the last switches failed. */
    private void endSweep(int failed) {
        ProgrammingErrors errors = new ProgrammingErrors();
        IntStream.range(fabric.switchCount() - failed, fabric.switchCount())
                .forEach(sw -> errors.recordDeviation(
                        sw, SmpRequest.get(SwitchInfo.TYPE, fabric.node(sw).path(), 0, outcome -> {})));
        quarantine.onSweepEnd(fabric, errors);
    }

    /** Counts sweeps with failures until switches are excluded. */
    private int sweepsUntilExclusion(int failed) {
        int sweeps = 0;
        while (quarantine.entries().isEmpty()) {
            endSweep(failed);
            sweeps++;
        }
        return sweeps;
    }

    /** Counts the sweeps until an excluded switch, which complies again, is included. */
    private int sweepsUntilInclusion() {
        int sweeps = 0;
        while (!quarantine.entries().isEmpty()) {
            quarantine.retryDue(harness.client, guid -> {});
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
            sweeps++;
        }
        return sweeps;
    }

    @Test
    void isMorePatientIfManyFailTogether() {
        assertThat(sweepsUntilExclusion(2)).isEqualTo(2);
        assertThat(quarantine.entries()).hasSize(2);
        quarantine.forget();
        assertThat(sweepsUntilExclusion(3)).isEqualTo(4);
        assertThat(quarantine.entries()).hasSize(3);
    }

    @Test
    void countsOnlyConsecutiveFailures() {
        endSweep(1);
        endSweep(0);
        assertThat(sweepsUntilExclusion(1)).isEqualTo(2);
    }

    @Test
    void asksADeviceThatFailsAgainLessAndLessOften() {
        assertThat(sweepsUntilExclusion(1)).isEqualTo(2);
        List<Integer> pauses = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            pauses.add(sweepsUntilInclusion());
            assertThat(sweepsUntilExclusion(1)).as("after a release").isEqualTo(1);
        }
        assertThat(pauses).containsExactly(2, 3, 5, 9, 16, 16);
    }

    /** The request to become ACTIVE is illegal for a port in INITIALIZE, so the next sweep sends another one. */
    @Test
    void aLinkThatTrainedAgainIsTriedAgain() {
        int port = IntStream.range(0, fabric.portCount())
                .filter(each -> fabric.switchBehind(each) != Fabric.NONE)
                .findFirst()
                .orElseThrow();
        PortInfo active =
                Objects.requireNonNull(fabric.portInfo(port)).with(PortInfo.PORT_STATE, PortInfo.STATE_ACTIVE);
        SmpRequest<PortInfo> request =
                SmpRequest.set(active, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {});
        for (int sweep = 0; sweep < 2; sweep++) {
            ProgrammingErrors errors = new ProgrammingErrors();
            errors.unraised(port, request);
            quarantine.onSweepEnd(fabric, errors);
        }
        assertThat(quarantine.entries()).hasSize(1);
        long guid = fabric.nodeGuid(fabric.nodeOf(port));
        harness.sweeper.suspend(true);
        harness.fabric.unlink(guid, fabric.portNum(port));
        harness.fabric.relink(guid, fabric.portNum(port));
        for (int sweep = 0; sweep < 2; sweep++) {
            quarantine.retryDue(harness.client, released -> {});
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        }
        assertThat(quarantine.entries()).isEmpty();
    }

    /** One of the two links is repaired first, which is not the end of the exclusion of the switch. */
    @Test
    void aSwitchExcludedForTwoLinksIsIncludedWhenBothEnd() {
        int[] ports = IntStream.range(0, fabric.portCount())
                .filter(each -> fabric.nodeOf(each) == fabric.switchCount() - 1)
                .filter(each -> fabric.switchBehind(each) != Fabric.NONE)
                .limit(2)
                .toArray();
        for (int sweep = 0; sweep < 2; sweep++) {
            ProgrammingErrors errors = new ProgrammingErrors();
            for (int port : ports) {
                errors.unraised(
                        port,
                        SmpRequest.get(
                                PortInfo.TYPE, fabric.pathTo(port), fabric.portInfoModifier(port), outcome -> {}));
            }
            quarantine.onSweepEnd(fabric, errors);
        }
        assertThat(quarantine.excludeWholeSwitches(fabric)).isTrue();
        assertThat(log.openConditions()).as("a switch and two ports").hasSize(3);
        PortInfo waiting =
                Objects.requireNonNull(fabric.portInfo(ports[1])).with(PortInfo.PORT_STATE, PortInfo.STATE_INITIALIZE);
        quarantine.admit(fabric.with(ports[1], waiting), true, List.of());
        assertThat(log.openConditions()).hasSize(2).allSatisfy(open -> assertThat(
                        open.fields().getOrDefault(EventField.PORT, "none"))
                .isIn("none", "" + fabric.portNum(ports[1])));
        quarantine.admit(fabric, true, List.of());
        assertThat(log.openConditions()).isEmpty();
    }

    @Test
    void forgetsFailuresTenMinutesAfterTheRelease() {
        sweepsUntilExclusion(1);
        sweepsUntilInclusion();
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(9));
        endSweep(0);
        assertThat(sweepsUntilExclusion(1)).isEqualTo(1);
        sweepsUntilInclusion();
        harness.loop.runFor(TimeUnit.MINUTES.toNanos(11));
        endSweep(0);
        assertThat(sweepsUntilExclusion(1)).isEqualTo(2);
        assertThat(sweepsUntilInclusion()).isEqualTo(2);
    }
}
