package io.torussm.sim;

/** A topology file cannot be used; the message names file, line, what was found there and the remedy. */
public final class TopologyException extends Exception {
    private static final long serialVersionUID = 1L;

    TopologyException(String message) {
        super(message);
    }
}
