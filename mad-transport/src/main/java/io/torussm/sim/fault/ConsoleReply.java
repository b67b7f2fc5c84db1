package io.torussm.sim.fault;

/**
 * The response of the console to a line.
 *
 * @param text lines for people, each ended; empty after success, as of ibsim
 * @param isGood whether the request was executed
 * @param pauseNs the time before the next line of the same client is read
 * @param isEnd whether the whole fabric shall end
 */
public record ConsoleReply(String text, boolean isGood, long pauseNs, boolean isEnd) {
    /** Success without text. */
    public static final ConsoleReply DONE = new ConsoleReply("", true, 0, false);

    /** Returns the reply to a command that succeeded. */
    public static ConsoleReply good(String text) {
        return new ConsoleReply(text.isEmpty() || text.endsWith("\n") ? text : text + "\n", true, 0, false);
    }

    /**
     * Returns the reply to a command that was not executed; ibsim's console begins such lines with a number sign, so
     * that scripts take them for comments.
     */
    public static ConsoleReply bad(String reason) {
        return new ConsoleReply("# " + reason + "\n", false, 0, false);
    }
}
