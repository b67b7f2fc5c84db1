package io.torussm.daemon.cli;

import io.torussm.daemon.config.ConfigurationException;
import io.torussm.daemon.system.ExitCode;
import java.io.PrintStream;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParseResult;

/** A command of {@code torus-sm} that needs no port and does not run the daemon. */
interface Subcommand {
    /** Returns the word that asks for it. */
    String name();

    /** Returns the words after the name of the command, for help texts. */
    String synopsis();

    /** Adds its options, words and texts to the grammar. */
    void describe(CommandSpec spec);

    /**
     * Does it.
     *
     * @param parsed the command line behind the word
     * @throws ConfigurationException if options or files cannot be used
     */
    ExitCode run(ParseResult parsed, PrintStream out, PrintStream err) throws ConfigurationException;
}
