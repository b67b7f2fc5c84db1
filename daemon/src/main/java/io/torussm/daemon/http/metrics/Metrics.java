package io.torussm.daemon.http.metrics;

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
import io.torussm.daemon.http.Reply;
import io.torussm.daemon.http.TorusState;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.SmEvent;
import io.torussm.inventory.Difference;
import io.torussm.inventory.Inventory;
import io.torussm.mad.Guid;
import io.torussm.routing.Degradation;
import io.torussm.routing.Ring;
import io.torussm.routing.RingState;
import io.torussm.subnet.Drains;
import io.torussm.sweep.idle.DriftReport;
import io.torussm.view.Absences;
import io.torussm.view.FabricState;
import io.torussm.view.LostCable;
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
import java.util.Optional;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The page {@code /metrics}: state and counters of the SM in the text format of Prometheus. No label contains a GUID or
 * name, so the number of series does not grow with the fabric.
 */
public final class Metrics implements MultiCollector {
    private static final double MS = 1e-3;
    private static final List<Integer> ALL_SLS = IntStream.range(0, 16).boxed().toList();
    private static final List<String> LEVELS = List.of("error", "warn");

    private final SmObserver observer;
    private final PortMetrics ports;
    private final HttpCounts https;
    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter writer = PrometheusTextFormatWriter.builder()
            .setIncludeCreatedTimestamps(false)
            .build();

    public Metrics(SmObserver observer, HttpCounts https) {
        this.observer = observer;
        ports = new PortMetrics(observer);
        this.https = https;
        registry.register(this);
        JvmMetrics.builder().register(registry);
    }

    /** Returns the metrics of ports, which have an address of their own. */
    public PortMetrics ports() {
        return ports;
    }

    /** Returns the reply to a scrape. */
    public Reply scrape() {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try {
            writer.write(out, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException("memory takes the writes", e);
        }
        return Reply.data(PrometheusTextFormatWriter.CONTENT_TYPE, out.toByteArray());
    }

    @Override
    public MetricSnapshots collect() {
        SmStatistics statistics = observer.statistics();
        MetricsBuilder page = new MetricsBuilder(subnet(statistics));
        FabricState state = observer.state();
        PublishedView view = state.view();
        PlacedSubnet seen = state.visibleSubnet();
        List<Condition> conditions = Condition.all(observer);
        page.info("build", "The version that runs", Labels.of("version", observer.version()));
        page.gauge("subnet_up", "Whether a subnet is published", view != null);
        if (statistics != null) {
            StatisticsMetrics.add(page, statistics, view != null);
        }
        DriftReport drift = observer.drift();
        page.counter("drift_reads", "Responses of devices to reads of their tables", drift.reads());
        page.counter("drift_differences", "Entries that were not as they had been written", drift.differences());
        page.gauge(
                "drifted_devices",
                "Devices that differed and have not been seen in order since",
                drift.openDrifts().size());
        page.gauges(
                "drained",
                "Switches and cables that are kept out of use, by cause",
                List.of(Drains.Cause.values()),
                cause -> observer.drains().stream()
                        .filter(drain -> drain.cause() == cause)
                        .count(),
                cause -> Labels.of("cause", MetricsBuilder.lower(cause)));
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
            page.gauge(
                    "fallback_engine",
                    "Whether an engine other than the first of routing_engine routes",
                    state.fallback().isPresent());
            routes(page, view.plan().degradation().orElse(null));
            sls(page, observer.slVerdicts(0));
        }
        return page.snapshots();
    }

    /** Returns the labels that identify the subnet. Their values are unknown before the SM starts. */
    private static Labels subnet(@Nullable SmStatistics statistics) {
        return statistics == null ? Labels.EMPTY : Labels.of("subnet_prefix", Guid.format(statistics.subnetPrefix()));
    }

    private static void routing(MetricsBuilder page, FabricState state) {
        page.gauges(
                "routing_state",
                "1 for the state that routing is in",
                List.of(RoutingState.values()),
                each -> each == state.routing() ? 1 : 0,
                each -> Labels.of("state", MetricsBuilder.lower(each)));
        Instant since = state.routesActiveSince();
        if (since != null) {
            Duration age = Duration.between(since, Instant.now());
            page.gauge("plan_age_seconds", "Age of the active routes", age.toMillis() * MS);
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

    private static void safeSls(MetricsBuilder page, String name, String help, List<Integer> sls) {
        page.gauges(name, help, ALL_SLS, sl -> sls.contains(sl) ? 1 : 0, sl -> Labels.of("sl", sl.toString()));
    }

    private static void sls(MetricsBuilder page, @Nullable SlVerdicts sls) {
        if (sls != null) {
            safeSls(
                    page,
                    "sl_safe",
                    "Whether all packets of hosts may have this SL without a credit loop, even against path records",
                    sls.safeSls());
            safeSls(
                    page,
                    "sl_safe_beside_path_records",
                    "Whether some connections may have this SL while others follow path records",
                    sls.safeBesidePathRecords());
            page.gauge("any_sl_safe", "Whether hosts may send with any SLs without a credit loop", sls.anySl());
        }
    }

    private static void inventory(MetricsBuilder page, Inventory inventory, PlacedSubnet seen) {
        List<Difference> differences = inventory.differencesOf(seen.fabric());
        page.gauge(
                "inventory_accepted",
                "Whether a fabric was accepted as the one that is meant",
                !inventory.expected().isEmpty());
        page.gauges(
                "inventory_differences",
                "What differs from the fabric that was accepted",
                List.of(Difference.DifferenceType.values()),
                kind -> differences.stream().filter(each -> each.kind() == kind).count(),
                kind -> Labels.of("kind", kind.label()));
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
                "absent_hosts",
                "Hosts that were there and are not",
                absences.devices(seen.fabric()).stream()
                        .filter(device -> !device.end().isSwitch())
                        .count());
        page.gauge(
                "absent_cables",
                "Cables that were there and are not",
                absences.cables().size());
        Optional<TorusState> lattice = TorusState.of(seen);
        page.gauge(
                "missing_switches",
                "Places of a torus without a switch; on other fabrics switches that were there and are not",
                lattice.isPresent()
                        ? lattice.get().missingSwitches()
                        : absences.switches(seen.fabric()).size());
        page.gauge(
                "missing_links",
                "Neighbours of a torus without a cable between them; on other fabrics cables between switches that"
                        + " were there and are not",
                lattice.isPresent()
                        ? lattice.get().missingLinks()
                        : absences.cables().stream()
                                .filter(LostCable::isBetweenSwitches)
                                .count());
        lattice.ifPresent(torus -> torus(page, torus));
    }

    private static void torus(MetricsBuilder page, TorusState torus) {
        List<Ring> kinds = new ArrayList<>();
        for (int d = 0; d < TorusState.DIMENSIONS.size(); d++) {
            for (RingState state : RingState.values()) {
                kinds.add(new Ring("", d, 0, state, List.of()));
            }
        }
        page.gauges(
                "rings",
                "Rings (lines of a mesh) by dimension: thinned ones lost parallel cables, open ones have one gap, cut"
                        + " ones more",
                kinds,
                kind -> torus.rings().stream()
                        .filter(ring -> ring.dimension() == kind.dimension() && ring.state() == kind.state())
                        .count(),
                kind -> Labels.of(
                        "dimension",
                        TorusState.DIMENSIONS.get(kind.dimension()),
                        "state",
                        MetricsBuilder.lower(kind.state())));
    }
}
