package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.smp.Smp;
import io.torussm.mad.smp.SwitchInfo;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.Subnet;
import io.torussm.testing.LoggedEvents;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Switches that claim smaller tables than the subnet needs. All others are served. */
class FalseCapTest {
    private static final Topology TORUS = TorusSpec.parse("torus:4x3x1").topology();
    private static final int PORTS = 24;

    @RegisterExtension
    final LoggedEvents log = new LoggedEvents();

    @TempDir
    Path dir;

    private SweepHarness harness() {
        return new SweepHarness(TORUS, FaultPlan.NONE, SweepHarness.settings(), dir);
    }

    private static void settle(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
        harness.awaitRest();
    }

    private static Map<String, Integer> lids(SweepHarness harness) {
        Subnet subnet = harness.publishedView().subnet();
        Map<String, Integer> lids = new TreeMap<>();
        for (int port = 0; port < subnet.fabric().portCount(); port++) {
            if (subnet.lid(port) != 0) {
                lids.put(subnet.fabric().portName(port), subnet.lid(port));
            }
        }
        return lids;
    }

    /** Sets the cap that switches claim; null for all of them. */
    private static void claim(SweepHarness harness, String name, int cap) {
        long liar = name.isEmpty() ? 0 : harness.node(name).nodeGuid();
        harness.changeResponse = mad -> {
            if (MadHeader.attributeId(mad) == SwitchInfo.TYPE.id()
                    && (liar == 0 || BadDeviceTest.endOf(harness, mad) == liar)) {
                SwitchInfo.LINEAR_FDB_CAP.set(mad, Smp.DATA_OFFSET, cap);
            }
        };
    }

    private static void assertAllServed(SweepHarness harness) {
        assertThat(lids(harness)).hasSize(PORTS);
        SweeperTest.assertHeld(harness);
    }

    /** The far one, and that of the SM. */
    @ParameterizedTest
    @CsvSource({"sw-2-1-0, 1", "sw-2-1-0, 20", "sw-2-1-0, 255", "sw-0-0-0, 1", "sw-0-0-0, 20"})
    void oneSwitchThatClaimsFewLidsStopsNeitherStartNorSweepNorRestart(String liar, int cap) {
        SweepHarness harness = harness();
        claim(harness, liar, cap);
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
        assertAllServed(harness);
        Map<String, Integer> lids = lids(harness);
        int named = cap <= PORTS ? 1 : 0;
        assertThat(log.of(SmEvent.SWITCH_CLAIMS_FEW_LIDS)).hasSize(named);
        harness.fabric.unlink(harness.node("sw-1-2-0").nodeGuid(), 1);
        settle(harness);
        assertAllServed(harness);
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
        assertAllServed(harness);
        harness.changeResponse = mad -> {};
        harness.sweepLight();
        settle(harness);
        assertAllServed(harness);
        assertThat(lids(harness)).isEqualTo(lids);
        int ends = harness.ends.size();
        for (int i = 0; i < 5; i++) {
            harness.sweepLight();
            settle(harness);
        }
        assertThat(harness.ends).as("all is quiet").hasSize(ends);
    }

    /** A switch that begins to claim this later is asked again, and is reported until the claim ends. */
    @Test
    void aClaimIsNamedWhenItBeginsAndEnds() {
        SweepHarness harness = harness();
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
        Map<String, Integer> lids = lids(harness);
        claim(harness, "sw-2-1-0", 8);
        harness.sweepLight();
        settle(harness);
        assertThat(log.of(SmEvent.SWITCH_CLAIMS_FEW_LIDS)).hasSize(1);
        assertThat(log.of(SmEvent.FINDING_OVER)).isEmpty();
        harness.changeResponse = mad -> {};
        harness.sweepLight();
        settle(harness);
        assertThat(log.of(SmEvent.FINDING_OVER)).hasSize(1);
        assertThat(lids(harness)).isEqualTo(lids);
    }

    /**
     * All switches support two LIDs less than there are ports: as many hosts are excluded, and served when
     * there is room.
     */
    @ParameterizedTest
    @ValueSource(ints = {23, 22, 14})
    void hostsForWhichNoLidIsLeftAreLeftOutAndNobodyElse(int last) {
        SweepHarness harness = harness();
        claim(harness, "", last + 1);
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
        assertThat(lids(harness)).hasSize(last);
        Fabric fabric = harness.publishedView().subnet().fabric();
        assertThat(fabric.switchCount()).as("switches are served first").isEqualTo(12);
        assertThat(log.of(SmEvent.NO_LID_LEFT)).hasSize(PORTS - last);
        SweeperTest.assertHeld(harness);
        harness.changeResponse = mad -> {};
        harness.sweepLight();
        settle(harness);
        assertAllServed(harness);
        assertThat(log.of(SmEvent.FINDING_OVER))
                .filteredOn(over -> over.get(EventField.TEXT).contains("no LID is left"))
                .hasSize(PORTS - last);
    }
}
