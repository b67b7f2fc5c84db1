package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.console.fabric.ExplainPath;
import io.torussm.daemon.planning.FabricReport;
import io.torussm.daemon.planning.OfflineRouting;
import io.torussm.daemon.system.ExitCode;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.view.FabricState;
import io.torussm.view.PublishedView;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm path}: explains a path through a topology that is only written down. */
final class PathCommand implements Subcommand {
    /** The settings that affect routing; the others have no meaning offline. */
    private static final List<Setting<?>> SETTINGS = List.of(
            Settings.SIMULATE,
            Settings.SIM_HOST,
            Settings.ROUTING_ENGINE,
            Settings.TORUS_CONFIG,
            Settings.QOS,
            Settings.LMC,
            Settings.MAX_OP_VLS);

    @Override
    public String name() {
        return "path";
    }

    @Override
    public String synopsis() {
        return "[OPTIONS] SRC DST [LEVEL]";
    }

    @Override
    public void describe(CommandSpec spec) {
        TorusSmCommand.addSettings(spec, SETTINGS);
        spec.usageMessage()
                .description(
                        "Explain the path from SRC to DST on the fabric of --simulate, hop by hop. Needs no port, and "
                                + "no running daemon.")
                .footer(
                        "SRC and DST: node name, GUID, LID, or place of a switch: x,y,z.",
                        "Exit codes: 0 path explained, 2 bad configuration or usage, 7 routing refused.");
        CommandWords.addWord(spec, 0, "SRC", "where packets come from");
        CommandWords.addWord(spec, 1, "DST", "where they go");
        CommandWords.addOptionalWord(
                spec, 2, "LEVEL", "SL wanted, 0 to 15, or both for both QoS levels; 0 if not given");
    }

    /**
     * Routes and explains: the path to {@code out}, everything else to {@code err}.
     *
     * @throws ConfigurationException if options or files cannot be used
     */
    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        SmOptions options = TorusSmCommand.options(parsed);
        String source = parsed.matchedPositionalValue(0, "");
        String destination = parsed.matchedPositionalValue(1, "");
        int[] levels = ExplainPath.levels(parsed.matchedPositionalValue(2, "0"));
        if (levels.length == 0) {
            throw new ConfigurationException(List.of("LEVEL must be 0 to 15, or both"));
        }
        OfflineRouting.Outcome outcome = OfflineRouting.route(options);
        PublishedView view = outcome.view();
        PlanningWords.warn(outcome.warning(), err);
        PlanningWords.report(outcome.findings(), err);
        if (view == null) {
            err.println("torus-sm: routing refused; there is no path to explain");
            return ExitCode.ROUTING_REFUSED;
        }
        SlVerdicts sls =
                FabricReport.sls(view.plan(), view.multicast(), options.sweep().routingOptions());
        ExplainPath.Explanation explanation =
                new ExplainPath(view, FabricState.of(view, Instant.EPOCH), sls).explain(source, destination, levels);
        explanation.lines().forEach(line -> {
            if (explanation.isGood()) {
                out.println(line);
            } else {
                err.println("torus-sm: " + line);
            }
        });
        return explanation.isGood() ? ExitCode.OK : ExitCode.BAD_CONFIGURATION;
    }
}
