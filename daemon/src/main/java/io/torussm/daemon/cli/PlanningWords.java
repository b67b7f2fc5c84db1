package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.json.Json;
import io.torussm.daemon.planning.PlannedFabric;
import io.torussm.event.Finding;
import java.io.PrintStream;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/** What the commands have in common that plan with a topology on paper. */
final class PlanningWords {
    /** The word that names the fabric. */
    static final String TOPOLOGY = "TOPOLOGY";

    /** What decides how a fabric is routed; QoS is taken to be on. */
    private static final List<Setting<?>> SETTINGS =
            List.of(Settings.ROUTING_ENGINE, Settings.TORUS_CONFIG, Settings.LMC, Settings.MAX_OP_VLS);

    private static final String JSON = "--json";

    private PlanningWords() {}

    /** Adds the settings, the topology, and what help says. */
    static void describe(CommandSpec spec, String description, String... footer) {
        TorusSmCommand.addSettings(spec, SETTINGS);
        spec.usageMessage().description(description).footer(footer);
        spec.addPositional(PositionalParamSpec.builder()
                .index("0")
                .arity("1")
                .required(true)
                .type(String.class)
                .paramLabel(TOPOLOGY)
                .description("what ibnetdiscover prints, as a file; or torus:XxYxZ[,hosts=N][,links=N][,mesh=xyz]")
                .build());
    }

    static void addJson(CommandSpec spec) {
        addFlag(spec, "print JSON", JSON);
    }

    static void addFlag(CommandSpec spec, String meaning, String name) {
        spec.addOption(OptionSpec.builder(name)
                .type(boolean.class)
                .arity("0")
                .description(meaning)
                .build());
    }

    static void addText(CommandSpec spec, String label, String meaning, String name) {
        spec.addOption(OptionSpec.builder(name)
                .type(String.class)
                .paramLabel(label)
                .description(meaning)
                .build());
    }

    static boolean wantsJson(ParseResult parsed) {
        return parsed.hasMatchedOption(JSON);
    }

    /** Prints a record as JSON. */
    static void printJson(Object value, PrintStream out) {
        Json.lines(value).forEach(out::println);
    }

    /** Prints what engines found, and what was assumed. */
    static void report(List<String> notes, List<Finding> findings, PrintStream err) {
        notes.forEach(note -> err.println("torus-sm: note: " + note));
        for (Finding finding : findings) {
            if (finding.severity() != Finding.Severity.INFO) {
                err.println("torus-sm: " + (finding.severity() == Finding.Severity.WARNING ? "warning: " : "")
                        + finding.text());
            }
        }
    }

    /** The fabric that the words name. */
    static PlannedFabric fabric(ParseResult parsed) throws ConfigurationException {
        return PlannedFabric.read(TorusSmCommand.planningOptions(parsed), TorusSmCommand.saysHowToRoute(parsed));
    }
}
