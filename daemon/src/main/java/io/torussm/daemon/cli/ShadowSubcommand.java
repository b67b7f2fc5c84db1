package io.torussm.daemon.cli;

import io.torussm.daemon.assembly.LiveSettings;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Setting;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.control.ShadowReport;
import io.torussm.daemon.shadow.OfflineShadow;
import io.torussm.daemon.shadow.ShadowPage;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.Version;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.PositionalParamSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code torus-sm shadow}: proves the tables in files of a fabric under another SM, and reports the changes
 * of a takeover.
 */
final class ShadowSubcommand implements Subcommand {
    private static final String HTML = "--html";
    private static final List<Setting<?>> SETTINGS =
            List.of(Settings.ROUTING_ENGINE, Settings.TORUS_CONFIG, Settings.QOS, Settings.LMC, Settings.MAX_OP_VLS);

    @Override
    public String name() {
        return "shadow";
    }

    @Override
    public String synopsis() {
        return "[OPTIONS] FILE|DIR...";
    }

    @Override
    public void describe(CommandSpec spec) {
        TorusSmCommand.addSettings(spec, SETTINGS);
        spec.usageMessage()
                .description(
                        "Report on the fabric of another SM from files, as torus-sm --shadow does: the proof of its"
                                + " tables, the changes of a takeover by this SM, and, for several files, the changes from"
                                + " one to the next.")
                .footer(
                        "Exit codes: 0 tables are proved and a takeover changes none, 1 not so, 2 bad configuration or"
                                + " usage,",
                        "3 this SM would not route the fabric.");
        spec.addPositional(PositionalParamSpec.builder()
                .index("0..*")
                .arity("1..*")
                .required(true)
                .type(String[].class)
                .paramLabel("FILE|DIR")
                .description(
                        "a snapshot that torus-sm --shadow wrote, a capture of MADs, or a directory of OpenSM's dumps;"
                                + " several in the order of their making")
                .build());
        CommandWords.addText(spec, "FILE", "write a page for browsers; nothing is overwritten", HTML);
        CommandWords.addJson(spec);
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        SmOptions options = TorusSmCommand.takeoverOptions(parsed);
        Path page = CommandWords.newFile(parsed, HTML);
        List<Path> files = new ArrayList<>();
        for (String name : parsed.matchedPositionalValue(0, new String[0])) {
            files.add(CommandWords.path(name));
        }
        ShadowReport report = OfflineShadow.of(files, options, new LiveSettings(options).names());
        if (CommandWords.isJson(parsed)) {
            CommandWords.printJson(report, out);
        } else {
            report.lines().forEach(out::println);
        }
        if (page != null) {
            String text = String.join("\n", ShadowPage.of(report, Version.TEXT)) + "\n";
            NewFile.create(page, text.getBytes(StandardCharsets.UTF_8), NewFile.PUBLIC_MODE);
        }
        ShadowReport.Takeover takeover = report.takeover();
        boolean isRouted = takeover != null && takeover.outcome().isEmpty();
        return !isRouted ? ExitCode.ROUTING_REFUSED : report.isGood() ? ExitCode.OK : ExitCode.CHECK_FAILED;
    }
}
