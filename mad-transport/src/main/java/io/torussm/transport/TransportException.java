package io.torussm.transport;

/** The failure to open a transport, or its final loss. The message names cause and remedy for the operator. */
public class TransportException extends Exception {
    private static final long serialVersionUID = 1L;

    public TransportException(String message) {
        super(message);
    }

    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
