package io.torussm.sim.fault;

/**
 * What the console says to a line.
 *
 * @param text lines for people, each ended; empty if there is nothing to say, as ibsim says nothing when all went well
 * @param isGood whether what was asked for was done
 * @param pauseNs the time before the next line of the same client is read
 * @param isEnd whether the whole fabric shall end
 */
public record Answer(String text, boolean isGood, long pauseNs, boolean isEnd) {
    /** All went well, and there is no more to say. */
    public static final Answer DONE = new Answer("", true, 0, false);

    /** All went well. */
    public static Answer good(String text) {
        return new Answer(text.isEmpty() || text.endsWith("\n") ? text : text + "\n", true, 0, false);
    }

    /** It was not done; ibsim's console begins such lines with a number sign, so that scripts take them for comments. */
    public static Answer bad(String why) {
        return new Answer("# " + why + "\n", false, 0, false);
    }
}
