package io.torussm.daemon.cli;

import io.torussm.daemon.access.Users;
import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.system.ExitCode;
import java.io.PrintStream;
import java.security.SecureRandom;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/**
 * {@code torus-sm new-token}: draws a token for a user of HTTPS, and prints the line for the file of users.
 * Stores nothing.
 */
final class NewTokenCommand implements Subcommand {
    @Override
    public String name() {
        return "new-token";
    }

    @Override
    public String synopsis() {
        return "ROLE NAME";
    }

    @Override
    public void describe(CommandSpec spec) {
        spec.usageMessage()
                .description(
                        "Draw a token for a user of https_listen. It is written to standard output, and its line for the file"
                                + " https_users to standard error; it is kept nowhere.");
        CommandWords.addWord(spec, 0, "ROLE", "read, operate or admin");
        CommandWords.addWord(spec, 1, "NAME", "of the user: letters, digits, dots, hyphens, underscores and at signs");
    }

    @Override
    public ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException {
        String token = Users.newToken(new SecureRandom());
        String role = parsed.matchedPositionalValue(0, "");
        String name = parsed.matchedPositionalValue(1, "");
        try {
            String line = Users.tokenLine(role, name, token);
            out.println(token);
            out.flush();
            err.println(line);
            return ExitCode.OK;
        } catch (IllegalArgumentException e) {
            throw new ConfigurationException(List.of(String.valueOf(e.getMessage())));
        }
    }
}
