package io.torussm.sim.fault;

/** The rejection of a line. The message contains reason and remedy. */
public final class BadLineException extends Exception {
    private static final long serialVersionUID = 1;

    /** Creates the error of a line that is wrong in one way. */
    public BadLineException(String message) {
        super(message);
    }
}
