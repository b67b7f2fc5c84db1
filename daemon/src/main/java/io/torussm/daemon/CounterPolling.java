package io.torussm.daemon;

import io.torussm.daemon.config.SmOptions;
import io.torussm.perf.CounterStore;
import io.torussm.perf.PerformanceManager;
import io.torussm.transport.GsiClient;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;
import java.util.concurrent.ThreadLocalRandom;

/** The reading of counters, on a loop of its own, so that neither sweeps nor the SA wait for it. */
final class CounterPolling {
    private CounterPolling() {}

    /**
     * A performance manager that waits for a subnet.
     *
     * @param loop that will own it
     * @param client that has the port
     */
    static PerformanceManager on(Loop loop, MadClient client, LiveSettings settings) {
        return new PerformanceManager(
                loop,
                redirections -> new GsiClient(
                        client,
                        loop,
                        () -> wire(settings.options()),
                        ThreadLocalRandom.current().nextInt(),
                        redirections),
                new CounterStore(),
                () -> settings.options().perf());
    }

    private static GsiClient.Settings wire(SmOptions now) {
        return new GsiClient.Settings(
                now.perf().maxQueries(),
                now.perf().madsPerSecond(),
                now.mads().timeoutMs(),
                now.mads().retries());
    }
}
