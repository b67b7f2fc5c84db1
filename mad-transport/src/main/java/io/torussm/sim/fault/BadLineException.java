package io.torussm.sim.fault;

/** A line that cannot be understood; the message says why, and what to write instead. */
public final class BadLineException extends Exception {
    private static final long serialVersionUID = 1;

    /** A line that is wrong in one way. */
    public BadLineException(String message) {
        super(message);
    }
}
