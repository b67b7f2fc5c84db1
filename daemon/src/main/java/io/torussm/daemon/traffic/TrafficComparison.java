package io.torussm.daemon.traffic;

import io.torussm.daemon.traffic.TrafficReport.LoadResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/**
 * The results of one traffic pattern over several sets of tables.
 *
 * @param pattern pattern of the runs
 * @param rows results, one for each set of tables
 */
public record TrafficComparison(String pattern, List<Row> rows) implements TrafficResult {
    /**
     * The traffic of one engine.
     *
     * @param engine name of the requested engine, or of the dump
     * @param hosts number of hosts that send
     * @param worstShift largest number of hosts that send over one cable in any shift, see {@link ShiftReport}
     * @param meanShift number of hosts over the busiest cable of a shift, as a mean over shifts
     * @param freeShifts number of shifts with at most one host over each cable
     * @param saturation highest load that was carried; 0 if no load was carried
     * @param runs runs in the order of their load, ascending
     * @param lost number of pairs of hosts without a path
     * @param note reason why there are no tables, or a note that the last resort made them; else empty
     */
    public record Row(
            String engine,
            int hosts,
            int worstShift,
            double meanShift,
            int freeShifts,
            double saturation,
            List<LoadResult> runs,
            long lost,
            String note) {
        public Row {
            runs = List.copyOf(runs);
        }

        /** Returns the row of an engine that refused the fabric. */
        public static Row refused(String engine, String reason) {
            return new Row(engine, 0, 0, 0, 0, 0, List.of(), 0, reason);
        }

        /** Returns the row of a set of tables. */
        public static Row of(String engine, ShiftReport shifts, TrafficReport report, String note) {
            return new Row(
                    engine,
                    report.hosts(),
                    shifts.worst(),
                    shifts.mean(),
                    shifts.free(),
                    report.saturation(),
                    report.runs(),
                    shifts.lost(),
                    note);
        }

        private String line(int width) {
            String name = String.format(Locale.ROOT, "%-" + width + "s", engine);
            if (runs.isEmpty()) {
                return name + " refused: " + note.lines().findFirst().orElse("");
            }
            LoadResult last = runs.get(runs.size() - 1);
            return String.format(
                            Locale.ROOT,
                            "%s %6d %8.2f %8d %10.3f %10s %12.2f  %s",
                            name,
                            worstShift,
                            meanShift,
                            freeShifts,
                            saturation,
                            last.isHung() ? "HANGS" : String.format(Locale.ROOT, "%.3f", last.accepted()),
                            runs.get(0).p99Ns() / 1_000.0,
                            note)
                    .stripTrailing();
        }
    }

    public TrafficComparison {
        rows = List.copyOf(rows);
    }

    @Override
    public List<String> lines() {
        int width = rows.stream()
                .map(row -> row.engine.length())
                .max(Comparator.naturalOrder())
                .orElse(0);
        Row first = rows.stream().filter(row -> !row.runs.isEmpty()).findFirst().orElse(rows.get(0));
        List<String> lines = new ArrayList<>();
        lines.add(first.hosts + " hosts, loads by pattern " + pattern);
        lines.add(Math.max(0, first.hosts - 1) + " shifts: hosts over the busiest cable, worst and mean; shifts free of"
                + " contention");
        lines.add("");
        lines.add(String.format(
                Locale.ROOT,
                "%-" + width + "s %6s %8s %8s %10s %10s %12s",
                "engine",
                "worst",
                "mean",
                "free",
                "carried",
                label("at", first, first.runs.size() - 1),
                label("99 % us", first, 0)));
        rows.forEach(row -> lines.add(row.line(width)));
        return lines;
    }

    private static String label(String head, Row row, int run) {
        return head
                + (row.runs.isEmpty()
                        ? ""
                        : String.format(Locale.ROOT, " %.2f", row.runs.get(run).load()));
    }

    @Override
    public boolean isRefused() {
        return rows.stream().allMatch(row -> row.runs.isEmpty());
    }

    @Override
    public boolean isFailed() {
        return rows.stream().anyMatch(row -> row.lost > 0 || row.runs.stream().anyMatch(LoadResult::isHung));
    }
}
