package io.torussm.daemon.http.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.snapshot.RegisterKind;
import java.util.Comparator;
import java.util.List;

/** The metrics {@code torussm_shadow_*} of a shadow, which only reads the fabric of another master SM. */
final class ShadowMetrics {
    private static final List<RegisterKind> TABLES = RegisterKind.TABLES.stream()
            .sorted(Comparator.comparing(RegisterKind::word))
            .toList();

    private ShadowMetrics() {}

    static void add(MetricsBuilder page, ShadowReport report) {
        page.counter("shadow_readings", "Readings of the whole fabric", report.readings());
        page.counter("shadow_mads", "Sent MADs, all of them Gets", report.mads());
        page.gauge("shadow_reading_seconds", "How long the last reading took", report.seconds());
        page.gauge(
                "shadow_read_timestamp_seconds",
                "When the last reading was complete",
                report.at().getEpochSecond());
        page.gauge(
                "shadow_registers",
                "Registers that devices told",
                report.fabric().registers());
        page.gauge(
                "shadow_registers_untold",
                "Registers that devices did not tell",
                report.fabric().untold());
        page.gauge(
                "shadow_managers",
                "Subnet managers that answer",
                report.managers().size());
        page.gauges(
                "shadow_loop_free",
                "Whether the tables held are free of credit loops, by whose packets count",
                report.proof().verdicts().stream()
                        .filter(ShadowReport.Verdict::isKnown)
                        .toList(),
                verdict -> verdict.loop().isEmpty() ? 1 : 0,
                verdict -> Labels.of("packets", verdict.about()));
        page.gauge(
                "shadow_unreachable_pairs",
                "Pairs of hosts that do not reach each other",
                report.proof().lost());
        ShadowReport.Takeover takeover = report.takeover();
        boolean isKnown = takeover != null && takeover.outcome().isEmpty();
        page.gauge("shadow_takeover_up", "Whether a takeover was tried and its subnet came up", isKnown);
        if (takeover != null && isKnown) {
            page.gauges(
                    "shadow_takeover_changes",
                    "Entries that a takeover would change, by table",
                    TABLES,
                    table -> takeover.changes().getOrDefault(table.word(), 0L),
                    table -> Labels.of("table", table.word()));
            page.gauge(
                    "shadow_takeover_settings",
                    "Settings of ports and switches that a takeover would change",
                    takeover.settings().values().stream()
                            .mapToLong(Long::longValue)
                            .sum());
        }
        ShadowReport.Paths paths = report.paths();
        if (paths != null) {
            page.gauge("shadow_paths", "Requested paths that the master's SA granted", paths.answered());
            page.gauge(
                    "shadow_paths_differing",
                    "Those with another SL than this SM would grant",
                    (long) paths.answered() - paths.same());
        }
        page.counter(
                "shadow_drift",
                "Entries that changed though no cable did",
                report.drift().changed());
        page.gauge(
                "shadow_faults",
                "Changes of cables and devices that are kept",
                report.faults().size());
        report.faults().stream().findFirst().ifPresent(fault -> fault(page, fault));
    }

    private static void fault(MetricsBuilder page, ShadowReport.Fault fault) {
        page.gauge(
                "shadow_fault_seconds",
                "Within which tables were whole again after the last fault; -1 if they are not",
                fault.seconds());
        ShadowReport.Response own = fault.own();
        if (own != null && own.outcome().isEmpty()) {
            page.gauge(
                    "shadow_fault_own_seconds",
                    "Within which this SM would have dealt with it, on a twin",
                    own.milliseconds() / 1_000.0);
        }
    }
}
