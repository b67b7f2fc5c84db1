package io.torussm.daemon.http;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.instrumentation.jvm.JvmMetrics;
import io.prometheus.metrics.model.registry.MultiCollector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import io.torussm.daemon.control.Condition;
import io.torussm.daemon.control.FabricSize;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.control.SmObserver;
import io.torussm.daemon.control.SmStatistics;
import io.torussm.daemon.replica.Replication;
import io.torussm.deadlock.SlVerdicts;
import io.torussm.event.SmEvent;
import io.torussm.inventory.Difference;
import io.torussm.inventory.Inventory;
import io.torussm.mad.Guid;
import io.torussm.mastership.SmState;
import io.torussm.perf.PollStatistics;
import io.torussm.report.ReportStats;
import io.torussm.routing.Degradation;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.sa.AttributeStatistics;
import io.torussm.subnet.Drains;
import io.torussm.sweep.DriftReport;
import io.torussm.sweep.ReadyReport;
import io.torussm.sweep.SweepCounts;
import io.torussm.transport.MadClient;
import io.torussm.transport.RmppSender;
import io.torussm.trap.TrapCounts;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.view.RoutingState;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * {@code /metrics}: counters that others keep, put into Prometheus' text format when somebody asks. GUIDs and names are in
 * no label, so that the number of series does not grow with the fabric.
 */
final class Metrics implements MultiCollector {
    private static final double MS = 1e-3;
    private static final List<Integer> ALL_SLS = IntStream.range(0, 16).boxed().toList();
    private static final List<String> LEVELS = List.of("error", "warn");

    /** A microsecond of the SA's latencies, in seconds. */
    private static final double SA_US = 1024e-9;

    private final SmObserver observer;
    private final PortMetrics ports;
    private final HttpCounts https;
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.builder()
            .setIncludeCreatedTimestamps(false)
            .build();

    Metrics(SmObserver observer, HttpCounts https) {
        this.observer = observer;
        ports = new PortMetrics(observer);
        this.https = https;
        registry.register(this);
        JvmMetrics.builder().register(registry);
    }

    /** What ports count, which is served by itself. */
    PortMetrics ports() {
        return ports;
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
        SmStatistics statistics = observer.statistics();
        MetricsBuilder page = new MetricsBuilder(subnet(statistics));
        FabricState state = observer.state();
        PublishedView view = state.view();
        PlacedSubnet seen = state.seen();
        List<Condition> conditions = Condition.all(observer);
        page.info("build", "The version that runs", Labels.of("version", observer.version()));
        page.gauge("subnet_up", "Whether a subnet is published", view != null);
        if (statistics != null) {
            mastership(page, statistics);
            sweeps(page, statistics.sweeps(), view != null);
            smps(page, statistics.smps());
            sa(page, statistics.sa());
            rest(page, statistics);
        }
        DriftReport drift = observer.drift();
        page.counter("drift_reads", "Answers of devices that were asked what they hold", drift.reads());
        page.counter("drift_differences", "Entries that were not as they had been written", drift.differences());
        page.gauge(
                "drifted_devices",
                "Devices that differed and have not been seen in order since",
                drift.open().size());
        page.gauges(
                "drained",
                "Switches and cables that are kept out of use, by who did that",
                List.of(Drains.Cause.values()),
                cause -> observer.drains().stream()
                        .filter(drain -> drain.cause() == cause)
                        .count(),
                cause -> Labels.of("cause", lower(cause)));
        page.counters(
                "events",
                "Events by code; docs/operator/events-reference.md says what each means",
                List.of(SmEvent.values()),
                event -> observer.journal().count(event.code()),
                event -> Labels.of(
                        "code", event.code(), "level", event.severity().level()));
        https.addTo(page);
        routing(page, state);
        page.gauges(
                "conditions",
                "Conditions that hold; torus-smctl conditions lists them",
                LEVELS,
                level -> conditions.stream()
                        .filter(condition -> condition.level().equals(level))
                        .count(),
                level -> Labels.of("level", level));
        if (seen != null) {
            found(page, seen, state.absences());
            NodeLabels.add(page, seen);
            inventory(page, observer.inventory(), seen);
        }
        ShadowReport shadow = observer.shadow();
        if (shadow != null) {
            ShadowMetrics.add(page, shadow);
        }
        if (view != null) {
            page.gauge("published_sweep", "Number of the sweep that published the subnet", view.sweep());
            page.gauge("multicast_routed", "Whether multicast is routed", view.multicast() != null);
            routes(page, view.plan().degradation().orElse(null));
            sls(page, observer.slVerdicts(0));
        }
        return page.snapshots();
    }

    /** What tells the series of one subnet from those of another; not known before the SM begins. */
    private static Labels subnet(@Nullable SmStatistics statistics) {
        return statistics == null ? Labels.EMPTY : Labels.of("subnet_prefix", Guid.format(statistics.subnetPrefix()));
    }

    private static void routing(MetricsBuilder page, FabricState state) {
        page.gauges(
                "routing_state",
                "1 for the state that routing is in",
                List.of(RoutingState.values()),
                each -> each == state.routing() ? 1 : 0,
                each -> Labels.of("state", lower(each)));
        Instant since = state.ruledSince();
        if (since != null) {
            Duration age = Duration.between(since, Instant.now());
            page.gauge("plan_age_seconds", "Since the routes in force are in force", age.toMillis() * MS);
        }
    }

    private static void routes(MetricsBuilder page, @Nullable Degradation degraded) {
        page.gauge("routes_degraded", "Whether the engine refused the fabric and routes are bent", degraded != null);
        if (degraded != null) {
            page.gauge("routes", "Routes of switches to LIDs", degraded.routes());
            page.gauge("routes_bent", "Routes that are not as the engine would have them", degraded.bentRoutes());
            page.gauge("route_hops_max", "Hops between switches of the longest route", degraded.longest());
            page.gauge("link_routes_max", "Routes over the link with the most", degraded.worstLoad());
        }
    }

    private static void safe(MetricsBuilder page, String name, String help, List<Integer> sls) {
        page.gauges(name, help, ALL_SLS, sl -> sls.contains(sl) ? 1 : 0, sl -> Labels.of("sl", sl.toString()));
    }

    private static void sls(MetricsBuilder page, @Nullable SlVerdicts sls) {
        if (sls != null) {
            safe(
                    page,
                    "sl_safe",
                    "Whether all that hosts send may have this SL without a credit loop, whatever path records say",
                    sls.safeSls());
            safe(
                    page,
                    "sl_safe_beside_path_records",
                    "Whether some connections may have this SL while others follow path records",
                    sls.safeBesidePathRecords());
            page.gauge("any_sl_safe", "Whether hosts may send with any SLs without a credit loop", sls.anySl());
        }
    }

    private static void inventory(MetricsBuilder page, Inventory inventory, PlacedSubnet seen) {
        List<Difference> differences = inventory.against(seen.fabric());
        page.gauge(
                "inventory_accepted",
                "Whether a fabric was accepted as the one that is meant",
                !inventory.expected().isEmpty());
        page.gauges(
                "inventory_differences",
                "What differs from the fabric that was accepted",
                List.of(Difference.Kind.values()),
                kind -> differences.stream().filter(each -> each.kind() == kind).count(),
                kind -> Labels.of("kind", kind.label()));
    }

    private static void mastership(MetricsBuilder page, SmStatistics statistics) {
        SmState now = statistics.mastership().shown();
        page.gauges(
                "mastership_state",
                "1 for the state that this SM is in, SMInfo.SMState",
                List.of(SmState.values()),
                state -> state == now ? 1 : 0,
                state -> Labels.of("state", lower(state)));
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
                "Sweeps by what was swept and how they ended",
                counts.counted(),
                SweepCounts.Count::count,
                count -> Labels.of("kind", lower(count.kind()), "outcome", lower(count.end())));
        page.histograms(
                "sweep_stage_seconds",
                "Time of the stages of sweeps",
                counts.times().stream()
                        .map(times -> page.times(
                                times.buckets(), MS, times.totalNs(), Labels.of("stage", lower(times.stage()))))
                        .toList());
        page.counters(
                "routings",
                "Routings by what the check said of them",
                List.of(SweepCounts.Judgement.values()),
                counts::judgements,
                judgement -> Labels.of("verdict", lower(judgement)));
        SweepCounts.@Nullable Proof proof = isUp ? counts.proof() : null;
        page.gauge("certificate_valid", "Whether the routes in force are proved free of credit loops", proof != null);
        if (proof != null) {
            page.gauge(
                    "certificate_covers_switch_ports",
                    "Whether the proof covers packets of switch ports 0, not only those of hosts and groups",
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
                "Traps by number and what was done about them",
                sweeps.traps().counted(),
                TrapCounts.Count::count,
                count -> Labels.of("trap", count.trap(), "disposition", lower(count.disposition())));
        page.counter(
                "traps_malformed", "Notices that made no sense", sweeps.traps().malformed());
        page.counter(
                "mkey_complaints", "Complaints of ports that somebody shows a wrong M_Key", sweeps.mKeyComplaints());
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
                MadClient.Ended::count,
                ended -> Labels.of(
                        "attribute", ended.attribute(), "method", ended.method(), "outcome", ended.outcome()));
        MadClient.Stats stats = smps.stats();
        page.counter("mads_sent", "MADs sent, retries and answers of the SA included", stats.sent());
        page.counter("smp_retries", "SMPs sent again", stats.retries());
        page.counter("smp_timeouts", "SMP transactions that ended without an answer", stats.timeouts());
        page.counter("mads_refused", "MADs that the kernel did not take, or the port could not send", stats.refused());
        page.counter("mads_undelivered", "requests that the kernel gave back without an answer", stats.undelivered());
        page.gauge("smp_window", "SMPs that may be on the wire at once", stats.window());
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
                        .map(of ->
                                page.times(of.latencies(), SA_US, of.totalNs(), Labels.of("attribute", of.attribute())))
                        .toList());
        page.gauge(
                "sa_queue_depth",
                "Requests to the SA that wait for an answer now",
                sa.stats().waiting());
        page.gauge(
                "sa_queue_depth_max",
                "The most that ever waited at once",
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

    private static void rest(MetricsBuilder page, SmStatistics statistics) {
        ReportStats reports = statistics.reports();
        page.counters(
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
        page.counter("state_write_failures", "Writes of state files that failed", statistics.stateFailures());
        page.counter(
                "defects", "Exceptions that nobody expected, each with its stack in the log", statistics.defects());
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

    private static void found(MetricsBuilder page, PlacedSubnet seen, Absences absences) {
        FabricSize size = FabricSize.of(seen.subnet());
        page.gauge("switches", "Switches found", size.switches());
        page.gauge("host_ports", "CA and router ports found", size.hostPorts());
        page.gauge("links", "Cables found", size.links());
        page.gauge("lids", "Unicast LIDs that ports have", size.lids());
        page.gauge(
                "absent_devices",
                "Hosts and switches that were there and are not",
                absences.devices(seen.fabric()).size());
        page.gauge(
                "absent_cables",
                "Cables that were there and are not",
                absences.cables().size());
        TorusState.of(seen).ifPresent(torus -> torus(page, torus));
    }

    private static void torus(MetricsBuilder page, TorusState torus) {
        page.gauge("missing_switches", "Places of the torus without a switch", torus.missingSwitches());
        page.gauge("missing_links", "Neighbours of the torus without a cable between them", torus.missingLinks());
        List<Ring> kinds = new ArrayList<>();
        for (int d = 0; d < TorusState.DIMENSIONS.size(); d++) {
            for (RingState state : RingState.values()) {
                kinds.add(new Ring("", d, 0, state, List.of()));
            }
        }
        page.gauges(
                "rings",
                "Rings (lines of a mesh) by dimension: thinned ones lost parallel cables, open ones have one gap, cut ones more",
                kinds,
                kind -> torus.rings().stream()
                        .filter(ring -> ring.dimension() == kind.dimension() && ring.state() == kind.state())
                        .count(),
                kind -> Labels.of(
                        "dimension", TorusState.DIMENSIONS.get(kind.dimension()), "state", lower(kind.state())));
    }

    private static String lower(Enum<?> word) {
        return word.name().toLowerCase(Locale.ROOT);
    }
}
