package io.torussm.daemon.console;

/** A command was given something that it does not understand; who called it adds how it is used. */
final class Misuse extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The wrong number of words. */
    Misuse() {
        this("");
    }

    /** The message says what is wrong. */
    Misuse(String what) {
        super(what, null, false, false);
    }
}
