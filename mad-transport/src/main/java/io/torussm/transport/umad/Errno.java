package io.torussm.transport.umad;

/** The error numbers of Linux that umad devices answer with. */
final class Errno {
    static final int EPERM = 1;
    static final int ENOENT = 2;
    static final int EIO = 5;
    static final int ENXIO = 6;
    static final int EBADF = 9;
    static final int EAGAIN = 11;
    static final int EACCES = 13;
    static final int EBUSY = 16;
    static final int ENODEV = 19;

    private Errno() {}

    static String describe(int errno) {
        return switch (errno) {
            case EPERM -> "operation not permitted";
            case ENOENT -> "no such file or directory";
            case EIO -> "input/output error";
            case ENXIO -> "no such device or address";
            case EBADF -> "bad file descriptor";
            case EAGAIN -> "resource temporarily unavailable";
            case EACCES -> "permission denied";
            case EBUSY -> "device or resource busy";
            case ENODEV -> "no such device";
            default -> "errno " + errno;
        };
    }
}
