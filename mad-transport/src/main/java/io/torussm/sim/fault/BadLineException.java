package io.torussm.sim.fault;

/** The rejection of a line. The message contains reason and remedy. */
public final class BadLineException extends Exception {
    private static final long serialVersionUID = 1;

    /** Creates an exception with reason and remedy. */
    public BadLineException(String message) {
        super(message);
    }
}
