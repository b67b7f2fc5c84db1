package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.daemon.system.ExitCode;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.torus2qos.planning.ConfSuggestion;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm suggest-conf}: writes torus-2QoS.conf for a fabric of which only the cables are known. */
final class SuggestConfCommand implements Subcommand {
    private static final String OUTPUT = "--output";

    @Override
    public String name() {
        return "suggest-conf";
    }

    @Override
    public String synopsis() {
        return "[OPTIONS] TOPOLOGY";
    }

    @Override
    public void describe(CommandSpec spec) {
        TorusSmCommand.addSettings(spec, PlanningWords.ROUTING_SETTINGS);
        PlanningWords.describe(
                spec,
                "Find the torus in a topology, and write a torus-2QoS.conf for it: sizes, seeds, datelines.",
                "Nothing is overwritten. Exit codes: 0 written, 2 bad configuration or usage, or the file is there already,",
                "3 the switches are not cabled as a torus, or it is too damaged to be routed.");
        CommandWords.addText(spec, "FILE", "write it there (default: to standard output)", OUTPUT);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        Path output = CommandWords.path(parsed, OUTPUT);
        PlannedFabric fabric;
        ConfSuggestion suggestion;
        try (ProgressLine progress = ProgressLine.on(err)) {
            progress.begin("finding the torus");
            fabric = PlanningWords.fabric(parsed);
            suggestion = ConfSuggestion.of(
                    fabric.subnet(),
                    fabric.routingOptions(),
                    Runtime.getRuntime().availableProcessors());
        }
        ChainResult routed = suggestion.chainResult();
        PlanningWords.report(fabric, routed == null ? List.of() : routed.findings(), err);
        if (!suggestion.reason().isEmpty()) {
            err.println("torus-sm: " + (routed == null ? "no torus: " : "warning: ") + suggestion.reason());
        }
        if (routed == null) {
            return ExitCode.ROUTING_REFUSED;
        }
        if (output == null) {
            out.print(suggestion.conf());
            out.flush();
        } else {
            byte[] content = suggestion.conf().getBytes(StandardCharsets.UTF_8);
            NewFile.create(output, content, NewFile.PUBLIC_MODE);
        }
        if (!routed.isAccepted()) {
            err.println("torus-sm: the file is what fits best, but the fabric cannot be routed as it is");
            return ExitCode.ROUTING_REFUSED;
        }
        return ExitCode.OK;
    }
}
