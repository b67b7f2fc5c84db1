package io.torussm.daemon;

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
        GsiClient agents = new GsiClient(
                client,
                loop,
                () -> new GsiClient.Settings(
                        settings.options().perf().maxQueries(),
                        settings.options().perf().madsPerSecond(),
                        settings.options().mads().timeoutMs(),
                        settings.options().mads().retries()),
                ThreadLocalRandom.current().nextInt(),
                pKey -> (pKey & 0x7fff) == 0x7fff ? 0 : -1);
        return new PerformanceManager(
                loop, agents, new CounterStore(), () -> settings.options().perf());
    }
}
