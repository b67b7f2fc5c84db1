package io.torussm.transport.datagram;

import java.io.IOException;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Pointer;
import jnr.ffi.annotations.SaveError;
import org.jspecify.annotations.Nullable;

/**
 * The C library's functions for datagrams, with the names and parameters of their manual pages. Public for the code
 * that jnr-ffi generates.
 */
public interface LibC {
    /** Domains and types of socket(2). */
    int AF_UNIX = 1;

    int AF_INET = 2;
    int SOCK_DGRAM = 2;
    int SOCK_CLOEXEC = 0x80000;

    /** Flags of sendmmsg(2) and recvmmsg(2). */
    int MSG_DONTWAIT = 0x40;

    int MSG_NOSIGNAL = 0x4000;

    /** Error numbers that need not be defects. They are equal on all architectures with a JVM. */
    int EPERM = 1;

    int EINTR = 4;
    int EAGAIN = 11;
    int EADDRINUSE = 98;
    int ENOBUFS = 105;
    int ECONNRESET = 104;
    int ENOTCONN = 107;
    int ECONNREFUSED = 111;

    /** Flags of eventfd(2). */
    int EFD_CLOEXEC = 0x80000;

    int EFD_NONBLOCK = 0x800;

    @SaveError
    int socket(int domain, int type, int protocol);

    @SaveError
    int bind(int fd, Pointer address, int addressLength);

    @SaveError
    int connect(int fd, Pointer address, int addressLength);

    @SaveError
    long sendto(int fd, Pointer message, long length, int flags, Pointer address, int addressLength);

    @SaveError
    int recvmmsg(int fd, Pointer messages, int count, int flags, @Nullable Pointer timeout);

    @SaveError
    int sendmmsg(int fd, Pointer messages, int count, int flags);

    @SaveError
    int ppoll(Pointer descriptors, long count, @Nullable Pointer timeout, @Nullable Pointer signals);

    @SaveError
    int eventfd(int initial, int flags);

    @SaveError
    long write(int fd, Pointer buffer, long length);

    long read(int fd, Pointer buffer, long length);

    int close(int fd);

    /**
     * Returns the C library of this process.
     *
     * @throws IOException if the native part of jnr-ffi cannot be loaded
     */
    static LibC load() throws IOException {
        try {
            return LibraryLoader.create(LibC.class).searchDefault().load();
        } catch (LinkageError e) {
            throw new IOException("the native part of jnr-ffi cannot be loaded: " + e.getMessage(), e);
        }
    }
}
