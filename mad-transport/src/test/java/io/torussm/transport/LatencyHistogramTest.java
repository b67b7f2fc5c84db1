package io.torussm.transport;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LatencyHistogramTest {
    @Test
    void bucketsDoubleFromOneUnitOn() {
        LatencyHistogram histogram = new LatencyHistogram(1024, 4);
        for (long ns : new long[] {0, 1023, 1024, 2047, 2048, 4095, 4096, Long.MAX_VALUE / 2}) {
            histogram.add(ns);
        }
        assertThat(histogram.buckets()).containsExactly(2L, 2L, 2L, 2L);
        assertThat(histogram.totalNs()).isEqualTo(14_333 + Long.MAX_VALUE / 2);
    }

    @Test
    void aTimeBelowZeroCountsAsNone() {
        LatencyHistogram histogram = new LatencyHistogram(1_000_000, 2);
        histogram.add(-5);
        histogram.add(1_000_000);
        assertThat(histogram.buckets()).containsExactly(1L, 1L);
        assertThat(histogram.totalNs()).isEqualTo(1_000_000);
    }
}
