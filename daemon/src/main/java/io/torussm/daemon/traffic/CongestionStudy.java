package io.torussm.daemon.traffic;

import io.torussm.congestion.CongestionOptions;
import io.torussm.daemon.traffic.CongestionComparison.SettingRow;
import io.torussm.dataplane.DataPlane;
import io.torussm.dataplane.Hosts;
import io.torussm.dataplane.Workload;
import io.torussm.dataplane.congestion.CongestionCounters;
import io.torussm.dataplane.congestion.CongestionParameters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Sends the same traffic with several settings of congestion control, and searches for better ones. */
public final class CongestionStudy {
    /** The name of the settings that {@link CongestionProposal#PUBLISHED} has. */
    public static final String PUBLISHED = "published";

    /** The name of the settings for the number of hosts. */
    public static final String SCALED = "scaled";

    private static final int DEADLOCK_CHECKS = 24;
    private static final double LEAST = 1e-6;

    private final TrafficStudy study;
    private final TrafficOrder order;
    private final Hosts hosts;
    private final double load;
    private final BitSet hotSpots;

    /** The runs so far, by their settings. */
    private final Map<Optional<CongestionOptions>, SettingRow> runs = new HashMap<>();

    /**
     * Makes a study of the highest load.
     *
     * @throws IllegalArgumentException if the pattern does not go with the fabric
     */
    public CongestionStudy(TrafficStudy study, TrafficOrder order) {
        this.study = study;
        this.order = order;
        hosts = study.hosts();
        load = order.loads().get(order.loads().size() - 1);
        hotSpots = order.pattern().hotSpots(hosts.count());
        study.destinations();
    }

    /**
     * Runs.
     *
     * @param settings by name, null for no congestion control
     * @param budget number of runs of a search; 0 for none
     * @param listener callback, called with a line after each run
     */
    public CongestionComparison compare(
            Map<String, Optional<CongestionOptions>> settings, int budget, Consumer<String> listener) {
        List<SettingRow> rows = new ArrayList<>();
        settings.forEach((name, options) -> {
            SettingRow row = row(name, options);
            rows.add(row);
            listener.accept(text(row, ""));
        });
        List<String> lines = List.of();
        if (budget > 0) {
            CongestionProposal best = search(budget, listener);
            rows.add(row("tuned", Optional.of(best.options())));
            lines = best.lines();
        }
        return new CongestionComparison(study.engine(), order.pattern().word(), hosts.count(), load, rows, lines);
    }

    /** Returns the settings that Mellanox published, with a timer and a table of our own. */
    public static CongestionOptions published() {
        return CongestionProposal.PUBLISHED.options();
    }

    /** Returns settings for a hot spot to which all hosts send. */
    public CongestionOptions scaled() {
        return scaledProposal().options();
    }

    private CongestionProposal scaledProposal() {
        return CongestionProposal.scaledTo(
                hosts.count(), (long) order.settings().packetBytes() * hosts.psPerByte(0));
    }

    private static String text(SettingRow row, String note) {
        return String.format(
                Locale.ROOT, "%s: %.3f accepted, score %.4f%s", row.name(), row.accepted(), row.score(), note);
    }

    /** Returns the best of published, scaled, random and similar settings. */
    private CongestionProposal search(int budget, Consumer<String> listener) {
        SplittableRandom random = new SplittableRandom(order.seed());
        CongestionProposal best = CongestionProposal.PUBLISHED;
        double score = -1;
        for (int run = 1; run <= budget; run++) {
            CongestionProposal next = run == 1 ? best : run == 2 ? scaledProposal() : next(run, budget, best, random);
            SettingRow row = row("run " + run + " of " + budget, Optional.of(next.options()));
            listener.accept(text(row, " with " + next));
            if (row.score() > score) {
                score = row.score();
                best = next;
            }
        }
        return best;
    }

    private static CongestionProposal next(int run, int budget, CongestionProposal best, SplittableRandom random) {
        return run <= budget / 2 ? CongestionProposal.random(random) : best.neighbour(random);
    }

    /** Returns the run with these settings, which is simulated once. */
    private SettingRow row(String name, Optional<CongestionOptions> options) {
        return runs.computeIfAbsent(options, each -> simulate(each.orElse(null)))
                .named(name);
    }

    private SettingRow simulate(@Nullable CongestionOptions options) {
        CongestionParameters parameters = options == null
                ? null
                : new CongestionParameters(
                        options.marking().attribute(), options.reaction().attribute(), options.table());
        CountedLoad counted = new CountedLoad(study.offeredWorkload(load));
        DataPlane plane = study.plane(counted, order.settings().withCongestion(parameters));
        long ns = (long) order.packetTimes() * order.settings().packetBytes() * hosts.psPerByte(0) / 1_000;
        boolean isHung = isHung(plane, 0, ns / 2);
        counted.reset();
        isHung |= isHung(plane, ns / 2, ns);
        double capacity = ns * 1_000.0 / hosts.psPerByte(0);
        Optional<CongestionCounters> counters = plane.congestion();
        return counted.row(
                capacity,
                new SettingRow.Marks(
                        counters.map(CongestionCounters::marks).orElse(0L),
                        counters.map(CongestionCounters::notifications).orElse(0L),
                        isHung));
    }

    private static boolean isHung(DataPlane plane, long fromNs, long forNs) {
        boolean isHung = false;
        for (int look = 1; look <= DEADLOCK_CHECKS && !isHung; look++) {
            plane.run(fromNs + forNs * look / DEADLOCK_CHECKS);
            isHung = plane.deadlock().isPresent();
        }
        return isHung;
    }

    /** A workload whose arrivals are counted by source. */
    private final class CountedLoad implements Workload {
        private final Workload workload;
        private final BitSet senders = new BitSet();
        private final BitSet toOthers = new BitSet();
        private final BitSet contributors = new BitSet();
        private final long[] bytes = new long[hosts.count()];

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
            contributions[from] += hotSpots.isEmpty() || hotSpots.get(host) ? size : 0;
            if (hotSpots.get(host)) {
                hotBytes += size;
            } else {
                otherBytes += size;
            }
        }

        SettingRow row(double capacity, SettingRow.Marks marks) {
            double[] shares = contributors.stream()
                    .mapToDouble(host -> contributions[host] / capacity)
                    .toArray();
            double sum = DoubleStream.of(shares).sum();
            double squares = DoubleStream.of(shares).map(share -> share * share).sum();
            double logs = senders.stream()
                    .mapToDouble(host -> Math.log(bytes[host] / capacity + LEAST))
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
