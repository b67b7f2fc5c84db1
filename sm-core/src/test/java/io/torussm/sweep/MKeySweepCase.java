package io.torussm.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.mad.Gid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.program.smp.SweepSettings;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.subnet.LinkSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.io.TempDir;

/** Sweeps over ports that are protected by M_Keys, on a torus of six switches and six hosts. */
abstract class MKeySweepCase {
    static final long OLD = 0x1111_2222_3333_4444L;
    static final long NEW = 0x5555_6666_7777_8888L;
    static final Topology TORUS = TorusSpec.parse("torus:3x2x1,hosts=1").topology();

    @TempDir
    Path dir;

    static SweepSettings settings(long key, int bits, int leaseS) {
        return new SweepSettings(
                Gid.DEFAULT_PREFIX, 0, false, false, key, leaseS, bits, 18, 18, LinkSettings.DEFAULT, true, 0, false);
    }

    SweepHarness harness(SweepSettings settings, FaultPlan faults) {
        return new SweepHarness(TORUS, faults, settings, dir);
    }

    SweepHarness bringUp(long key, int bits, int leaseS) {
        SweepHarness harness = harness(settings(key, bits, leaseS), FaultPlan.NONE);
        assertThat(harness.sweep()).isEqualTo("up");
        settle(harness);
        return harness;
    }

    /** Runs until due files are written. */
    static void settle(SweepHarness harness) {
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
    }

    static List<PortInfo> endports(SweepHarness harness) {
        List<PortInfo> held = new ArrayList<>();
        for (Topology.Node node : TORUS.nodes()) {
            held.add(harness.fabric.portInfo(node.nodeGuid(), node.isSwitch() ? 0 : 1));
        }
        return held;
    }

    static void assertProtected(SweepHarness harness, long key, int bits, int leaseS) {
        assertThat(endports(harness)).hasSize(12).allSatisfy(held -> {
            assertThat(held.get(PortInfo.M_KEY)).isEqualTo(key);
            assertThat(held.get(PortInfo.M_KEY_PROTECT_BITS)).isEqualTo(bits);
            assertThat(held.get(PortInfo.M_KEY_LEASE_PERIOD)).isEqualTo(leaseS);
        });
    }

    static void restart(SweepHarness harness, SweepSettings settings) {
        harness.settings = settings;
        harness.restart();
    }
}
