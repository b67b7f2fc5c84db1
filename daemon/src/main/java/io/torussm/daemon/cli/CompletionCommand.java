package io.torussm.daemon.cli;

import io.torussm.daemon.system.ExitCode;
import java.io.PrintStream;
import picocli.AutoComplete;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** {@code torus-sm generate-completion}: the script that completes its command line in bash. */
final class CompletionCommand implements Subcommand {
    @Override
    public String name() {
        return "generate-completion";
    }

    @Override
    public String synopsis() {
        return "";
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.usageMessage().description("Print the completion of torus-sm for bash.");
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) {
        out.print(AutoComplete.bash(TorusSmCommand.NAME, TorusSmCommand.commandLine()));
        out.flush();
        return ExitCode.OK;
    }
}
