package io.torussm.daemon.console;

/** The commands for request lines. Any thread. */
public interface CommandSet {
    /** Executes a line. The response to an unknown or malformed line contains the correct form. */
    Commands.Reply run(String line, Commands.Asker asker);
}
