package io.torussm.daemon.cli;

import io.torussm.daemon.GeneratedPart;
import java.util.Arrays;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Model.OptionSpec;

/** The options of the command line, for the manual page. */
public final class OptionPages {
    private OptionPages() {}

    /** Returns the options of the daemon, then each subcommand with its own. */
    public static String troff() {
        CommandLine daemon = TorusSmCommand.commandLine();
        StringBuilder page = new StringBuilder(".SH OPTIONS\n");
        options(daemon, page);
        page.append(".SH SUBCOMMANDS\n");
        daemon.getSubcommands().forEach((name, command) -> {
            page.append(".SS \"torus\\-sm ").append(GeneratedPart.troff(name));
            command.getCommandSpec().positionalParameters().forEach(word -> page.append(' ')
                    .append(word.required() ? word.paramLabel() : "[" + word.paramLabel() + "]"));
            page.append("\"\n")
                    .append(GeneratedPart.troff(String.join(
                            " ", command.getCommandSpec().usageMessage().description())))
                    .append('\n');
            command.getCommandSpec().positionalParameters().forEach(word -> page.append(".TP\n.I ")
                    .append(word.paramLabel())
                    .append('\n')
                    .append(GeneratedPart.troff(String.join(" ", word.description())))
                    .append('\n'));
            options(command, page);
        });
        return page.toString();
    }

    private static void options(CommandLine command, StringBuilder page) {
        for (OptionSpec option : command.getCommandSpec().options()) {
            if (!option.hidden()) {
                String names = Arrays.stream(option.names())
                        .map(name -> "\\fB" + GeneratedPart.troff(name) + "\\fR")
                        .collect(Collectors.joining(", "));
                String value = option.typeInfo().isBoolean() || option.arity().max() == 0
                        ? ""
                        : " \\fI" + GeneratedPart.troff(option.paramLabel()) + "\\fR";
                page.append(".TP\n")
                        .append(names)
                        .append(value)
                        .append('\n')
                        .append(GeneratedPart.troff(String.join(" ", option.description())))
                        .append('\n');
            }
        }
    }
}
