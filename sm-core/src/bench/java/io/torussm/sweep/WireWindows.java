package io.torussm.sweep;

import io.torussm.sim.SimFabric;
import io.torussm.sim.model.FaultPlan;
import io.torussm.sim.shape.TorusSpec;
import io.torussm.transport.MadClient;
import io.torussm.transport.WireWindow;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A comparison of fixed windows with the adaptive window in a cold sweep, over switches with bounded queues for VL 15
 * behind a kernel: virtual time, dropped SMPs, window. Arguments: torus, queue depth, microseconds for each SMP
 * (default: {@code 6x6x6,hosts=2 64 50}).
 */
public final class WireWindows {
    private static final long SAMPLE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private WireWindows() {}

    public static void main(String[] args) {
        String torus = "torus:" + (args.length > 0 ? args[0] : "6x6x6,hosts=2");
        SimFabric.Vl15 limits = args.length > 2
                ? new SimFabric.Vl15(
                        Integer.parseInt(args[1]), TimeUnit.MICROSECONDS.toNanos(Integer.parseInt(args[2])))
                : SimFabric.Vl15.MODEST;
        System.out.println(
                "| window | sweep, s | ends | SMPs sent | dropped | sent again | given up | halved | last |");
        System.out.println("|---|---|---|---|---|---|---|---|---|");
        run(torus, limits, "4", WireWindow.fixed(4));
        run(torus, limits, "64", WireWindow.fixed(64));
        run(torus, limits, "128", WireWindow.fixed(128));
        run(torus, limits, "512", WireWindow.fixed(512));
        List<Integer> sizes = run(torus, limits, "adaptive", WireWindow.adaptive(WireWindow.DEFAULT_LIMIT));
        List<Integer> wide = run(torus, limits, "adaptive to 512", WireWindow.adaptive(512));
        System.out.println("adaptive, every 100 ms: " + sizes);
        System.out.println("adaptive to 512, every 100 ms: " + wide);
    }

    private static List<Integer> run(String torus, SimFabric.Vl15 limits, String name, WireWindow window) {
        SweepHarness harness =
                new SweepHarness(TorusSpec.parse(torus).topology(), new FaultPlan(1, 0, 0, 500, 5_000, 0));
        harness.fabric.limitQueues(limits);
        harness.mads = new MadClient.Settings(0, 4, 200, 3);
        harness.window = window;
        harness.isBehindKernel = true;
        harness.restart();
        long before = harness.loop.nowNs();
        List<Integer> sizes = new ArrayList<>();
        harness.sweeper.sweepHeavy();
        boolean hasEnded = false;
        while (!hasEnded) {
            harness.requests.clear();
            hasEnded = harness.loop.runUntil(() -> !harness.ends.isEmpty(), SAMPLE_NS);
            sizes.add(window.size());
        }
        MadClient.Stats stats = harness.client.stats();
        System.out.printf(
                Locale.ROOT,
                "| %s | %.2f | %s | %d | %d | %d | %d | %d | %d |%n",
                name,
                (harness.loop.nowNs() - before) / 1e9,
                harness.ends.get(0),
                stats.sent(),
                harness.fabric.counters().overflowed(),
                stats.retries(),
                stats.timeouts(),
                stats.halvings(),
                window.size());
        return sizes;
    }
}
