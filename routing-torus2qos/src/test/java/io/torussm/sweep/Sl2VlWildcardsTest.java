package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.routing.minhop.MinHopEngine;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Hardware.Sl2VlWildcards;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.LoggedEvents;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.view.QosTables;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** SL2VL tables of switches that announce that they take rows of many ports at once. */
class Sl2VlWildcardsTest {
    private static final String TORUS = "torus:4x3x3,hosts=2";
    private static final int SWITCHES = 36;

    /**
     * Rows for all, for each of six outputs; twelve turns; one row that discards, so that a switch is not believed by
     * chance.
     */
    private static final long SETS_OF_SWITCH = 1 + 6 + 12 + 1;

    private static final long CHECKS = 2;

    private static SweepHarness torus(Sl2VlWildcards wildcards, FaultPlan faults) {
        TorusSpec spec = TorusSpec.parse(TORUS);
        DeviceModels models = DeviceModels.PERFECT.with(
                Topology.Node::isSwitch, model -> model.hardware(hardware -> hardware.withSl2VlWildcards(wildcards)));
        SweepHarness harness = new SweepHarness(spec.topology(), models, faults);
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", spec.torus2QosConf()), 1);
        return harness;
    }

    /** Asserts that each wanted row is in the switches. */
    private static void assertProgrammed(SweepHarness harness) {
        Fabric fabric = harness.publishedView().subnet().fabric();
        QosTables wanted = harness.publishedView().qosTables();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int in = 0; in <= fabric.numPorts(sw); in++) {
                for (int out = 0; out <= fabric.numPorts(sw); out++) {
                    if (wanted.hasRow(sw, in, out)) {
                        assertThat(harness.fabric.sl2vl(fabric.nodeGuid(sw), in, out))
                                .isEqualTo(wanted.row(sw, in, out));
                    }
                }
            }
        }
    }

    @Test
    void rowsThatManyPortsShareAreWrittenOnce() {
        SweepHarness harness = torus(Sl2VlWildcards.EXECUTED, FaultPlan.NONE);
        SmpCensus census = SmpCensus.of(harness);
        assertThat(harness.sweep()).isEqualTo("up");
        assertProgrammed(harness);
        Map<String, Long> smps = census.takeCounts();
        assertThat(smps.get("Set(SLtoVLMappingTable)")).isEqualTo(SWITCHES * SETS_OF_SWITCH + 2 * SWITCHES);
        assertThat(smps.get("Get(SLtoVLMappingTable)")).isEqualTo(SWITCHES * CHECKS);

        harness.sweep();
        assertThat(census.takeCounts()).doesNotContainKeys("Set(SLtoVLMappingTable)", "Get(SLtoVLMappingTable)");
    }

    @ParameterizedTest
    @EnumSource(names = {"REFUSED", "IGNORED"})
    void aSwitchThatDoesNotDoWhatItAnnouncesIsWrittenRowByRow(Sl2VlWildcards wildcards) {
        try (LoggedEvents logged = new LoggedEvents().listen()) {
            SweepHarness harness = torus(wildcards, FaultPlan.NONE);
            assertThat(harness.sweep()).isEqualTo("up");
            assertProgrammed(harness);
            assertThat(logged.of(SmEvent.SL2VL_ONE_BY_ONE)).hasSize(SWITCHES);
        }
    }

    /** Other agents never see a modifier that they do not know, be it that a switch announces port masks. */
    @ParameterizedTest
    @EnumSource(names = {"ABSENT", "MASKS"})
    void withoutTheAnnouncementNothingIsTried(Sl2VlWildcards wildcards) {
        SweepHarness harness = torus(wildcards, FaultPlan.NONE);
        assertThat(harness.sweep()).isEqualTo("up");
        assertProgrammed(harness);
        assertThat(harness.requests)
                .noneMatch(mad -> MadHeader.attributeId(mad) == SlToVlMappingTable.TYPE.id()
                        && MadHeader.attributeModifier(mad) >>> 16 != 0);
    }

    /** Rows in use are only changed one by one, since traffic depends on them. */
    @Test
    void aSwitchThatCarriesTrafficIsWrittenRowByRow() {
        SweepHarness harness = torus(Sl2VlWildcards.EXECUTED, FaultPlan.NONE);
        harness.sweep();
        harness.engine = new MinHopEngine(); // has other rows
        harness.restart();
        assertThat(harness.sweep()).isEqualTo("up");
        assertProgrammed(harness);
        assertThat(harness.requests)
                .anyMatch(mad -> MadHeader.method(mad) == Method.SET
                        && MadHeader.attributeId(mad) == SlToVlMappingTable.TYPE.id())
                .noneMatch(mad -> MadHeader.method(mad) == Method.SET
                        && MadHeader.attributeId(mad) == SlToVlMappingTable.TYPE.id()
                        && MadHeader.attributeModifier(mad) >>> 16 != 0);
    }

    @Test
    void lossesLeaveNoRowBehind() {
        for (int seed = 0; seed < 4; seed++) {
            SweepHarness harness = torus(Sl2VlWildcards.EXECUTED, new FaultPlan(seed, 0.02, 0, 1000, 500));
            harness.sweep();
            harness.awaitRest();
            assertProgrammed(harness);
        }
    }
}
