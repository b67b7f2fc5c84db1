package io.torussm.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.config.SmOptions;
import io.torussm.mastership.SmState;
import io.torussm.sim.SimFabric;
import io.torussm.sim.VirtualLoop;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.sim.topology.Topology;
import io.torussm.testing.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three subnet managers in virtual time: the master dies and starts again while another one is given a new priority.
 */
class ThreeSmsTest {
    private static final TorusSpec TORUS = TorusSpec.parse("torus:3x3x1,hosts=1");
    private static final List<String> HOSTS = List.of("host-0-0-0-0", "host-1-1-0-0", "host-2-2-0-0");
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(10);

    /** With the polls that are the default, see mastership.md; and the sweep. */
    private static final long LIMIT_MS = 4_100;

    /** An SM that starts looks again after this, before it becomes master among standbys; and the sweep. */
    private static final long SECOND_DISCOVERY_MS = 2_100;

    private static final int SEEDS = Integer.getInteger("campaign.seeds", 30);

    @TempDir
    Path dir;

    /** A run from a seed. */
    private static final class Run {
        private final VirtualLoop loop = new VirtualLoop();
        private final Topology topology = TORUS.topology();
        private final SimFabric fabric = new SimFabric(topology, loop, FaultPlan.NONE);
        private final SmOptions options;
        private final List<FabricSm> sms = new ArrayList<>();

        Run(SmOptions options) {
            this.options = options;
        }

        FabricSm start(String host, int priority) {
            return new FabricSm(loop, fabric, host, priority, options)
                    .trustPortsOf(topology)
                    .start();
        }

        boolean hasMaster() {
            return sms.stream().anyMatch(sm -> !sm.isDead() && sm.isUp());
        }

        /**
         * Returns by how much the longest time without a master that publishes a subnet exceeds the
         * documented limit; in ms.
         */
        long measureExcessMs(Random random) {
            int[] priorities = {3 + random.nextInt(9), 3 + random.nextInt(9), 3 + random.nextInt(9)};
            for (int i = 0; i < 3; i++) {
                sms.add(start(HOSTS.get(i), priorities[i]));
                loop.runFor(TimeUnit.MILLISECONDS.toNanos(random.nextInt(3000)));
            }
            loop.runFor(TimeUnit.SECONDS.toNanos(40) + random.nextInt(1_000_000_000));
            int master = masterIndex();
            int other = (master + 1 + random.nextInt(2)) % 3;
            int third = 3 - master - other;
            long restartAfter = random.nextInt(3) == 0 ? random.nextInt(2_500) : random.nextInt(200);
            long changeAt = random.nextInt(1500) - 200L;
            long longest = 0;
            long since = -1;
            for (int ms = -200; ms < 20_000; ms += 10) {
                if (ms == 0) {
                    sms.get(master).kill();
                }
                if (ms / 10 == restartAfter / 10 && sms.get(master).isDead()) {
                    sms.set(master, start(HOSTS.get(master), priorities[master]));
                }
                if (ms / 10 == changeAt / 10) {
                    FabricSm changed = sms.get(random.nextInt(4) == 0 ? third : other);
                    changed.settings.priority = random.nextInt(16);
                    changed.mastership.settingsChanged();
                }
                loop.runFor(STEP_NS);
                since = hasMaster() ? -1 : since < 0 ? ms : since;
                longest = Math.max(longest, since < 0 ? 0 : ms - since);
            }
            assertThat(sms.stream().filter(sm -> sm.state() == SmState.MASTER)).hasSize(1);
            return longest - Math.max(LIMIT_MS, restartAfter + SECOND_DISCOVERY_MS);
        }

        private int masterIndex() {
            for (int i = 0; i < 3; i++) {
                if (sms.get(i).isUp()) {
                    return i;
                }
            }
            throw new AssertionError("no master");
        }
    }

    @Test
    void areNotWithoutAMasterForLongerThanPollsTake() throws Exception {
        SmOptions options = ServiceHarness.torusOptions(dir, TORUS);
        List<String> tooLate = new ArrayList<>();
        Long only = Long.getLong("seed");
        for (long seed = only == null ? 0 : only; seed < (only == null ? SEEDS : only + 1); seed++) {
            long late = new Run(options).measureExcessMs(Seeds.random(seed));
            if (late > 0) {
                tooLate.add("seed " + seed + ": by " + late + " ms");
            }
        }
        assertThat(tooLate).isEmpty();
    }
}
