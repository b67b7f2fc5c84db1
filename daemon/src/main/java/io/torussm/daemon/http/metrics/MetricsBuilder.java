package io.torussm.daemon.http.metrics;

import io.prometheus.metrics.model.snapshots.ClassicHistogramBuckets;
import io.prometheus.metrics.model.snapshots.CounterSnapshot;
import io.prometheus.metrics.model.snapshots.Exemplars;
import io.prometheus.metrics.model.snapshots.GaugeSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricMetadata;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** A builder of the metrics of one moment, from values that other classes count. */
public final class MetricsBuilder {
    private static final String PREFIX = "torussm_";
    private static final double NS = 1e-9;

    private final List<MetricSnapshot> metrics = new ArrayList<>();
    private final Labels common;

    /**
     * Creates a builder without metrics.
     *
     * @param common labels of all series
     */
    public MetricsBuilder(Labels common) {
        this.common = common;
    }

    /** Adds constant labels as a series, whose name gets the ending {@code _info}. */
    void info(String name, String help, Labels labels) {
        metrics.add(new InfoSnapshot(
                new MetricMetadata(PREFIX + name, help), List.of(new InfoSnapshot.InfoDataPointSnapshot(all(labels)))));
    }

    /** Adds constant labels of each item as a series. */
    <T> void infos(String name, String help, Collection<T> items, Function<T, Labels> labels) {
        metrics.add(new InfoSnapshot(
                new MetricMetadata(PREFIX + name, help),
                items.stream()
                        .map(item -> all(labels.apply(item)))
                        .map(InfoSnapshot.InfoDataPointSnapshot::new)
                        .toList()));
    }

    /** Returns the name of an enum constant in lower case, as the value of a label. */
    static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }

    /** Adds a counter without labels. */
    public void counter(String name, String help, long value) {
        counters(name, help, List.of(value), each -> each, each -> Labels.EMPTY);
    }

    /** Adds a counter for each of some items. */
    public <T> void counters(
            String name,
            String help,
            Collection<T> items,
            Function<T, ? extends Number> value,
            Function<T, Labels> labels) {
        metrics.add(new CounterSnapshot(
                new MetricMetadata(PREFIX + name, help),
                items.stream()
                        .map(item -> CounterSnapshot.CounterDataPointSnapshot.builder()
                                .value(value.apply(item).doubleValue())
                                .labels(all(labels.apply(item)))
                                .build())
                        .toList()));
    }

    /** Adds a counter for each value of a label. */
    public void counters(String name, String help, String label, Map<String, Long> values) {
        counters(name, help, values.entrySet(), Map.Entry::getValue, entry -> Labels.of(label, entry.getKey()));
    }

    /** Adds a gauge without labels. */
    public void gauge(String name, String help, double value) {
        gauges(name, help, List.of(value), each -> each, each -> Labels.EMPTY);
    }

    /** Adds a count as a gauge. */
    public void gauge(String name, String help, long value) {
        gauges(name, help, List.of(value), each -> each, each -> Labels.EMPTY);
    }

    /** Adds a condition as a gauge: 1 for true, 0 for false. */
    public void gauge(String name, String help, boolean isSo) {
        gauge(name, help, isSo ? 1L : 0L);
    }

    /** Adds a gauge for each of some items. */
    <T> void gauges(
            String name,
            String help,
            Collection<T> items,
            Function<T, ? extends Number> value,
            Function<T, Labels> labels) {
        metrics.add(new GaugeSnapshot(
                new MetricMetadata(PREFIX + name, help),
                items.stream()
                        .map(item -> GaugeSnapshot.GaugeDataPointSnapshot.builder()
                                .value(value.apply(item).doubleValue())
                                .labels(all(labels.apply(item)))
                                .build())
                        .toList()));
    }

    /** Adds histograms of times, as {@link #timeHistogram} makes them. */
    void histograms(String name, String help, List<HistogramSnapshot.HistogramDataPointSnapshot> points) {
        metrics.add(new HistogramSnapshot(new MetricMetadata(PREFIX + name, help), points));
    }

    /**
     * Returns a histogram of times whose bucket bounds double.
     *
     * @param counts number of times by bucket: bucket n has times from 2^(n-1) to below 2^n units; the last has no
     *     bound
     * @param unitS unit, in seconds
     * @param totalNs sum of all times, in ns
     */
    HistogramSnapshot.HistogramDataPointSnapshot timeHistogram(
            List<Long> counts, double unitS, long totalNs, Labels labels) {
        List<Double> bounds = new ArrayList<>();
        for (int i = 0; i < counts.size() - 1; i++) {
            bounds.add(unitS * (1L << i));
        }
        bounds.add(Double.POSITIVE_INFINITY);
        return new HistogramSnapshot.HistogramDataPointSnapshot(
                ClassicHistogramBuckets.of(bounds, counts), totalNs * NS, all(labels), Exemplars.EMPTY, 0);
    }

    private Labels all(Labels own) {
        return common.merge(own);
    }

    public MetricSnapshots snapshots() {
        return new MetricSnapshots(metrics);
    }
}
