package io.torussm.transport.umad;

/** The failure of a call into libibumad or the C library. */
final class ErrnoException extends Exception {
    private static final long serialVersionUID = 1L;

    /** Values of {@code errno} on Linux; they are equal on all architectures with InfiniBand. */
    static final int EPERM = 1;

    static final int ENOENT = 2;
    static final int EINTR = 4;
    static final int EIO = 5;
    static final int ENXIO = 6;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int ENODEV = 19;
    static final int EINVAL = 22;
    static final int EMFILE = 24;
    static final int ENOSPC = 28;
    static final int EPROTONOSUPPORT = 93;
    static final int ETIMEDOUT = 110;

    private final int errno;

    /**
     * Creates an exception.
     *
     * @param call name of the C function
     * @param errno positive error number
     */
    ErrnoException(String call, int errno) {
        super(call + ": " + describe(errno));
        this.errno = errno;
    }

    int errno() {
        return errno;
    }

    private static String describe(int errno) {
        return switch (errno) {
            case EPERM -> "EPERM, not permitted";
            case ENOENT -> "ENOENT, no such file";
            case EINTR -> "EINTR, interrupted";
            case EMFILE -> "EMFILE, too many open files";
            case EIO -> "EIO, input/output error";
            case ENXIO -> "ENXIO, no such device or address";
            case EAGAIN -> "EAGAIN, in use";
            case EACCES -> "EACCES, permission denied";
            case EBUSY -> "EBUSY, in use";
            case ENODEV -> "ENODEV, no such device";
            case EINVAL -> "EINVAL, invalid argument";
            case EPROTONOSUPPORT -> "EPROTONOSUPPORT, protocol not supported";
            case ETIMEDOUT -> "ETIMEDOUT, timed out";
            default -> "errno " + errno;
        };
    }
}
