package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.config.Settings;
import io.torussm.daemon.config.SmOptions;
import io.torussm.daemon.config.files.ConfigurationCheck;
import io.torussm.daemon.config.files.ServiceAccount;
import io.torussm.daemon.console.answer.Printable;
import io.torussm.daemon.log.LogProvider;
import io.torussm.daemon.log.LogSetup;
import io.torussm.daemon.process.Daemon;
import io.torussm.daemon.shadow.service.ShadowService;
import io.torussm.daemon.sm.SubnetManager;
import io.torussm.daemon.sm.SubnetManagerService;
import io.torussm.daemon.system.ExitCode;
import io.torussm.daemon.system.Version;
import io.torussm.event.Spelling;
import io.torussm.transport.TransportException;
import io.torussm.transport.umad.UmadTransport;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import picocli.CommandLine;

/** {@code torus-sm}. */
public final class Main {
    /** Longer words are shortened in complaints. */
    private static final int MAX_WORD_LENGTH = 64;

    private static final int MAX_PROPOSALS = 4;

    private Main() {}

    public static void main(String[] arguments) throws InterruptedException {
        LogProvider.install();
        System.exit(run(arguments, System.out, System.err).number());
    }

    /** Runs the command of the arguments. */
    static ExitCode run(String[] arguments, PrintStream out, PrintStream err) throws InterruptedException {
        return run(arguments, Main::service, out, err);
    }

    /** Returns the subnet manager that the options ask for. */
    static SubnetManagerService service(SmOptions options, SubnetManagerService.Host host)
            throws TransportException, ConfigurationException {
        return options.shadow().isShadow() ? ShadowService.open(options, host) : SubnetManager.open(options, host);
    }

    /**
     * Parses, checks, and runs the daemon.
     *
     * @param services makes the subnet manager
     */
    static ExitCode run(String[] given, SubnetManagerService.Factory services, PrintStream out, PrintStream err)
            throws InterruptedException {
        String[] arguments = OptionGroups.canonical(given);
        CommandLine commandLine = TorusSmCommand.commandLine(List.of(arguments));
        try {
            CommandLine.ParseResult parsed = TorusSmCommand.parse(commandLine, arguments);
            CommandLine.ParseResult word = parsed.subcommand();
            if (parsed.isUsageHelpRequested() || (word != null && word.isUsageHelpRequested())) {
                CommandLine.ParseResult asked = word == null ? parsed : word;
                asked.commandSpec().commandLine().usage(out, CommandLine.Help.Ansi.OFF);
                return ExitCode.OK;
            }
            if (commandLine.isVersionHelpRequested()) {
                out.println(Version.TEXT);
                return ExitCode.OK;
            }
            if (word != null) {
                return TorusSmCommand.subcommand(parsed).run(word, out, err);
            }
            if (!parsed.hasMatchedOption(Settings.SIMULATE.options().get(0))) {
                UmadTransport.preload();
            }
            TorusSmCommand.Request request = TorusSmCommand.request(parsed);
            if (request.isCheckOnly()) {
                SmOptions options = request.parameters().options();
                List<String> warnings = new ArrayList<>(ConfigurationCheck.warnings(options));
                ServiceAccount.ifRoot()
                        .ifPresent(account ->
                                warnings.addAll(ConfigurationCheck.unreadable(account, request.file(), options)));
                warnings.forEach(warning -> err.println("torus-sm: warning: " + warning));
                out.println("torus-sm: the configuration is good");
                return ExitCode.OK;
            }
            LogSetup.apply(request.parameters().options().log());
            return new Daemon(request.parameters(), services, out, err).run();
        } catch (CommandLine.ParameterException e) {
            reportUsageError(e, err);
            return ExitCode.BAD_CONFIGURATION;
        } catch (ConfigurationException e) {
            e.problems().forEach(problem -> err.println("torus-sm: " + problem));
            return ExitCode.BAD_CONFIGURATION;
        }
    }

    /** Prints the fault of a command line, the words that may be meant, and the command that lists all of them. */
    private static void reportUsageError(CommandLine.ParameterException e, PrintStream err) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        List<String> unmatched =
                e instanceof CommandLine.UnmatchedArgumentException wrong ? wrong.getUnmatched() : List.of();
        if (unmatched.isEmpty()) {
            err.println("torus-sm: " + e.getMessage());
            err.println(name + " --help lists the options");
            return;
        }
        String word = unmatched.get(0);
        Set<String> commands = command.getSubcommands().keySet();
        boolean isOption = word.startsWith("-");
        String kind = isOption ? "option " : commands.isEmpty() ? "argument " : "command ";
        err.println("torus-sm: " + (command.getParent() == null ? "" : command.getCommandName() + ": ") + "there is no "
                + kind + Printable.text(word, MAX_WORD_LENGTH));
        List<String> similar = isOption ? optionsLike(word, command) : Spelling.suggestions(word, commands);
        if (!similar.isEmpty()) {
            err.println(
                    "Did you mean: " + similar.stream().limit(MAX_PROPOSALS).collect(Collectors.joining(" or ")) + "?");
        }
        err.println(name + " --help lists " + (commands.isEmpty() ? "" : "commands and ") + "options");
    }

    private static List<String> optionsLike(String word, CommandLine command) {
        return Spelling.suggestions(
                word.replaceFirst("=.*", ""),
                command.getCommandSpec().optionsMap().keySet().stream()
                        .filter(option -> option.startsWith("--"))
                        .toList());
    }
}
