package io.torussm.daemon.console;

/** The executor of request lines of a console. Any thread. */
public interface CommandSet {
    /**
     * Executes a line.
     *
     * @param line a command and its arguments
     * @param asker the client, for its permissions and for output that follows later
     * @return the response; to an unknown or malformed line, one with the correct form
     */
    Commands.Reply run(String line, Commands.Asker asker);
}
