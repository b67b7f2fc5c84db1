package io.torussm.daemon.console.answer;

/** The rejection of invalid arguments. The caller adds the usage of the command. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1;

    /** Creates an exception for the wrong number of words. */
    public UsageException() {
        this("");
    }

    /** Creates an exception whose message names the error. */
    public UsageException(String message) {
        super(message, null, false, false);
    }
}
