package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Engines;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.event.Finding;
import io.torussm.routing.EngineSetting;
import io.torussm.sim.shape.TopologySpec;
import java.io.PrintStream;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** The common part of commands about a planned topology. */
final class PlanningWords {
    /** The word that names the fabric. */
    static final String TOPOLOGY = "TOPOLOGY";

    /** The settings that engines get; QoS is on. */
    static final List<Setting<?>> ROUTING_SETTINGS = List.of(Settings.LMC, Settings.MAX_OP_VLS);

    /** The settings that affect routing. */
    private static final List<Setting<?>> SETTINGS = Stream.concat(
                    Stream.of(Settings.ROUTING_ENGINE, Settings.TORUS_CONFIG), ROUTING_SETTINGS.stream())
            .toList();

    private PlanningWords() {}

    /** Adds the settings, also of engines, the topology, and the help texts, for a command that routes. */
    static void describeRouting(CommandSpec spec, String description, String... footer) {
        TorusSmCommand.addSettings(spec, SETTINGS);
        describe(spec, description, footer);
        Set<String> ofEngines = Engines.ALL.stream()
                .flatMap(engine -> engine.settings().stream())
                .map(EngineSetting::key)
                .collect(Collectors.toSet());
        TorusSmCommand.addOptions(
                spec,
                Settings.all().stream()
                        .filter(setting -> ofEngines.contains(setting.key()) && !SETTINGS.contains(setting))
                        .toList());
    }

    /** Adds the topology and the help texts. */
    static void describe(CommandSpec spec, String description, String... footer) {
        spec.usageMessage().description(description).footer(footer);
        CommandWords.addWord(spec, 0, TOPOLOGY, "output of ibnetdiscover, as a file; or " + TopologySpec.GRAMMAR);
    }

    /** Refuses the choice of engines where all of them, or others, route. */
    static void refuseEngines(ParseResult parsed, String mode) throws ConfigurationException {
        if (parsed.hasMatchedOption(mode)) {
            UnusedOptions.refuse(
                    parsed, mode, List.of(Settings.ROUTING_ENGINE.options().get(1)));
        }
    }

    /** Prints the warning about the file, the assumptions, and the findings of engines. */
    static void report(PlannedFabric fabric, List<Finding> findings, PrintStream err) {
        warn(fabric.warning(), err);
        fabric.notes().forEach(note -> err.println("torus-sm: note: " + note));
        report(findings, err);
    }

    /** Prints a warning, unless it is empty. */
    static void warn(String warning, PrintStream err) {
        if (!warning.isEmpty()) {
            err.println("torus-sm: warning: " + warning);
        }
    }

    /** Prints the findings of engines, but for the good ones. */
    static void report(List<Finding> findings, PrintStream err) {
        for (Finding finding : findings) {
            if (finding.severity() != Finding.Severity.INFO) {
                err.println("torus-sm: " + (finding.severity() == Finding.Severity.WARNING ? "warning: " : "")
                        + finding.text());
            }
        }
    }

    /** Returns the fabric that the words name. */
    static PlannedFabric fabric(ParseResult parsed) throws ConfigurationException {
        return PlannedFabric.read(TorusSmCommand.planningOptions(parsed), TorusSmCommand.hasRoutingChoice(parsed));
    }
}
