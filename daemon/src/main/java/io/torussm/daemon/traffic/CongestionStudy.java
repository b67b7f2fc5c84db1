package io.torussm.daemon.traffic;

import io.torussm.congestion.CongestionOptions;
import io.torussm.daemon.traffic.CongestionComparison.SettingRow;
import io.torussm.dataplane.Hosts;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Sends the same traffic with several settings of congestion control, and searches for better ones. */
public final class CongestionStudy {
    /** The name of the settings that {@link CongestionProposal#PUBLISHED} has. */
    public static final String PUBLISHED = "published";

    /** The name of the settings for the number of hosts. */
    public static final String SCALED = "scaled";

    /** Parts of the hosts that send to a hot spot: the settings that a search tries first. */
    private static final int[] FEWER = {4, 16, 64};

    private final TrafficStudy study;
    private final TrafficOrder order;
    private final Hosts hosts;
    private final double load;
    private final BitSet hotSpots;

    /** The outcomes of whole runs so far, by settings. */
    private final Map<Optional<CongestionOptions>, SettingRow> rows = new HashMap<>();

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
     * @param budget cost of a search, in whole runs; 0 for none
     * @param listener callback, called with a line after each run
     */
    public CongestionComparison compare(
            Map<String, Optional<CongestionOptions>> settings, int budget, Consumer<String> listener) {
        List<SettingRow> compared = new ArrayList<>();
        settings.forEach((name, options) -> {
            SettingRow row = row(name, options);
            compared.add(row);
            listener.accept(text(row));
        });
        List<String> lines = List.of();
        if (budget > 0) {
            CongestionSearch.Proposed best = search(budget, listener);
            compared.add(best.row().named("tuned"));
            lines = best.proposal().lines();
        }
        return new CongestionComparison(study.engine(), order.pattern().word(), hosts.count(), load, compared, lines);
    }

    /** Returns the settings that Mellanox published, with a timer and a table of our own. */
    public static CongestionOptions published() {
        return CongestionProposal.PUBLISHED.options();
    }

    /** Returns settings for a hot spot to which all hosts send. */
    public CongestionOptions scaled() {
        return scaled(hosts.count());
    }

    /**
     * Returns settings for a hot spot to which some hosts send.
     *
     * @param senders number of hosts, at least 1
     */
    public CongestionOptions scaled(int senders) {
        return scaledProposal(senders).options();
    }

    private CongestionProposal scaledProposal(int senders) {
        return CongestionProposal.scaledTo(senders, (long) order.settings().packetBytes() * hosts.psPerByte(0));
    }

    private static String text(SettingRow row) {
        return String.format(Locale.ROOT, "%s: %.3f accepted, score %.4f", row.name(), row.accepted(), row.score());
    }

    private CongestionSearch.Proposed search(int budget, Consumer<String> listener) {
        CongestionSearch search = new CongestionSearch(
                budget, new SplittableRandom(order.seed()), scaledProposal(hosts.count()), this::run, listener);
        return search.search(IntStream.of(FEWER)
                .mapToObj(part -> scaledProposal(Math.max(1, hosts.count() / part)))
                .toList());
    }

    /** Returns the run with these settings, which is simulated once. */
    private SettingRow row(String name, Optional<CongestionOptions> options) {
        return rows.computeIfAbsent(options, each -> begin(each.orElse(null)).measure(CongestionSearch.LAST))
                .named(name);
    }

    /**
     * Returns a run of a candidate. A known outcome is that of a whole run, so it does not stand for earlier stages.
     * Else the result of a search would depend on the settings that were compared before.
     */
    private CongestionSearch.StagedRun run(CongestionProposal proposal) {
        SettingRow known = rows.get(Optional.of(proposal.options()));
        CongestionRun run = begin(proposal.options());
        return stage -> known != null && stage == CongestionSearch.LAST ? known : run.measure(stage);
    }

    private CongestionRun begin(@Nullable CongestionOptions options) {
        return new CongestionRun(study, order, load, hotSpots, options);
    }
}
