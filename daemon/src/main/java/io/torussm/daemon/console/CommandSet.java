package io.torussm.daemon.console;

/** The executor of request lines of a console. Any thread. */
public interface CommandSet {
    /**
     * Executes a line.
     *
     * @param line name of a command and its arguments
     * @param asker user and connection that sent the line
     * @return response; for an unknown or malformed line, the correct form
     */
    Commands.Reply run(String line, Commands.Requester asker);
}
