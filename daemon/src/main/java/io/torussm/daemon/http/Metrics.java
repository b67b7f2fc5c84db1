package io.torussm.daemon.http;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.event.SmEvent;
import io.torussm.fabric.Fabric;
import io.torussm.mastership.SmState;
import io.torussm.report.ReportStats;
import io.torussm.sa.AttributeStatistics;
import io.torussm.subnet.Subnet;
import io.torussm.sweep.SweepCounts;
import io.torussm.transport.MadClient;
import io.torussm.transport.RmppSender;
import io.torussm.trap.TrapCounts;
import io.torussm.view.PublishedView;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code /metrics}: counters that others keep, put into Prometheus' text format when somebody asks. GUIDs and names are in
 * no label, so that the number of series does not grow with the fabric.
 */
final class Metrics implements MultiCollector {
    private static final double MS = 1e-3;

    /** A microsecond of the SA's latencies, in seconds. */
    private static final double SA_US = 1024e-9;

    private final HttpControl control;
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.builder()
            .setIncludeCreatedTimestamps(false)
            .build();

    Metrics(HttpControl control) {
        this.control = control;
        registry.register(this);
        JvmMetrics.builder().register(registry);
    }

    /** The answer to a scrape. */
    Reply scrape() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException("memory takes what is written", e);
        }
        return Reply.data(PrometheusTextFormatWriter.CONTENT_TYPE, out.toByteArray());
    }

    @Override
    public MetricSnapshots collect() {
        MetricsBuilder sheet = new MetricsBuilder();
        PublishedView view = control.view();
        sheet.info("build", "The version that runs", Labels.of("version", control.version()));
        sheet.gauge("subnet_up", "Whether a subnet is published", view != null);
        SmStatistics figures = control.figures();
        if (figures != null) {
            mastership(sheet, figures);
            sweeps(sheet, figures.sweeps(), view != null);
            smps(sheet, figures.smps());
            sa(sheet, figures.sa());
            rest(sheet, figures);
        }
        sheet.counters(
                "events",
                "Events by code; docs/events-reference.md says what each means",
                List.of(SmEvent.values()),
                event -> control.journal().count(event.code()),
                event -> Labels.of(
                        "code", event.code(), "level", event.severity().level()));
        if (view != null) {
            fabric(sheet, view);
        }
        return sheet.snapshots();
    }

    private static void mastership(MetricsBuilder sheet, SmStatistics figures) {
        SmState now = figures.mastership().shown();
        sheet.gauges(
                "mastership_state",
                "1 for the state that this SM is in, SMInfo.SMState",
                List.of(SmState.values()),
                state -> state == now ? 1 : 0,
                state -> Labels.of("state", lower(state)));
        sheet.gauge(
                "mastership_priority",
                "Priority of this SM, 0 to 15",
                figures.mastership().priority());
        sheet.gauge("subnet_managers", "Subnet managers known, this one too", figures.subnetManagers());
    }

    private static void sweeps(MetricsBuilder sheet, SmStatistics.Sweeps sweeps, boolean isUp) {
        SweepCounts counts = sweeps.counts();
        sheet.counters(
                "sweeps",
                "Sweeps by what was swept and how they ended",
                counts.counted(),
                SweepCounts.Count::count,
                count -> Labels.of("kind", lower(count.kind()), "outcome", lower(count.end())));
        sheet.histograms(
                "sweep_stage_seconds",
                "Time of the stages of sweeps",
                counts.times().stream()
                        .map(times -> MetricsBuilder.times(
                                times.buckets(), MS, times.totalNs(), Labels.of("stage", lower(times.stage()))))
                        .toList());
        sheet.counters(
                "routings",
                "Routings by what the check said of them",
                List.of(SweepCounts.Judgement.values()),
                counts::judgements,
                judgement -> Labels.of("verdict", lower(judgement)));
        SweepCounts.@Nullable Proof proof = isUp ? counts.proof() : null;
        sheet.gauge("certificate_valid", "Whether the routes in force are proved free of credit loops", proof != null);
        if (proof != null) {
            sheet.gauge("certificate_channels", "Virtual lanes of directed links in the proof", proof.channels());
            sheet.gauge("certificate_dependencies", "Dependencies between channels in the proof", proof.dependencies());
            sheet.gauge("certificate_destinations", "Destination LIDs in the proof", proof.destinations());
        }
        sheet.counter("sl_changes", "Paths whose SL changed under their users; to stay 0", sweeps.slChanges());
        sheet.counters(
                "traps",
                "Traps by number and what was done about them",
                sweeps.traps().counted(),
                TrapCounts.Count::count,
                count -> Labels.of("trap", count.trap(), "disposition", lower(count.disposition())));
        sheet.counter(
                "traps_malformed", "Notices that made no sense", sweeps.traps().malformed());
        sheet.counter(
                "mkey_complaints", "Complaints of ports that somebody shows a wrong M_Key", sweeps.mKeyComplaints());
        sheet.gauge("unhealthy_ports", "Ports that complain of their links without end", sweeps.unhealthyPorts());
    }

    private static void smps(MetricsBuilder sheet, SmStatistics.Smps smps) {
        sheet.counters(
                "smps",
                "SMP transactions by attribute, method and outcome",
                smps.ended(),
                MadClient.Ended::count,
                ended -> Labels.of(
                        "attribute", ended.attribute(), "method", ended.method(), "outcome", ended.outcome()));
        MadClient.Stats stats = smps.stats();
        sheet.counter("mads_sent", "MADs sent, retries and answers of the SA included", stats.sent());
        sheet.counter("smp_retries", "SMPs sent again", stats.retries());
        sheet.counter("smp_timeouts", "SMP transactions that ended without an answer", stats.timeouts());
        sheet.counters(
                "mads_dropped",
                "MADs that came in and were dropped",
                "reason",
                Map.of("late", stats.late(), "malformed", stats.malformed(), "overflow", stats.overflow()));
    }

    private static void sa(MetricsBuilder sheet, SmStatistics.Sa sa) {
        List<AnsweredRow> answers = new ArrayList<>();
        List<RequestRow> requests = new ArrayList<>();
        for (AttributeStatistics of : sa.traffic()) {
            of.statuses().forEach(answered -> answers.add(new AnsweredRow(of.attribute(), answered)));
            of.counts().forEach(count -> requests.add(new RequestRow(of.attribute(), count)));
        }
        sheet.counters(
                "sa_requests",
                "Requests to the SA by attribute and method",
                requests,
                row -> row.count().taken(),
                RequestRow::labels);
        sheet.counters(
                "sa_requests_dropped",
                "Requests to the SA that stayed without an answer",
                requests,
                row -> row.count().dropped(),
                RequestRow::labels);
        sheet.counters(
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
        sheet.histograms(
                "sa_request_seconds",
                "Time from a request's coming in to the answer's going out",
                sa.traffic().stream()
                        .map(of -> MetricsBuilder.times(
                                of.latencies(), SA_US, of.totalNs(), Labels.of("attribute", of.attribute())))
                        .toList());
        sheet.gauge(
                "sa_queue_depth",
                "Requests to the SA that wait for an answer now",
                sa.stats().waiting());
        sheet.gauge(
                "sa_queue_depth_max",
                "The most that ever waited at once",
                sa.stats().mostWaiting());
        sheet.gauge("sa_tables_open", "Table answers under way", sa.openTables());
        RmppSender.Stats tables = sa.tables();
        sheet.counters(
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

    private static void rest(MetricsBuilder sheet, SmStatistics figures) {
        ReportStats reports = figures.reports();
        sheet.counters(
                "reports",
                "Reports to subscribers by what became of them",
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
        var replication = figures.replication();
        sheet.gauge(
                "replication_enabled",
                "Whether the state is copied to the SMs that may take over",
                replication != null);
        if (replication != null) {
            sheet.gauge("replication_peers", "Peers of the replication that are there", replication.peers());
            age(sheet, "replication_sent_age_seconds", "Time since the last state was sent", replication.sentNs());
            age(sheet, "replication_taken_age_seconds", "Time since the last state was taken", replication.takenNs());
        }
        sheet.counter("state_write_failures", "Writes of state files that failed", figures.stateFailures());
        sheet.counter("defects", "Exceptions that nobody expected, each with its stack in the log", figures.defects());
    }

    private static void age(MetricsBuilder sheet, String name, String help, long ns) {
        if (ns >= 0) {
            sheet.gauge(name, help, ns / 1e9);
        }
    }

    private static void fabric(MetricsBuilder sheet, PublishedView view) {
        Subnet subnet = view.subnet();
        Fabric fabric = subnet.fabric();
        int hosts = 0;
        int links = 0;
        int lids = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            boolean isHost = !fabric.isSwitch(fabric.nodeOf(port)) && fabric.isEndport(port);
            hosts += isHost ? 1 : 0;
            links += fabric.peer(port) > port ? 1 : 0;
            lids += subnet.lid(port) == 0 ? 0 : 1 << subnet.lmc(port);
        }
        sheet.gauge("published_sweep", "Number of the sweep that published the subnet", view.sweep());
        sheet.gauge("switches", "Switches in the subnet", fabric.switchCount());
        sheet.gauge("host_ports", "CA and router ports in the subnet", hosts);
        sheet.gauge("links", "Cables in the subnet", links);
        sheet.gauge("lids", "Unicast LIDs that ports have", lids);
        sheet.gauge("multicast_routed", "Whether multicast is routed", view.multicast() != null);
        view.plan().lattice().ifPresent(lattice -> torus(sheet, new TorusState(lattice, view)));
    }

    private static void torus(MetricsBuilder sheet, TorusState torus) {
        sheet.gauge("missing_switches", "Places of the torus without a switch", torus.missingSwitches());
        sheet.gauge("missing_links", "Neighbours of the torus without a cable between them", torus.missingLinks());
        List<TorusState.Ring> kinds = new ArrayList<>();
        for (int d = 0; d < TorusState.DIMENSIONS.size(); d++) {
            for (TorusState.RingState state : TorusState.RingState.values()) {
                kinds.add(new TorusState.Ring(d, 0, state));
            }
        }
        sheet.gauges(
                "rings",
                "Rings (lines of a mesh) by dimension: degraded ones have one gap, cut ones more",
                kinds,
                kind -> torus.rings().stream()
                        .filter(ring -> ring.d() == kind.d() && ring.state() == kind.state())
                        .count(),
                kind -> Labels.of("dimension", TorusState.DIMENSIONS.get(kind.d()), "state", lower(kind.state())));
    }

    private static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }
}
