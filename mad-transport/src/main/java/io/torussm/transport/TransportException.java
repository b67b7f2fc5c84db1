package io.torussm.transport;

/** A transport cannot be opened or has failed for good; the message names cause and remedy in the operator's words. */
public class TransportException extends Exception {
    private static final long serialVersionUID = 1L;

    public TransportException(String message) {
        super(message);
    }

    public TransportException(String message, Throwable cause) {
        super(message, cause);
    }
}
