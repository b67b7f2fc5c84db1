package io.torussm.sim;

/** The rejection of a topology file. The message names file, line, text and remedy. */
public final class TopologyException extends Exception {
    private static final long serialVersionUID = 1L;

    TopologyException(String message) {
        super(message);
    }
}
