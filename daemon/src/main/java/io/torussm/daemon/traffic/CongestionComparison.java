package io.torussm.daemon.traffic;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The same traffic with several settings of congestion control.
 *
 * @param load offered load, as a share of the rate of hosts' cables
 * @param settings lines of a configuration with the settings that a search found; empty without a search
 */
public record CongestionComparison(
        String engine, String pattern, int hosts, double load, List<SettingRow> rows, List<String> settings)
        implements TrafficResult {
    /**
     * A run. Shares are of the rate of a host's cable.
     *
     * @param accepted throughput of all hosts, as a share
     * @param hotSpots throughput to hot spots, as a share of their cables; 0 without any
     * @param others throughput to other hosts, as a share of the rate of the hosts that send there
     * @param slowest share of the contributor to hot spots that gets least there; of all senders without hot spots
     * @param fairness Jain's index of the same: 1 if all get the same, 1/n if one gets all
     * @param score geometric mean of the shares of senders since the first packet, which a search makes as large as
     *     possible
     * @param marked packets of congestion control
     */
    public record SettingRow(
            String name,
            double accepted,
            double hotSpots,
            double others,
            double slowest,
            double fairness,
            double score,
            Marks marked) {
        /** Packets with FECN, CNPs that arrived, and whether packets were in a deadlock. */
        public record Marks(long fecn, long becn, boolean isHung) {}

        /** Returns a copy with another name. */
        SettingRow named(String newName) {
            return new SettingRow(newName, accepted, hotSpots, others, slowest, fairness, score, marked);
        }
    }

    public CongestionComparison {
        rows = List.copyOf(rows);
        settings = List.copyOf(settings);
    }

    /** Returns the text of a configuration with {@link #settings}, in UTF-8. */
    public byte[] configuration() {
        return (String.join("\n", settings) + "\n").getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public boolean isFailed() {
        return rows.stream().anyMatch(row -> row.marked.isHung);
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT, "%d hosts, pattern %s, load %.3f, routed by %s", hosts, pattern, load, engine));
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "%-24s%10s%10s%10s%10s%10s%12s%12s",
                "congestion control",
                "accepted",
                "hot spots",
                "others",
                "slowest",
                "fairness",
                "FECN",
                "BECN"));
        for (SettingRow row : rows) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-24s%10.3f%10.3f%10.3f%10.3f%10.3f%12d%12d%s",
                    row.name,
                    row.accepted,
                    row.hotSpots,
                    row.others,
                    row.slowest,
                    row.fairness,
                    row.marked.fecn,
                    row.marked.becn,
                    row.marked.isHung ? "  HANGS" : ""));
        }
        if (!settings.isEmpty()) {
            lines.add("");
            lines.addAll(settings);
        }
        return lines;
    }
}
