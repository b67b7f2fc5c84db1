package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.mad.smp.PortInfo;
import io.torussm.routing.Plan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.torus2qos.Torus2QosEngine;
import io.torussm.torus2qos.conf.Torus2QosConf;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * An SM that starts on the torus of {@link RefusedTorusCase} while torus-2QoS cannot route it, and has no information
 * but the tables and coordinates of the switches.
 */
class AdoptedWhileRefusedTest extends RefusedTorusCase {
    /** A new process has no information but the tables and coordinates of the switches. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {RING_CUT, "switch 2 2 0; switch 3 2 0", "link 1 2 0 1; link 4 2 0 1; switch 5 0 0"})
    void anSmThatStartsAdoptsWhatTheSwitchesHold(String faults) {
        SweepHarness harness = startedHarness(TORUS);
        Map<String, Integer> sls = pathSls(harness);
        applyFaults(harness, TORUS, faults, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        Map<String, Integer> left = pathSls(harness);
        harness.restart();
        assertThat(harness.sweep()).startsWith("refused");
        assertThat(harness.countSets(LinearForwardingTable.TYPE.id())).isZero();
        assertThat(pathSls(harness)).isEqualTo(left);
        Plan adopted = view(harness).plan();
        assertThat(adopted.engine()).isEqualTo("adopted");
        assertThat(adopted.retention().orElseThrow().isAdopted()).isTrue();
        assertThat(new DeadlockChecker(1).check(adopted, harness.settings.routingOptions()))
                .isInstanceOf(Certificate.class);

        harness.fabric.restartHost(guidOf(harness, "host-5-4-0-1"));
        run30Seconds(harness);
        assertThat(portInfo(harness, "host-5-4-0-1").portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(pathSls(harness)).isEqualTo(left);
        assertThat(harness.ends).last().asString().startsWith("refused");

        applyFaults(harness, TORUS, faults, false);
        run30Seconds(harness);
        assertThat(harness.sweep()).isEqualTo("up");
        assertThat(view(harness).plan().retention()).isEmpty();
        assertThat(pathSls(harness)).isEqualTo(sls);
    }

    /** The switches still have the entries of the host's LID, and the new process reads them. */
    @Test
    void aHostThatWasAwayWhenTheSmStartedIsBack() {
        SweepHarness harness = startedHarness(TORUS);
        String host = "host-2-2-0-0";
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        harness.fabric.unlink(guidOf(harness, host), 1);
        run30Seconds(harness);
        harness.restart();
        assertThat(harness.sweep()).startsWith("refused");
        harness.fabric.relink(guidOf(harness, host), 1);
        run30Seconds(harness);
        assertThat(portInfo(harness, host).portState()).isEqualTo(PortInfo.STATE_ACTIVE);
        assertThat(portOf(harness, host)).isNotEqualTo(Fabric.NONE);
    }

    @Test
    void aSwitchThatReturnsIsProgrammedAsTheAdoptedTablesHadIt() {
        SweepHarness harness = startedHarness(TORUS);
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).startsWith("refused");
        Map<String, Integer> left = pathSls(harness);
        Map<String, String> tables = tables(harness);
        harness.restart();
        assertThat(harness.sweep()).startsWith("refused");
        applyFaults(harness, TORUS, "switch 2 4 0", true);
        run30Seconds(harness);
        applyFaults(harness, TORUS, "switch 2 4 0", false);
        run30Seconds(harness);
        assertThat(tables(harness)).isEqualTo(tables);
        assertThat(pathSls(harness)).isEqualTo(left);
    }

    /** The tables of another SM have a credit loop on the SLs that coordinates give. */
    @Test
    void tablesThatCanDeadlockAreNotAdopted() {
        SweepHarness harness = new SweepHarness(TORUS);
        assertThat(harness.sweep()).isEqualTo("up");
        applyFaults(harness, TORUS, RING_CUT, true);
        assertThat(runAndSweep(harness)).isEqualTo("up");
        String conf = TorusSpec.parse(TORUS).torus2QosConf();
        harness.engine = new Torus2QosEngine(Torus2QosConf.parse("torus-2QoS.conf", conf), 1);
        harness.restart();
        Map<String, String> tables = tables(harness);
        assertThat(harness.sweep()).startsWith("refused").contains("ROUTES_NOT_ADOPTED");
        assertThat(harness.sweeper.view()).isNull();
        assertThat(harness.countAllSets()).isZero();
        assertThat(tables(harness)).isEqualTo(tables);
    }
}
