package io.torussm.sim.fault;

/**
 * A command of the console.
 *
 * @param name first word of its lines, without regard to case
 * @param usage syntax of the line
 * @param meaning explanation in one line
 * @param parser parser of lines with this word
 */
record ConsoleWord(String name, String usage, String meaning, Parser parser) {
    /**
     * A function that converts a line to an action. It reads no mutable state, so that a script can be checked in
     * advance.
     */
    @FunctionalInterface
    interface Parser {
        Action parse(ConsoleLine line) throws BadLineException;
    }

    /** An action of a line, which runs on the loop. */
    @FunctionalInterface
    interface Action {
        /**
         * Executes the action.
         *
         * @throws IllegalArgumentException with a message for the operator
         * @throws IllegalStateException with a message for the operator
         */
        ConsoleReply run();
    }

    /** Returns an action whose response has no text. */
    static Action silentAction(Runnable action) {
        return () -> {
            action.run();
            return ConsoleReply.DONE;
        };
    }
}
