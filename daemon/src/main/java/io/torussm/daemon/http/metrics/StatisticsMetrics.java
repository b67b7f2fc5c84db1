package io.torussm.daemon.http.metrics;

import io.prometheus.metrics.model.snapshots.Labels;
import io.torussm.congestion.CongestionStatistics;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.replica.Replication;
import io.torussm.firmware.FirmwareCensus;
import io.torussm.firmware.FirmwareOutcome;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mastership.SmState;
import io.torussm.perf.PollStatistics;
import io.torussm.report.ReportStats;
import io.torussm.sa.AttributeStatistics;
import io.torussm.sweep.idle.ReadyReport;
import io.torussm.sweep.state.SweepCounts;
import io.torussm.transport.MadClient;
import io.torussm.transport.rmpp.RmppSender;
import io.torussm.trap.TrapCounts;
import io.torussm.vport.VPortTable;
import io.torussm.vport.VPortTable.VisitOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The counters of the SM as metrics: sweeps, SMPs, answers of the SA, Reports, replication, the reading of counters.
 */
final class StatisticsMetrics {
    private static final double MS = 1e-3;

    /** A microsecond of the SA's latencies, in seconds. */
    private static final double SA_US = 1024e-9;

    private static final Map<Integer, String> VPORT_STATES = new TreeMap<>(Map.of(
            PortInfo.STATE_INITIALIZE, "initialize", PortInfo.STATE_ARMED, "armed", PortInfo.STATE_ACTIVE, "active"));

    /** Series of firmware versions. */
    private static final int MAX_FIRMWARE = 64;

    private StatisticsMetrics() {}

    /**
     * Adds all of it.
     *
     * @param isUp whether a subnet is published
     */
    static void add(MetricsBuilder page, SmStatistics statistics, boolean isUp) {
        mastership(page, statistics);
        sweeps(page, statistics.sweeps(), isUp);
        smps(page, statistics.smps());
        sa(page, statistics.sa());
        vports(page, statistics.vports());
        firmware(page, statistics.firmware());
        otherMetrics(page, statistics);
    }

    private static void vports(MetricsBuilder page, VPortTable vports) {
        page.gauge("vports", "Virtual ports of channel adapters that are managed", vports.vports());
        page.gauge("vports_active", "Virtual ports in ACTIVE", vports.countActive());
        page.gauges(
                "vports_by_state",
                "Virtual ports by PortState",
                VPORT_STATES.entrySet(),
                state -> vports.countInState(state.getKey()),
                state -> Labels.of("state", state.getValue()));
        page.counters(
                "vport_visits",
                "Visits of ports with virtual ports by outcome",
                List.of(VisitOutcome.values()),
                vports::visits,
                outcome -> Labels.of("outcome", MetricsBuilder.lower(outcome)));
    }

    /** Adds versions, those of most devices if there are many: devices choose what they report. */
    private static void firmware(MetricsBuilder page, FirmwareCensus census) {
        if (!census.isRead()) {
            return;
        }
        page.gauges(
                "firmware_devices",
                "Devices whose firmware is read, by outcome",
                List.of(FirmwareOutcome.values()),
                census::count,
                outcome -> Labels.of("outcome", MetricsBuilder.lower(outcome)));
        page.gauges(
                "firmware_versions",
                "Devices by kind and firmware version",
                census.models().stream()
                        .flatMap(model -> model.versions().stream().map(version -> new FirmwareSeries(model, version)))
                        .sorted(Comparator.comparing(series -> -series.devices()))
                        .limit(MAX_FIRMWARE)
                        .toList(),
                FirmwareSeries::devices,
                FirmwareSeries::labels);
    }

    /** The devices of a kind that have one version. */
    private record FirmwareSeries(FirmwareCensus.Model model, FirmwareCensus.Version version) {
        int devices() {
            return version.nodeGuids().size();
        }

        Labels labels() {
            return Labels.of(
                    "device_id",
                    String.format("0x%04x", model.deviceId()),
                    "psid",
                    model.psid(),
                    "version",
                    version.version());
        }
    }

    private static void mastership(MetricsBuilder page, SmStatistics statistics) {
        SmState current = statistics.mastership().shownState();
        page.gauges(
                "mastership_state",
                "1 for the state that this SM is in, SMInfo.SMState",
                List.of(SmState.values()),
                state -> state == current ? 1 : 0,
                state -> Labels.of("state", MetricsBuilder.lower(state)));
        page.gauge(
                "mastership_priority",
                "Priority of this SM, 0 to 15",
                statistics.mastership().priority());
        page.gauge("subnet_managers", "Subnet managers known, this one too", statistics.subnetManagers());
    }

    private static void sweeps(MetricsBuilder page, SmStatistics.Sweeps sweeps, boolean isUp) {
        SweepCounts counts = sweeps.counts();
        page.counters(
                "sweeps",
                "Sweeps by kind and result",
                counts.counts(),
                SweepCounts.Count::count,
                count -> Labels.of(
                        "kind", MetricsBuilder.lower(count.kind()), "outcome", MetricsBuilder.lower(count.end())));
        page.histograms(
                "sweep_stage_seconds",
                "Time of the stages of sweeps",
                counts.times().stream()
                        .map(times -> page.timeHistogram(
                                times.buckets(),
                                MS,
                                times.totalNs(),
                                Labels.of("stage", MetricsBuilder.lower(times.stage()))))
                        .toList());
        page.counters(
                "routings",
                "Routings by result of the check",
                List.of(SweepCounts.Judgement.values()),
                counts::judgements,
                judgement -> Labels.of("verdict", MetricsBuilder.lower(judgement)));
        SweepCounts.@Nullable Proof proof = isUp ? counts.proof() : null;
        page.gauge("certificate_valid", "Whether the active routes are proved free of credit loops", proof != null);
        if (proof != null) {
            page.gauge(
                    "certificate_covers_switch_ports",
                    "Whether the proof covers packets of switch ports 0, not only packets of hosts and groups",
                    proof.coversSwitchPorts());
            page.gauge("certificate_channels", "Virtual lanes of directed links in the proof", proof.channels());
            page.gauge("certificate_dependencies", "Dependencies between channels in the proof", proof.dependencies());
            page.gauge("certificate_destinations", "Destination LIDs in the proof", proof.destinations());
        }
        ReadyReport ready = sweeps.readyPlans();
        page.gauge("ready_plans", "Single failures for which a plan is ready", ready.plans());
        page.gauge("ready_plans_bytes", "Memory that these plans take", ready.bytes());
        page.gauge("single_failures", "Cables and switches that a plan is to be ready for", ready.failures());
        page.counter("ready_plans_taken", "Sweeps that took a plan that was ready", ready.taken());
        page.counter("sl_changes", "Paths whose SL changed under their users; to stay 0", sweeps.slChanges());
        page.counters(
                "traps",
                "Traps by number and action",
                sweeps.traps().counts(),
                TrapCounts.Count::count,
                count -> Labels.of("trap", count.trap(), "disposition", MetricsBuilder.lower(count.disposition())));
        page.counter(
                "traps_malformed", "Notices that made no sense", sweeps.traps().malformed());
        page.counter("mkey_complaints", "Reports of ports about requests with a wrong M_Key", sweeps.mKeyComplaints());
        page.gauge(
                "unhealthy_ports",
                "Ports that complain of their links without end",
                sweeps.unhealthyPorts().size());
        page.gauge(
                "left_out",
                "Switches and links that have no part in the subnet because they cannot be programmed",
                sweeps.leftOut().size());
    }

    private static void smps(MetricsBuilder page, SmStatistics.Smps smps) {
        page.counters(
                "smps",
                "SMP transactions by attribute, method and outcome",
                smps.ended(),
                MadClient.OutcomeCount::count,
                ended -> Labels.of(
                        "attribute", ended.attribute(), "method", ended.method(), "outcome", ended.outcome()));
        MadClient.Stats stats = smps.stats();
        page.counter("mads_sent", "MADs sent, retries and answers of the SA included", stats.sent());
        page.counter("smp_retries", "SMPs sent again", stats.retries());
        page.counter("smp_timeouts", "SMP transactions that ended without an answer", stats.timeouts());
        page.counter("mads_refused", "MADs that the kernel did not take, or the port could not send", stats.refused());
        page.counter("mads_undelivered", "requests that the kernel gave back without an answer", stats.undelivered());
        page.gauge("smp_window", "SMPs that may be outstanding simultaneously", stats.window());
        page.counter(
                "smp_window_halvings",
                "How often the window was halved because several devices lost SMPs together",
                stats.halvings());
        page.counters(
                "mads_dropped",
                "MADs that came in and were dropped",
                "reason",
                Map.of("late", stats.late(), "malformed", stats.malformed(), "overflow", stats.overflow()));
    }

    private static void sa(MetricsBuilder page, SmStatistics.Sa sa) {
        List<AnsweredRow> answers = new ArrayList<>();
        List<RequestRow> requests = new ArrayList<>();
        for (AttributeStatistics of : sa.traffic()) {
            of.statuses().forEach(answered -> answers.add(new AnsweredRow(of.attribute(), answered)));
            of.counts().forEach(count -> requests.add(new RequestRow(of.attribute(), count)));
        }
        page.counters(
                "sa_requests",
                "Requests to the SA by attribute and method",
                requests,
                row -> row.count().taken(),
                RequestRow::labels);
        page.counters(
                "sa_requests_dropped",
                "Requests to the SA that stayed without an answer",
                requests,
                row -> row.count().dropped(),
                RequestRow::labels);
        page.counters(
                "sa_answers",
                "Answers of the SA by attribute, method and status",
                answers,
                row -> row.answered().count(),
                row -> Labels.of(
                        "attribute",
                        row.attribute(),
                        "method",
                        row.answered().method(),
                        "status",
                        row.answered().status()));
        page.histograms(
                "sa_request_seconds",
                "Time from a request's coming in to the answer's going out",
                sa.traffic().stream()
                        .map(of -> page.timeHistogram(
                                of.latencies(), SA_US, of.totalNs(), Labels.of("attribute", of.attribute())))
                        .toList());
        page.gauge(
                "sa_queue_depth",
                "Requests to the SA that wait for an answer now",
                sa.stats().waiting());
        page.gauge(
                "sa_queue_depth_max",
                "Largest number that waited simultaneously",
                sa.stats().mostWaiting());
        page.gauge("sa_tables_open", "Table answers under way", sa.openTables());
        RmppSender.Stats tables = sa.tables();
        page.counters(
                "sa_tables",
                "Table answers by how they ended",
                "outcome",
                Map.of(
                        "completed", tables.completed(),
                        "unacknowledged", tables.unacknowledged(),
                        "stopped", tables.stopped(),
                        "aborted", tables.aborted(),
                        "refused", tables.refused()));
    }

    private record AnsweredRow(String attribute, AttributeStatistics.Answered answered) {}

    private record RequestRow(String attribute, AttributeStatistics.Count count) {
        Labels labels() {
            return Labels.of("attribute", attribute, "method", count.method());
        }
    }

    private static void otherMetrics(MetricsBuilder page, SmStatistics statistics) {
        ReportStats reports = statistics.reports();
        page.counters(
                "reports",
                "Reports to subscribers by result",
                "outcome",
                Map.of(
                        "sent",
                        reports.sent(),
                        "answered",
                        reports.answered(),
                        "lost",
                        reports.lost(),
                        "dropped",
                        reports.dropped()));
        var replication = statistics.replication();
        page.gauge(
                "replication_enabled",
                "Whether the state is copied to the SMs that may take over",
                replication != null);
        if (replication != null) {
            page.gauge(
                    "replication_peers",
                    "Peers of the replication that are there",
                    replication.peers().size());
            age(page, "replication_sent_age_seconds", "Time since the last state was sent", replication.sent());
            age(page, "replication_taken_age_seconds", "Time since the last state was taken", replication.taken());
        }
        if (statistics.counters().turns() > 0) {
            counters(page, statistics.counters());
        }
        if (statistics.congestion().isOn()) {
            congestion(page, statistics.congestion());
        }
        page.counter("state_write_failures", "Writes of state files that failed", statistics.stateFailures());
        page.counter("defects", "Unexpected exceptions, each with its stack in the log", statistics.defects());
    }

    private static void congestion(MetricsBuilder page, CongestionStatistics congestion) {
        page.gauge("congestion_devices", "Devices with settings of congestion control", congestion.devices());
        page.gauge("congestion_devices_set", "Those that have all settings", congestion.set());
        page.gauge("congestion_devices_failed", "Those that refuse, are silent, or do not change", congestion.failed());
        page.counter("congestion_sets", "Sets of congestion control", congestion.sets());
        page.gauge("congestion_marks", "Events in the logs of present switches", congestion.marks());
        page.gauge(
                "congestion_triggers",
                "Events in the logs of present channel adapters, beyond Trigger_Threshold",
                congestion.triggers());
    }

    private static void counters(MetricsBuilder page, PollStatistics polling) {
        page.counter("perf_polls", "Readings of the counters of all ports", polling.turns());
        page.counter("perf_polls_late", "Those that did not end within perfmgr_sweep_time_s", polling.late());
        page.counter("perf_requests", "Requests for counters", polling.mads());
        page.counter("perf_requests_unanswered", "Requests for counters without an answer", polling.unanswered());
        page.counter("perf_clearings", "Readings that show that others cleared counters", polling.clearings());
        page.gauge("perf_poll_seconds", "How long the last reading of all ports took", polling.lastNs() / 1e9);
        page.gauge("perf_agents", "Agents that are asked for counters", polling.agents());
        page.gauge("perf_agents_silent", "Agents that do not answer, or refuse", polling.silent());
        page.gauge("perf_ports", "Ports whose counters are read", polling.ports());
    }

    private static void age(MetricsBuilder page, String name, String help, Replication.@Nullable Transfer last) {
        if (last != null) {
            page.gauge(name, help, last.ageNs() / 1e9);
        }
    }
}
