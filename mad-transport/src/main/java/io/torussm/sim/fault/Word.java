package io.torussm.sim.fault;

/**
 * A word of the console.
 *
 * @param name without regard to case
 * @param usage how the line is written
 * @param meaning in a line
 * @param parser what a line of this word is turned into
 */
record Word(String name, String usage, String meaning, Parser parser) {
    /** Makes an action of a line; looks at nothing that can change. */
    @FunctionalInterface
    interface Parser {
        Action parse(Line line) throws BadLineException;
    }

    /** Done on the loop; may throw IllegalArgumentException and IllegalStateException, with what the operator shall read. */
    @FunctionalInterface
    interface Action {
        Answer run();
    }

    /** What is done without more to say. */
    static Action doing(Runnable action) {
        return () -> {
            action.run();
            return Answer.DONE;
        };
    }
}
