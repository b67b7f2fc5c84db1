package io.torussm.daemon.maintenance;

import io.torussm.perf.CounterStore;
import io.torussm.perf.PortSample;
import io.torussm.perf.PortStatistics;
import java.time.Duration;
import java.time.Instant;

/**
 * The error rate of ports over the last five minutes. The mean over this time keeps a short burst from looking like a
 * bad cable.
 *
 * @param store counter samples
 * @param now end of the five minutes
 */
public record RecentErrors(CounterStore store, Instant now) implements CableErrors.Counts {
    private static final Duration WINDOW = Duration.ofMinutes(5);

    @Override
    public double perMinute(long nodeGuid, int portNum) {
        PortStatistics statistics = store.counters(nodeGuid, portNum);
        if (statistics == null || statistics.errorsPerHour() == 0) {
            return 0; // Almost all ports have no errors. This avoids a search of their samples.
        }
        Instant from = now.minus(WINDOW);
        long errors = store.samples(nodeGuid, portNum).stream()
                .filter(sample -> sample.at().isAfter(from))
                .mapToLong(PortSample::errors)
                .sum();
        return (double) errors / WINDOW.toMinutes();
    }
}
