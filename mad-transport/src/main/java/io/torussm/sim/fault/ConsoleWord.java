package io.torussm.sim.fault;

/**
 * A word of the console.
 *
 * @param name name without regard to case
 * @param usage how the line is written
 * @param meaning explanation in one line
 * @param parser converts a line of this word to an action
 */
record ConsoleWord(String name, String usage, String meaning, Parser parser) {
    /** Makes an action of a line; looks at nothing that can change. */
    @FunctionalInterface
    interface Parser {
        Action parse(ConsoleLine line) throws BadLineException;
    }

    /**
     * Executes the action on the loop. May throw IllegalArgumentException and IllegalStateException with a message
     * for the operator.
     */
    @FunctionalInterface
    interface Action {
        ConsoleReply run();
    }

    /** Returns an action without a text in response. */
    static Action doing(Runnable action) {
        return () -> {
            action.run();
            return ConsoleReply.DONE;
        };
    }
}
