package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.view.PublishedView;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cost of a sweep, a takeover, a light sweep and a lost cable in SMPs, compared with {@link SmpFormulas}. */
class SmpFormulasTest {
    private static SweepHarness torus(String torus) {
        TorusSpec spec = TorusSpec.parse(torus);
        SweepHarness harness = new SweepHarness(spec.topology(), FaultPlan.NONE);
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", spec.torus2QosConf()), 1);
        return harness;
    }

    private static SmpFormulas formulas(SweepHarness harness) {
        PublishedView up = harness.publishedView();
        return SmpFormulas.of(up.subnet().fabric(), up.subnet().topLid());
    }

    /** Checks that a census equals a formula; NodeInfo may exceed it by up to {@code moreNodeInfo}. */
    private static void assertCosts(Map<String, Long> smps, Map<String, Long> formula, long moreNodeInfo) {
        Map<String, Long> rest = new TreeMap<>(smps);
        long nodeInfo = rest.remove("Get(NodeInfo)");
        Map<String, Long> expected = new TreeMap<>(formula);
        long minNodeInfo = expected.remove("Get(NodeInfo)");
        assertThat(rest).isEqualTo(expected);
        assertThat(nodeInfo).isBetween(minNodeInfo, minNodeInfo + moreNodeInfo);
    }

    /**
     * In a ring of odd length, one cable joins two switches at the same distance from the SM. Both ends may be read
     * first, which costs one more NodeInfo: 12 rings of 5 and 20 rings of 3 make 32.
     */
    @ParameterizedTest
    @CsvSource({
        "'torus:4x4x4,hosts=1', 0",
        "'torus:4x4x4,hosts=3', 0",
        "'torus:6x4x2,hosts=2', 0",
        "'torus:5x4x3,hosts=1', 32",
        "'torus:5x4x3,hosts=2', 32"
    })
    void sweepsCostWhatTheFormulasSay(String torus, long crossedTwice) {
        SweepHarness harness = torus(torus);
        SmpCensus census = SmpCensus.of(harness);
        assertThat(harness.sweep()).isEqualTo("up");
        SmpFormulas formulas = formulas(harness);
        TorusSpec spec = TorusSpec.parse(torus);
        assertThat(formulas.crossedTwice(spec.x(), spec.y(), spec.z())).isEqualTo(crossedTwice);
        assertCosts(census.takeCounts(), formulas.coldStart(), crossedTwice);

        harness.awaitRest();
        census.takeCounts();
        for (int i = 0; i < SecondReads.LIGHT_SWEEPS_AFTER_FIRST_SWEEP; i++) {
            harness.sweepLight();
            assertThat(census.takeCounts()).isEqualTo(formulas.confirmingLightSweep());
        }
        harness.sweepLight();
        assertThat(census.takeCounts()).isEqualTo(formulas.lightSweep());

        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        assertCosts(census.takeCounts(), formulas.takeover(), crossedTwice);
    }

    /**
     * The reads do not depend on the size of the fabric. The writes are the changed blocks, each in three
     * steps at most.
     */
    @Test
    void aLostCableCostsItsEndsAndTheBlocksThatChange() {
        for (String torus : new String[] {"torus:4x4x4,hosts=1", "torus:5x4x3,hosts=2", "torus:6x6x4,hosts=1"}) {
            SweepHarness harness = torus(torus);
            assertThat(harness.sweep()).isEqualTo("up");
            harness.awaitRest();
            harness.sweepLight(); // this sweep reads a new fabric again, which would count below
            PublishedView before = harness.publishedView();
            Fabric fabric = before.subnet().fabric();
            SmpCensus census = SmpCensus.of(harness);
            harness.fabric.unlink(fabric.nodeGuid(fabric.switchCount() / 2), 1);
            harness.loop.runFor(TimeUnit.SECONDS.toNanos(5));
            assertThat(harness.publishedView()).isNotSameAs(before);

            Map<String, Long> smps = new TreeMap<>(census.takeCounts());
            long written = smps.remove("Set(LinearForwardingTable)");
            assertThat(smps).isEqualTo(formulas(harness).lostCable());
            long changed = changedBlocks(before, harness.publishedView());
            assertThat(changed).as(torus).isPositive();
            assertThat(written).as(torus).isBetween(changed, 3 * changed);
        }
    }

    private static long changedBlocks(PublishedView before, PublishedView after) {
        long changed = 0;
        for (int sw = 0; sw < before.subnet().fabric().switchCount(); sw++) {
            byte[] one = before.plan().lft(sw);
            byte[] other = after.plan().lft(sw);
            for (int block = 0; block * 64 < one.length; block++) {
                int end = Math.min(block * 64 + 64, one.length);
                changed += Arrays.equals(one, block * 64, end, other, block * 64, end) ? 0 : 1;
            }
        }
        return changed;
    }
}
