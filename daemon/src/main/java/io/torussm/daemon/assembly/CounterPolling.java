package io.torussm.daemon.assembly;

import io.torussm.perf.CounterStore;
import io.torussm.perf.PerformanceManager;
import io.torussm.transport.GsiClient;
import io.torussm.transport.Loop;
import io.torussm.transport.MadClient;

/** The maker of the performance manager. It runs on a separate loop, so that neither sweeps nor the SA wait for it. */
final class CounterPolling {
    private CounterPolling() {}

    /**
     * Creates a performance manager that waits for a subnet.
     *
     * @param platform the {@code perf} loop of the platform becomes the owner of the manager
     * @param client MAD client of the port of the SM
     */
    static PerformanceManager createManager(SmPlatform platform, MadClient client, SmSettings settings) {
        Loop loop = platform.perf();
        return new PerformanceManager(
                loop,
                redirections -> new GsiClient(
                        client,
                        loop,
                        () -> gsiSettings(settings),
                        platform.seeds().getAsInt(),
                        redirections),
                new CounterStore(),
                settings::perf);
    }

    private static GsiClient.Settings gsiSettings(SmSettings current) {
        return new GsiClient.Settings(
                current.perf().maxQueries(),
                current.perf().madsPerSecond(),
                current.mads().timeoutMs(),
                current.mads().retries());
    }
}
