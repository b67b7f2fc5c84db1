package io.torussm.transport;

/** There is no port to work through yet, but there may be one later: an adapter whose driver is loaded, a link that comes up. */
public final class PortNotReadyException extends TransportException {
    private static final long serialVersionUID = 1L;

    /** Says what is missing, and what an operator can do if it does not come by itself. */
    public PortNotReadyException(String message) {
        super(message);
    }

    /** The same, with what the system said. */
    public PortNotReadyException(String message, Throwable cause) {
        super(message, cause);
    }
}
