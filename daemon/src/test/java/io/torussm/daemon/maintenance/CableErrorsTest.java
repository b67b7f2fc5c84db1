package io.torussm.daemon.maintenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.daemon.Views;
import io.torussm.fabric.Fabric;
import io.torussm.perf.CountedPorts;
import io.torussm.perf.CounterStore;
import io.torussm.view.PlacedSubnet;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The error rates of cables, made of the counters of the ports at both ends. The fabric is that of {@link
 * Views#twoSwitches}.
 */
class CableErrorsTest {
    private final PlacedSubnet subnet = Views.twoSwitches().placed();
    private final CounterStore store = new CounterStore();

    /** Port n goes down n times at 00:00:02; a minute is a fifth of the window. */
    @Test
    void theWorseEndCountsAndOnlyFiveMinutes() {
        Fabric fabric = subnet.fabric();
        CountedPorts.readTwice(store, fabric);
        List<CableErrors> now = CableErrors.of(subnet, new RecentErrors(store, Instant.ofEpochSecond(10)));
        assertThat(now).isNotEmpty().allSatisfy(cable -> {
            int worse =
                    Math.max(cable.near().port().portNum(), cable.far().port().portNum());
            assertThat(cable.perMinute()).isEqualTo(worse / 5.0);
        });
        assertThat(now).as("cables between switches alone").hasSize(1);
        Instant later = Instant.ofEpochSecond(2).plus(Duration.ofMinutes(5));
        assertThat(CableErrors.of(subnet, new RecentErrors(store, later))).isEmpty();
    }

    @Test
    void portsWithoutCountersHaveNoErrors() {
        assertThat(CableErrors.of(subnet, new RecentErrors(store, Instant.EPOCH)))
                .isEmpty();
    }
}
