package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.planning.Failure;
import io.torussm.daemon.planning.FailureParser;
import io.torussm.daemon.planning.PairReport;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.daemon.planning.SingleReport;
import io.torussm.daemon.planning.WhatIf;
import io.torussm.daemon.planning.WhatIf.Outcome;
import io.torussm.daemon.system.ExitCode;
import io.torussm.deadlock.chain.RoutingChain;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.routing.Plan;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm what-if}: simulates the loss of switches and cables offline. */
final class WhatIfCommand implements Subcommand {
    private static final String FAIL = "--fail";
    private static final String EACH = "--each";
    private static final String EVERY = "--every";
    private static final String PAIRS = "--pairs";
    private static final String LIST = "--list";

    @Override
    public String name() {
        return "what-if";
    }

    @Override
    public String synopsis() {
        return "[OPTIONS] TOPOLOGY";
    }

    @Override
    public void describe(CommandSpec spec) {
        PlanningWords.describeRouting(
                spec,
                "Report the effect of the loss of switches or links: whether the rest can be routed and proved, how many"
                        + " paths change, whether an SL changes.",
                "SPEC: a switch by name, GUID or place x,y,z; a link as SWITCH:PORT, or all links as SWITCH--SWITCH.",
                "Exit codes: 0 all of it can be routed, 2 bad configuration or usage, 7 routing refused.");
        CommandWords.addList(spec, "SPEC", "failed switch or link; given more than once: at the same time", FAIL);
        CommandWords.addText(
                spec,
                "KIND",
                "every switch, every link or all of both, one at a time; of losses that symmetry makes equal,"
                        + " some are played",
                EACH);
        CommandWords.addFlag(spec, "with --each: all are played, as they are for JSON", EVERY);
        CommandWords.addFlag(
                spec,
                "every two failures at the same time, by kinds that are alike in a torus; some of each are played, or"
                        + " all",
                PAIRS);
        CommandWords.addFlag(spec, "name the pairs whose path changes", LIST);
        CommandWords.addJson(spec);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        List<String> specs = parsed.matchedOptionValue(FAIL, List.of());
        String each = parsed.matchedOptionValue(EACH, "");
        boolean isOfPairs = parsed.hasMatchedOption(PAIRS);
        int asked = (specs.isEmpty() ? 0 : 1) + (each.isEmpty() ? 0 : 1) + (isOfPairs ? 1 : 0);
        if (asked != 1) {
            throw new ConfigurationException(
                    List.of("say what fails: --fail SPEC, or --each switch|link|all, or --pairs"));
        }
        if (parsed.hasMatchedOption(EVERY) && each.isEmpty()) {
            throw new ConfigurationException(List.of("option --every: goes with --each"));
        }
        UnusedOptions.allowOnly(parsed, EACH, EVERY, CommandWords.JSON);
        UnusedOptions.allowOnly(parsed, PAIRS, CommandWords.JSON);
        if (CommandWords.isJson(parsed)) {
            UnusedOptions.refuse(parsed, CommandWords.JSON, List.of(LIST));
        }
        try (ProgressLine progress = ProgressLine.on(err)) {
            return simulate(parsed, progress, out, err);
        }
    }

    private static ExitCode simulate(ParseResult parsed, ProgressLine progress, PrintStream out, PrintStream err)
            throws ConfigurationException {
        List<String> specs = parsed.matchedOptionValue(FAIL, List.of());
        String each = parsed.matchedOptionValue(EACH, "");
        progress.begin("routing");
        PlannedFabric fabric = PlanningWords.fabric(parsed);
        RoutingChain chain = fabric.chain(1);
        ChainResult result = chain.route(fabric.subnet(), fabric.routingOptions());
        progress.end();
        PlanningWords.report(fabric, result.findings(), err);
        Plan plan = result.plan();
        if (plan == null) {
            err.println("torus-sm: routing refused as it is; there is nothing to compare with");
            return ExitCode.ROUTING_REFUSED;
        }
        PlanningWords.report(fabric.seedWarnings(plan), err);
        WhatIf whatIf = new WhatIf(plan, result.verdict(), chain, fabric.routingOptions(), progress);
        progress.beginFailures();
        if (parsed.hasMatchedOption(PAIRS)) {
            return pairs(parsed, whatIf, progress, out);
        }
        boolean isJson = CommandWords.isJson(parsed);
        if (!each.isEmpty() && !isJson) {
            List<Failure> failures = failures(each, plan);
            SingleReport report =
                    parsed.hasMatchedOption(EVERY) ? whatIf.simulateAll(failures) : whatIf.singles(failures);
            progress.end();
            report.lines().forEach(out::println);
            return report.isRouted() ? ExitCode.OK : ExitCode.ROUTING_REFUSED;
        }
        List<Outcome> outcomes = each.isEmpty()
                ? List.of(simulateTogether(parsed, specs, plan, whatIf, progress, out))
                : whatIf.outcomes(failures(each, plan));
        progress.end();
        if (isJson) {
            CommandWords.printJson(outcomes, out);
        } else {
            print(outcomes.get(0), out);
        }
        return outcomes.stream().allMatch(Outcome::isRouted) ? ExitCode.OK : ExitCode.ROUTING_REFUSED;
    }

    private static ExitCode pairs(ParseResult parsed, WhatIf whatIf, ProgressLine progress, PrintStream out)
            throws ConfigurationException {
        PairReport report = whatIf.pairs()
                .orElseThrow(() -> new ConfigurationException(List.of(
                        "option --pairs: pairs are played by the symmetry of a torus, and this is none, or one in"
                                + " which a switch or a cable is missing, that does not wrap, or whose switches have"
                                + " different numbers of hosts; name pairs by two --fail")));
        progress.end();
        if (CommandWords.isJson(parsed)) {
            CommandWords.printJson(report, out);
        } else {
            report.lines().forEach(out::println);
        }
        return report.isRouted() ? ExitCode.OK : ExitCode.ROUTING_REFUSED;
    }

    private static Outcome simulateTogether(
            ParseResult parsed, List<String> specs, Plan plan, WhatIf whatIf, ProgressLine progress, PrintStream out)
            throws ConfigurationException {
        FailureParser names = new FailureParser(plan);
        List<Failure> failures = new ArrayList<>();
        try {
            specs.forEach(spec -> failures.add(names.parse(spec)));
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of("option --fail: " + e.getMessage()));
        }
        progress.end(); // pairs are printed as they are found
        boolean isListed = parsed.hasMatchedOption(LIST) && !CommandWords.isJson(parsed);
        return whatIf.of(
                Failure.ofAll(failures),
                isListed
                        ? changed -> out.println(changed.source() + " to " + changed.destination() + ": "
                                + changed.hopsBefore() + " hops, then " + changed.hopsAfter())
                        : null);
    }

    private static List<Failure> failures(String each, Plan plan) throws ConfigurationException {
        return switch (each) {
            case "switch" -> Failure.everySwitch(plan);
            case "link" -> Failure.everyCable(plan);
            case "all" ->
                Stream.concat(Failure.everySwitch(plan).stream(), Failure.everyCable(plan).stream())
                        .toList();
            default -> throw new ConfigurationException(List.of("option --each: must be switch, link or all"));
        };
    }

    private static void print(Outcome outcome, PrintStream out) {
        out.println("without " + outcome.failure() + ":");
        if (!outcome.isRouted()) {
            out.println("  no routes: " + outcome.reason());
            return;
        }
        if (!outcome.degraded().isEmpty()) {
            out.println("  DEGRADED: " + outcome.degraded() + "; " + outcome.refused());
        } else if (!outcome.refused().isEmpty()) {
            out.println("  " + outcome.refused());
        }
        out.println("  " + outcome.proof());
        if (!outcome.isMulticastRouted()) {
            out.println("  no tree for multicast");
        }
        out.printf(
                Locale.ROOT,
                "  paths: %d of %d change, %d are lost with their ends%n",
                outcome.changedPairs(),
                outcome.pairs(),
                outcome.lostPairs());
        out.println("  SLs: "
                + (outcome.changedSls() == 0 ? "none changes" : outcome.changedSls() + " paths have another one"));
        SlVerdicts sls = outcome.sls();
        if (sls != null) {
            sls.lines().forEach(line -> out.println("  " + line));
        }
        out.println("  most loaded cable: " + outcome.maxLoadBefore() + " paths before, " + outcome.maxLoadAfter()
                + " after" + (outcome.mostLoaded().isEmpty() ? "" : ", " + outcome.mostLoaded()));
    }
}
