package io.torussm.perf;

import static org.assertj.core.api.Assertions.assertThat;

import io.torussm.fabric.Fabric;
import io.torussm.testing.Sketch;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/**
 * Counters and samples by NodeGUID while the fabric changes between a ring of 3 switches with a host each and a ring of
 * 4. A look keeps 5 samples of each port.
 */
class CounterStoreTest {
    private static final Fabric RING = Sketch.ring(3).build();
    private static final Fabric LARGER = Sketch.ring(4).build();

    private final CounterStore store = new CounterStore();
    private long nowNs;

    private void update(Fabric fabric, boolean forgets) {
        nowNs++;
        store.update(fabric, 5, forgets, nowNs);
    }

    private void read(Fabric fabric, int port, long errors) {
        PortReading reading = new PortReading();
        reading.set(Counter.LINK_DOWNED, errors, 32);
        nowNs += TimeUnit.SECONDS.toNanos(1);
        Objects.requireNonNull(store.device(fabric.nodeGuid(fabric.nodeOf(port))))
                .add(fabric.portNum(port), reading, nowNs, nowNs / 1_000_000, null);
    }

    private long errors(Fabric fabric, int port) {
        return Objects.requireNonNull(store.counters(fabric.nodeGuid(fabric.nodeOf(port)), fabric.portNum(port)))
                .total(Counter.LINK_DOWNED);
    }

    @Test
    void portsKeepTheirHistoryUnderOtherIndexes() {
        update(RING, true);
        int before = RING.port(RING.switchCount(), 1);
        read(RING, before, 3);
        read(RING, before, 4);
        update(LARGER, true); // a fourth switch changes the indexes of hosts
        int after = LARGER.port(LARGER.nodeByGuid(RING.nodeGuid(RING.switchCount())), 1);
        read(LARGER, after, 6);

        assertThat(after).isNotEqualTo(before);
        assertThat(errors(LARGER, after)).isEqualTo(6);
        assertThat(store.samples(LARGER.nodeGuid(LARGER.nodeOf(after)), 1))
                .extracting(PortSample::errors)
                .containsExactly(1L, 2L);
    }

    @Test
    void absentMembersAreKeptForAnHour() {
        update(LARGER, true);
        int gone = LARGER.port(3, 1);
        read(LARGER, gone, 3);
        nowNs += CounterStore.MAX_ABSENCE_NS - TimeUnit.MINUTES.toNanos(1);
        update(RING, true);
        assertThat(errors(LARGER, gone)).isEqualTo(3);

        nowNs += TimeUnit.MINUTES.toNanos(2);
        update(RING, true);

        assertThat(store.counters(LARGER.nodeGuid(3), 1)).isNull();
        assertThat(store.size()).isEqualTo(RING.nodeCount());
    }

    @Test
    void absentMembersAreKeptWithoutLimitIfConfigured() {
        update(LARGER, false);
        read(LARGER, LARGER.port(3, 1), 3);
        nowNs += 10 * CounterStore.MAX_ABSENCE_NS;
        update(RING, false);

        assertThat(errors(LARGER, LARGER.port(3, 1))).isEqualTo(3);
    }

    @Test
    void anOperatorCountsFromZero() {
        update(RING, true);
        read(RING, RING.port(0, 1), 3);
        read(RING, RING.port(1, 1), 4);

        store.restart(RING.nodeGuid(0), 1);
        store.restart(RING.nodeGuid(0), 200);
        store.restart(0xdead, 1);
        assertThat(errors(RING, RING.port(0, 1))).isZero();
        assertThat(errors(RING, RING.port(1, 1))).isEqualTo(4);

        store.restart();
        assertThat(errors(RING, RING.port(1, 1))).isZero();
    }

    @Test
    void unknownPortsHaveNothing() {
        assertThat(store.counters(1, 1)).isNull();
        assertThat(store.samples(1, 1)).isEmpty();
        assertThat(store.faults(1, 1, null)).isEmpty();
        update(RING, true);
        assertThat(store.counters(RING.nodeGuid(0), 1)).isNull();
        assertThat(store.counters(RING.nodeGuid(0), 250)).isNull();
    }
}
