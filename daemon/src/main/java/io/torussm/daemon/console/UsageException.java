package io.torussm.daemon.console;

/** A command was given something that it does not understand; who called it adds how it is used. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The wrong number of words. */
    UsageException() {
        this("");
    }

    /** The message says what is wrong. */
    UsageException(String what) {
        super(what, null, false, false);
    }
}
