package io.torussm.daemon.traffic;

import io.torussm.congestion.CongestionOptions;
import io.torussm.daemon.traffic.CongestionComparison.SettingRow;
import io.torussm.dataplane.DataPlane;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.Workload;
import io.torussm.dataplane.congestion.CongestionCounters;
import io.torussm.dataplane.congestion.CongestionParameters;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** A simulation with one choice of settings, which ends early or continues to a later stage. */
final class CongestionRun implements CongestionSearch.StagedRun {
    private static final int DEADLOCK_CHECKS = 24;
    private static final double LEAST = 1e-6;

    private final Hosts hosts;
    private final BitSet hotSpots;
    private final CountedLoad counted;
    private final DataPlane plane;

    /** End of the last stage. */
    private final long totalNs;

    private long atNs;
    private boolean isHung;

    /**
     * Starts with the first packet.
     *
     * @param load offered load, as a share of the rate of a host's cable
     * @param hotSpots indexes of hosts
     * @param options settings; null for no congestion control
     */
    CongestionRun(
            TrafficStudy study, TrafficOrder order, double load, BitSet hotSpots, @Nullable CongestionOptions options) {
        this.hotSpots = hotSpots;
        hosts = study.hosts();
        CongestionParameters parameters = options == null
                ? null
                : new CongestionParameters(
                        options.marking().attribute(), options.reaction().attribute(), options.table());
        counted = new CountedLoad(study.offeredWorkload(load));
        plane = study.plane(counted, order.settings().withCongestion(parameters));
        long ns = (long) order.packetTimes() * order.settings().packetBytes() * hosts.psPerByte(0) / 1_000;
        totalNs = ns / 2 + ns;
    }

    private long endNs(int stage) {
        return totalNs / CongestionSearch.parts(stage);
    }

    /** Simulates until the end of a stage, and measures the last two thirds of the time until there. */
    @Override
    public SettingRow measure(int stage) {
        long endNs = endNs(stage);
        long beginNs = endNs / CongestionSearch.KEPT;
        run(beginNs);
        counted.reset();
        run(endNs);
        Optional<CongestionCounters> counters = plane.congestion();
        return counted.row(
                capacity(endNs - beginNs),
                capacity(endNs),
                new SettingRow.Marks(
                        counters.map(CongestionCounters::marks).orElse(0L),
                        counters.map(CongestionCounters::notifications).orElse(0L),
                        isHung));
    }

    private double capacity(long ns) {
        return ns * 1_000.0 / hosts.psPerByte(0);
    }

    private void run(long untilNs) {
        long fromNs = atNs;
        for (int look = 1; look <= DEADLOCK_CHECKS && !isHung; look++) {
            plane.run(fromNs + (untilNs - fromNs) * look / DEADLOCK_CHECKS);
            isHung = plane.deadlock().isPresent();
        }
        atNs = untilNs;
    }

    /** A workload whose arrivals are counted by source. */
    private final class CountedLoad implements Workload {
        private final Workload workload;
        private final BitSet senders = new BitSet();
        private final BitSet toOthers = new BitSet();
        private final BitSet contributors = new BitSet();
        private final long[] bytes = new long[hosts.count()];

        /** By source, since the first packet: messages that waited do not count as a gain. */
        private final long[] allBytes = new long[hosts.count()];

        /** By contributor: bytes that reached hot spots, or any host if there are no hot spots. */
        private final long[] contributions = new long[hosts.count()];

        private long hotBytes;
        private long otherBytes;

        CountedLoad(Workload workload) {
            this.workload = workload;
        }

        void reset() {
            Arrays.fill(bytes, 0);
            Arrays.fill(contributions, 0);
            hotBytes = 0;
            otherBytes = 0;
        }

        @Override
        public boolean next(int host, long nowNs, Message message) {
            boolean isSent = workload.next(host, nowNs, message);
            if (isSent) {
                senders.set(host);
                boolean isHot = hotSpots.get(message.to);
                toOthers.set(host, toOthers.get(host) || !isHot);
                contributors.set(host, contributors.get(host) || isHot || hotSpots.isEmpty());
            }
            return isSent;
        }

        @Override
        public boolean isEndless() {
            return workload.isEndless();
        }

        @Override
        public void arrived(int host, int from, int size, long nowNs) {
            bytes[from] += size;
            allBytes[from] += size;
            contributions[from] += hotSpots.isEmpty() || hotSpots.get(host) ? size : 0;
            if (hotSpots.get(host)) {
                hotBytes += size;
            } else {
                otherBytes += size;
            }
        }

        /**
         * Returns the outcome.
         *
         * @param capacity bytes that a host's cable carries in the measured time
         * @param allCapacity bytes that it carries from the first packet on
         */
        SettingRow row(double capacity, double allCapacity, SettingRow.Marks marks) {
            double[] shares = contributors.stream()
                    .mapToDouble(host -> contributions[host] / capacity)
                    .toArray();
            double sum = DoubleStream.of(shares).sum();
            double squares = DoubleStream.of(shares).map(share -> share * share).sum();
            double logs = senders.stream()
                    .mapToDouble(host -> Math.log(allBytes[host] / allCapacity + LEAST))
                    .average()
                    .orElse(0);
            return new SettingRow(
                    "",
                    LongStream.of(bytes).sum() / capacity / hosts.count(),
                    hotBytes / capacity / Math.max(1, hotSpots.cardinality()),
                    otherBytes / capacity / Math.max(1, toOthers.cardinality()),
                    DoubleStream.of(shares).min().orElse(0),
                    squares == 0 ? 1 : sum * sum / squares / shares.length,
                    Math.exp(logs),
                    marks);
        }
    }
}
