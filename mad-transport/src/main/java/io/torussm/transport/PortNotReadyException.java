package io.torussm.transport;

/**
 * There is no port to work through yet, but there may be one later: an adapter whose driver is loaded, a link
 * that comes up.
 */
public final class PortNotReadyException extends TransportException {
    private static final long serialVersionUID = 1L;

    /** Reports the missing condition, with a remedy if it does not appear without the operator. */
    public PortNotReadyException(String message) {
        super(message);
    }

    /** Reports the missing condition with the error of the system. */
    public PortNotReadyException(String message, Throwable cause) {
        super(message, cause);
    }
}
