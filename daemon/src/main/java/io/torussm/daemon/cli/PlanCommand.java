package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.dump.Dumps;
import io.torussm.daemon.planning.EngineComparison;
import io.torussm.daemon.planning.FabricReport;
import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.daemon.planning.WhatIf;
import io.torussm.daemon.planning.WorstCase;
import io.torussm.daemon.system.ExitCode;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.event.Finding;
import io.torussm.routing.Plan;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm plan}: routes and proves a planned topology, and reports the losses that it tolerates. */
final class PlanCommand implements Subcommand {
    private static final String QUICK = "--quick";
    private static final String COMPARE = "--compare";
    private static final String SL_MAP = "--sl-map";
    private static final String WORST_CASE = "--worst-case";

    /** Up to this number all single failures are simulated: those in an 8x8x8 torus and more. */
    private static final int MAX_FAILURES_WITHOUT_SAMPLING = 4096;

    /**
     * The JSON output of the command.
     *
     * @param worstCase the permutation of hosts with the highest load; null without --worst-case
     * @param spare the losses that each dimension tolerates; empty with --quick
     * @param fatal single failures that stop routing; empty with --quick
     * @param degraded single failures after which the first engine refuses and the rest is routed in another
     *     way; empty with --quick
     * @param seeds warnings about single failures that leave no seed of torus-2QoS.conf
     */
    public record Answer(
            FabricReport report,
            @Nullable WorstCase worstCase,
            List<FabricReport.Spare> spare,
            List<WhatIf.Outcome> fatal,
            List<WhatIf.Outcome> degraded,
            List<String> seeds) {}

    @Override
    public String name() {
        return "plan";
    }

    @Override
    public String synopsis() {
        return "[OPTIONS] TOPOLOGY";
    }

    @Override
    public void describe(CommandSpec spec) {
        PlanningWords.describeRouting(
                spec,
                "Route a topology as the SM would, prove it, and report hops, loads, SLs, and tolerated losses.",
                "Exit codes: 0 routed, 2 bad configuration or usage, 7 routing refused.");
        CommandWords.addFlag(spec, "leave out what can be lost, which takes a routing for each failure", QUICK);
        CommandWords.addFlag(spec, "print all engines side by side: proof, lanes, hops, loads and time", COMPARE);
        CommandWords.addText(
                spec, "FILE", "write the SLs of all pairs of hosts, as torus-smctl sl-map does, to this file", SL_MAP);
        CommandWords.addFlag(
                spec,
                "add the load of the busiest cable if each host sends to one other, at worst; up to "
                        + WorstCase.MAX_HOSTS + " hosts",
                WORST_CASE);
        CommandWords.addJson(spec);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        UnusedOptions.allowOnly(parsed, COMPARE, CommandWords.JSON);
        PlanningWords.refuseEngines(parsed, COMPARE);
        try (ProgressLine progress = ProgressLine.on(err)) {
            return run(parsed, progress, out, err);
        }
    }

    private static ExitCode run(ParseResult parsed, ProgressLine progress, PrintStream out, PrintStream err)
            throws ConfigurationException {
        progress.begin("routing");
        PlannedFabric fabric = PlanningWords.fabric(parsed);
        if (parsed.hasMatchedOption(COMPARE)) {
            return compare(parsed, fabric, progress, out, err);
        }
        // one part each: failures are played side by side
        var chain = fabric.chain(1);
        ChainResult result = chain.route(fabric.subnet(), fabric.routingOptions());
        progress.end();
        PlanningWords.report(fabric, result.findings(), err);
        Plan plan = result.plan();
        if (plan == null) {
            err.println("torus-sm: routing refused; there is nothing to plan with");
            return ExitCode.ROUTING_REFUSED;
        }
        List<Finding> seedWarnings = fabric.seedWarnings(plan);
        PlanningWords.report(seedWarnings, err);
        List<String> seeds = seedWarnings.stream().map(Finding::text).toList();
        if (parsed.hasMatchedOption(SL_MAP)) {
            writeSlMap(plan, parsed.matchedOptionValue(SL_MAP, ""));
        }
        progress.begin("paths and SLs");
        FabricReport report = FabricReport.of(result, fabric.routingOptions());
        WorstCase worst = parsed.hasMatchedOption(WORST_CASE) ? worstCase(plan) : null;
        if (parsed.hasMatchedOption(QUICK)) {
            progress.end();
            print(parsed, new Answer(report, worst, List.of(), List.of(), List.of(), seeds), List.of(), out);
            return ExitCode.OK;
        }
        WhatIf whatIf = new WhatIf(plan, result.verdict(), chain, fabric.routingOptions(), progress);
        List<Failure> cables = Failure.everyCable(plan);
        List<Failure> switches = Failure.everySwitch(plan);
        progress.beginFailures();
        List<WhatIf.Outcome> sample =
                cables.size() + switches.size() > MAX_FAILURES_WITHOUT_SAMPLING ? whatIf.spareBySymmetry() : List.of();
        if (!sample.isEmpty()) {
            progress.end();
            err.println("torus-sm: note: of " + (cables.size() + switches.size())
                    + " single failures, which differ in a whole torus only by their place, " + sample.size()
                    + " are played");
        }
        List<WhatIf.Outcome> cableLosses =
                sample.isEmpty() ? whatIf.outcomes(cables) : Collections.nCopies(cables.size(), sample.get(0));
        List<WhatIf.Outcome> switchLosses =
                sample.isEmpty() ? whatIf.outcomes(switches) : Collections.nCopies(switches.size(), sample.get(0));
        List<WhatIf.Outcome> losses =
                Stream.concat(switchLosses.stream(), cableLosses.stream()).toList();
        List<FabricReport.Spare> spare = FabricReport.spare(plan, switchLosses, cables, cableLosses);
        List<WhatIf.Outcome> fatal =
                losses.stream().filter(loss -> !loss.isRouted()).toList();
        List<WhatIf.Outcome> degraded = losses.stream()
                .filter(loss -> loss.isRouted() && !loss.isWhole())
                .toList();
        progress.end();
        Answer answer = new Answer(report, worst, spare, fatal, degraded, seeds);
        print(parsed, answer, FabricReport.spareLines(spare, losses), out);
        return ExitCode.OK;
    }

    private static WorstCase worstCase(Plan plan) throws ConfigurationException {
        try {
            return WorstCase.of(plan);
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("option --worst-case: " + e.getMessage()));
        }
    }

    private static void writeSlMap(Plan plan, String file) throws ConfigurationException {
        try {
            Dumps.writeSlMap(plan, 0, 0, Path.of(file));
        } catch (InvalidPathException | IOException e) {
            throw new ConfigurationException(List.of("option --sl-map: cannot write " + file + " (" + e + ")"));
        }
    }

    private static ExitCode compare(
            ParseResult parsed, PlannedFabric fabric, ProgressLine progress, PrintStream out, PrintStream err) {
        EngineComparison comparison = EngineComparison.of(fabric, engine -> progress.begin("routing with " + engine));
        progress.end();
        PlanningWords.report(fabric, List.of(), err);
        if (CommandWords.isJson(parsed)) {
            CommandWords.printJson(comparison, out);
        } else {
            comparison.lines().forEach(out::println);
        }
        return comparison.rows().stream().allMatch(row -> row.proof() == EngineComparison.Proof.REFUSED)
                ? ExitCode.ROUTING_REFUSED
                : ExitCode.OK;
    }

    private static void print(ParseResult parsed, Answer answer, List<String> spareLines, PrintStream out) {
        if (CommandWords.isJson(parsed)) {
            CommandWords.printJson(answer, out);
        } else {
            answer.report.lines().forEach(out::println);
            if (answer.worstCase != null) {
                out.println();
                answer.worstCase.lines().forEach(out::println);
            }
            if (!spareLines.isEmpty()) {
                out.println();
                spareLines.forEach(out::println);
            }
        }
    }
}
