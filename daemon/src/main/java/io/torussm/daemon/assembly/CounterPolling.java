package io.torussm.daemon.assembly;

import io.torussm.perf.CounterStore;
import io.torussm.perf.PerformanceManager;
import io.torussm.transport.GsiClient;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;

/** The reading of counters, on a loop of its own, so that neither sweeps nor the SA wait for it. */
final class CounterPolling {
    private CounterPolling() {}

    /**
     * Makes a performance manager that waits for a subnet.
     *
     * @param platform loop for counters becomes the owner
     * @param client MAD client with the port
     */
    static PerformanceManager on(SmPlatform platform, MadClient client, SmSettings settings) {
        Loop loop = platform.perf();
        return new PerformanceManager(
                loop,
                redirections -> new GsiClient(
                        client, loop, () -> wire(settings), platform.seeds().getAsInt(), redirections),
                new CounterStore(),
                settings::perf);
    }

    private static GsiClient.Settings wire(SmSettings current) {
        return new GsiClient.Settings(
                current.perf().maxQueries(),
                current.perf().madsPerSecond(),
                current.mads().timeoutMs(),
                current.mads().retries());
    }
}
