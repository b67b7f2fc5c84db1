package io.torussm.transport.umad;

import io.torussm.transport.TransportException;

/** The temporary absence of a usable port, such as an adapter without its driver or a link that is down. */
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
