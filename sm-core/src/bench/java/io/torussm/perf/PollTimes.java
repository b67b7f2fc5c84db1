package io.torussm.perf;

import io.torussm.sim.model.CounterProfile;
import io.torussm.sweep.SweepHarness;
import io.torussm.transport.GsiClient;
import io.torussm.view.PublishedView;
import java.lang.management.ManagementFactory;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * The cost of reading all counters of a torus on the embedded fabric: processor time of a turn, including that of
 * fabric and agents, and the memory in use after it. Arguments: a torus, turns, and optionally {@code wide} for agents
 * with all 64-bit counters.
 */
public final class PollTimes {
    private static final long MEBI = 1 << 20;

    private final SweepHarness harness;
    private final CounterStore store = new CounterStore();
    private final PerformanceManager manager;

    private PollTimes(String torus) {
        harness = new SweepHarness(torus);
        manager = new PerformanceManager(
                harness.loop,
                redirections -> new GsiClient(
                        harness.client, harness.loop, () -> new GsiClient.Settings(500, 0, 1000, 2), 1, redirections),
                store,
                PollTimes::settings);
    }

    private static PerfSettings settings() {
        return new PerfSettings(
                true,
                1,
                500,
                2,
                1_000_000,
                false,
                true,
                true,
                true,
                false,
                PerfSettings.Clearing.AUTO,
                60,
                Thresholds.STANDARD,
                20);
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return (runtime.totalMemory() - runtime.freeMemory()) / MEBI;
    }

    public static void main(String[] arguments) {
        PollTimes times = new PollTimes(arguments[0]);
        System.out.println(times.harness.sweep());
        PublishedView view = Objects.requireNonNull(times.harness.sweeper.view());
        times.harness.requests.clear();
        if (arguments.length > 2) {
            var fabric = view.subnet().fabric();
            for (int node = 0; node < fabric.nodeCount(); node++) {
                times.harness
                        .fabric
                        .portCounters()
                        .setProfile(
                                fabric.nodeGuid(node), CounterProfile.DEFAULT.extended(CounterProfile.Extended.ALL));
            }
        }
        System.out.println("heap before " + heap() + " MiB");
        times.manager.subnetUp(view);
        for (int turn = 1; turn <= Integer.parseInt(arguments[1]); turn++) {
            times.turn(turn);
        }
    }

    private void turn(int turn) {
        long mads = manager.statistics().mads();
        long beganNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        long wallNs = System.nanoTime();
        harness.loop.runFor(TimeUnit.SECONDS.toNanos(1));
        long cpuNs = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime() - beganNs;
        long tookNs = System.nanoTime() - wallNs;
        harness.requests.clear();
        PollStatistics now = manager.statistics();
        System.out.printf(
                "turn %d: %d MADs, %d ports, %.2f s of the processor, %.2f s by the clock, %.3f s of the fabric; late"
                        + " %d; heap %s%n",
                turn,
                now.mads() - mads,
                now.ports(),
                cpuNs / 1e9,
                tookNs / 1e9,
                now.lastNs() / 1e9,
                now.late(),
                turn % 10 == 0 ? heap() + " MiB" : "-");
    }
}
