package io.torussm.sim.topology;

/** The rejection of a topology file. The message names file, line, text and remedy. */
public final class TopologyException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Creates an exception with a message for the operator. */
    public TopologyException(String message) {
        super(message);
    }
}
