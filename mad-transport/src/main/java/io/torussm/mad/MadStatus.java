package io.torussm.mad;

/** Values of the status word of a response (IBA 13.4.7; of an SA 15.2.3), without bit D of directed-route SMPs. */
public final class MadStatus {
    public static final int OK = 0x0000;
    public static final int BUSY = 0x0001;

    /** Redirection required: the response is a ClassPortInfo with the new address. */
    public static final int REDIRECT = 0x0002;

    public static final int UNSUPPORTED_VERSION = 0x0004;
    public static final int UNSUPPORTED_METHOD = 0x0008;
    public static final int UNSUPPORTED_METHOD_ATTRIBUTE = 0x000C;
    public static final int INVALID_FIELD = 0x001C;

    public static final int SA_NO_RESOURCES = 0x0100;
    public static final int SA_REQ_INVALID = 0x0200;
    public static final int SA_NO_RECORDS = 0x0300;
    public static final int SA_TOO_MANY_RECORDS = 0x0400;
    public static final int SA_REQ_INVALID_GID = 0x0500;
    public static final int SA_REQ_INSUFFICIENT_COMPONENTS = 0x0600;
    public static final int SA_REQ_DENIED = 0x0700;

    private MadStatus() {}
}
