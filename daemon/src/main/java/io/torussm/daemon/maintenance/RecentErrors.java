package io.torussm.daemon.maintenance;

import io.torussm.perf.CounterStore;
import io.torussm.perf.PortSample;
import io.torussm.perf.PortStatistics;
import java.time.Duration;
import java.time.Instant;

/**
 * Errors of the last five minutes, from port counters: a single burst does not indicate a bad cable.
 *
 * @param store counter samples
 */
public record RecentErrors(CounterStore store, Instant now) implements CableErrors.Counts {
    private static final Duration WINDOW = Duration.ofMinutes(5);

    @Override
    public double perMinute(long nodeGuid, int portNum) {
        PortStatistics statistics = store.counters(nodeGuid, portNum);
        if (statistics == null || statistics.errorsPerHour() == 0) {
            return 0; // As for almost all ports; their samples need not be walked.
        }
        Instant from = now.minus(WINDOW);
        long errors = store.samples(nodeGuid, portNum).stream()
                .filter(sample -> sample.at().isAfter(from))
                .mapToLong(PortSample::errors)
                .sum();
        return (double) errors / WINDOW.toMinutes();
    }
}
