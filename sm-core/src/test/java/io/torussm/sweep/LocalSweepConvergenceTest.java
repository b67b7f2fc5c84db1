package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.smp.SwitchPortStateTable;
import io.torussm.sim.model.DeviceModels;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.testing.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Random failures and repairs: local sweeps lead to the state of a whole sweep. */
class LocalSweepConvergenceTest extends LocalSweepCase {
    /**
     * Switches that restart between two stages of a sweep, and look unchanged afterwards. In the last seed a
     * host does not respond, and a path to it is lost later. Others have switches that lose their last link
     * while they are read, because a probe found them.
     */
    @ParameterizedTest
    @ValueSource(longs = {96, 183, 401, 440, 2951, 580, 333, 425})
    void noticesWhatIsHardToNotice(long seed) {
        assertConverges(seed, Seeds.unmixed(seed), DeviceModels.PERFECT);
    }

    /**
     * For all failures and repairs: the SM finds the present fabric, and devices have the published tables.
     */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void convergesToTheResultOfAWholeSweep(long seed) {
        assertConverges(seed, Seeds.random(seed), DeviceModels.PERFECT);
    }

    /** Half of the switches answer with the states of all ports; some of these reject the request now and then. */
    @ParameterizedTest
    @MethodSource("io.torussm.testing.Seeds#few")
    void convergesWithTablesOfPortStates(long seed) {
        Random random = Seeds.random(seed, "devices");
        DeviceModels mixed = DeviceModels.PERFECT
                .with(node -> random.nextBoolean(), model -> model.hardware(usual -> usual.withPortStateTable(true)))
                .with(
                        node -> random.nextInt(4) == 0,
                        model -> model.agent(agent -> agent.refusing(
                                SwitchPortStateTable.TYPE.id(), Method.GET, MadStatus.INVALID_FIELD, 0.3)));
        assertConverges(seed, Seeds.random(seed), mixed);
    }

    private static void assertConverges(long seed, Random random, DeviceModels models) {
        FaultPlan slow = new FaultPlan(seed, random.nextInt(3) * 0.02, 0.02, 100_000, 5_000_000);
        SweepHarness of =
                new SweepHarness(TorusSpec.parse("torus:3x3x2,hosts=1").topology(), models, slow);
        of.sweep();
        List<Runnable> repairs = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            if (!repairs.isEmpty() && random.nextInt(3) == 0) {
                repairs.remove(random.nextInt(repairs.size())).run();
            } else {
                repairs.add(fault(of, random));
            }
            of.loop.runFor(random.nextInt(400) * 1_000_000L);
        }
        awaitQuiet(of);
        assertThat(of.ends).noneMatch(outcome -> outcome.contains("internal error"));
        SweeperTest.assertHeld(of);
        assertIsAsAWholeSweepSeesIt(of);
        repairs.forEach(Runnable::run);
        awaitQuiet(of);
        SweeperTest.assertHeld(of);
        assertThat(fabric(of).nodeCount()).isEqualTo(36);
        assertIsAsAWholeSweepSeesIt(of);
    }

    /** Returns a fault that does not separate the SM from its own switch. */
    private static Runnable fault(SweepHarness of, Random random) {
        var nodes = of.topology.nodes().stream()
                .filter(node -> !node.description().endsWith("-0-0-0")
                        && !node.description().equals(SweepHarness.HOST))
                .toList();
        var node = nodes.get(random.nextInt(nodes.size()));
        if (node.isSwitch() && random.nextInt(4) == 0) {
            of.fabric.failSwitch(node.nodeGuid());
            return () -> of.fabric.restoreSwitch(node.nodeGuid());
        }
        int port = 1 + random.nextInt(node.numPorts());
        of.fabric.unlink(node.nodeGuid(), port);
        return () -> of.fabric.relink(node.nodeGuid(), port);
    }

    /** Runs light sweeps until two in a row find no change. */
    private static void awaitQuiet(SweepHarness of) {
        for (int quiet = 0, rounds = 0; quiet < 2; rounds++) {
            assertThat(rounds).isLessThan(60);
            int before = of.ends.size();
            rest(of);
            of.sweeper.sweepLight();
            rest(of);
            quiet = of.ends.size() == before ? quiet + 1 : 0;
        }
        assertThat(of.ends.get(of.ends.size() - 1)).isEqualTo("up");
    }

    private static void rest(SweepHarness of) {
        of.loop.runFor(TimeUnit.SECONDS.toNanos(10));
        of.awaitRest();
    }
}
