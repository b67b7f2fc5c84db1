package io.torussm.daemon.planning;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Engines;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.event.Finding;
import io.torussm.routing.Engine;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.file.FileEngine;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The comparison of all engines on one fabric. Tables with credit loops are included.
 *
 * @param rows outcomes, one for each engine
 */
public record EngineComparison(List<Row> rows) {
    /** The extent of the proof of an engine's tables. */
    public enum Proof {
        /** Proved free of credit loops for all packets. */
        ALL,
        /** Proved free of credit loops for packets of hosts and groups only. */
        HOSTS,
        /** Not proved: the tables have a credit loop. */
        NONE,
        /** Without tables: the engine refused the fabric. */
        REFUSED
    }

    /**
     * The outcome of one engine.
     *
     * @param engine name of the engine
     * @param proof extent of the proof
     * @param lanes number of VLs in use between switches; for an engine without SL2VL tables of its own, the number of
     *     SLs of its paths
     * @param meanHops mean number of cables between switches on a path
     * @param maxHops max number of cables between switches on a path
     * @param meanLoad mean number of paths between hosts over a cable, one way
     * @param maxLoad max number of such paths over a cable, one way
     * @param ms duration of routing and proof, in ms
     * @param sls verdicts for hosts that choose other SLs than the engine expects; null without tables
     * @param reason reason of the refusal; empty if the engine made tables
     */
    public record Row(
            String engine,
            Proof proof,
            int lanes,
            double meanHops,
            int maxHops,
            double meanLoad,
            int maxLoad,
            long ms,
            @Nullable SlVerdicts sls,
            String reason) {

        static Row refused(String engine, String reason, long ms) {
            return new Row(engine, Proof.REFUSED, 0, 0, 0, 0, 0, ms, null, reason);
        }

        static Row of(String engine, ChainResult result, RoutingOptions options, long ms) {
            if (!result.isAccepted()) {
                return refused(
                        engine,
                        result.findings().stream()
                                .filter(finding -> finding.severity() == Finding.Severity.ERROR)
                                .map(Finding::text)
                                .findFirst()
                                .orElse(""),
                        ms);
            }
            FabricReport report = FabricReport.of(result, options);
            double paths = report.loads().stream()
                    .mapToDouble(load -> load.mean() * load.directions())
                    .sum();
            return new Row(
                    engine,
                    result.verdict() instanceof Certificate certificate
                            ? certificate.coversSwitchPorts() ? Proof.ALL : Proof.HOSTS
                            : Proof.NONE,
                    Objects.requireNonNull(result.plan()).hasOwnSl2Vl()
                            ? report.vls().size()
                            : report.pairsBySl().size(),
                    report.meanHops(),
                    report.pairsByHops().keySet().stream()
                            .mapToInt(hops -> hops)
                            .max()
                            .orElse(0),
                    report.cables() == 0 ? 0 : paths / (2 * report.cables()),
                    report.loads().stream()
                            .mapToInt(FabricReport.Load::max)
                            .max()
                            .orElse(0),
                    ms,
                    report.sls(),
                    "");
        }

        private String line() {
            String facts = String.format(
                    Locale.ROOT,
                    "%-11s %-8s %5d %9.2f %8d %10.1f %8d %9d  %-8s %s",
                    engine,
                    proof.name().toLowerCase(Locale.ROOT),
                    lanes,
                    meanHops,
                    maxHops,
                    meanLoad,
                    maxLoad,
                    ms,
                    sls == null ? "" : SlVerdicts.ranges(sls.safeSls()),
                    sls == null ? "" : sls.anySl() ? "free" : "loop");
            return proof == Proof.REFUSED
                    ? String.format(
                            Locale.ROOT,
                            "%-11s refused: %s",
                            engine,
                            reason.lines().findFirst().orElse(""))
                    : facts;
        }
    }

    public EngineComparison {
        rows = List.copyOf(rows);
    }

    /**
     * Routes a fabric with every engine. The engine {@code file} takes part only if the options name its file.
     *
     * @param progress receiver of the name of each engine, called before the engine begins
     */
    public static EngineComparison of(PlannedFabric fabric, Consumer<String> progress) {
        List<Row> rows = new ArrayList<>();
        for (Engine engine : Engines.ALL) {
            if (engine.name().equals(FileEngine.NAME) && !fabric.hasSettingsOf(engine)) {
                continue;
            }
            progress.accept(engine.name());
            long start = System.nanoTime();
            try {
                PlannedFabric single = fabric.withEngine(engine);
                ChainResult result = single.chain(Runtime.getRuntime().availableProcessors())
                        .withoutDefault(false)
                        .route(single.subnet(), single.routingOptions());
                long ms = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
                rows.add(Row.of(engine.name(), result, single.routingOptions(), ms));
            } catch (ConfigurationException e) {
                rows.add(Row.refused(
                        engine.name(),
                        String.join("; ", e.problems()),
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start)));
            }
        }
        return new EngineComparison(rows);
    }

    /** Returns the lines for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-11s %-8s %5s %9s %8s %10s %8s %9s  %-8s %s",
                "engine",
                "proved",
                "lanes",
                "mean hops",
                "max hops",
                "mean load",
                "max load",
                "ms",
                "one SL",
                "any SL"));
        rows.forEach(row -> lines.add(row.line()));
        return lines;
    }
}
