package io.torussm.sim.fault;

/**
 * The response of the console to a line.
 *
 * @param text lines for an operator, each with a line end; empty after most successful commands, as with ibsim
 * @param isSuccess true if the command was executed
 * @param pauseNs pause in nanoseconds before the next line of this client is executed
 * @param isEnd true if the whole fabric is to end
 */
public record ConsoleReply(String text, boolean isSuccess, long pauseNs, boolean isEnd) {
    /** Success without text. */
    public static final ConsoleReply DONE = new ConsoleReply("", true, 0, false);

    /** Returns the response to a successful command. A missing line end is added. */
    public static ConsoleReply success(String text) {
        return new ConsoleReply(text.isEmpty() || text.endsWith("\n") ? text : text + "\n", true, 0, false);
    }

    /**
     * Returns the response to a rejected or failed command. It begins with a number sign, as in ibsim, so that a script
     * that reads it skips it as a comment.
     */
    public static ConsoleReply failure(String reason) {
        return new ConsoleReply("# " + reason + "\n", false, 0, false);
    }
}
