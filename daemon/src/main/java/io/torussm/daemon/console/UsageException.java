package io.torussm.daemon.console;

/** The rejection of invalid arguments. The caller adds the usage of the command. */
final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** The wrong number of words. */
    UsageException() {
        this("");
    }

    /** Creates an exception whose message names the error. */
    UsageException(String what) {
        super(what, null, false, false);
    }
}
