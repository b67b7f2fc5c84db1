package io.torussm.transport.notify;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.SaveError;

/**
 * Sends datagrams to a socket of the UNIX domain, such as the one that {@code NOTIFY_SOCKET} names, or journald's. Sending
 * never waits. May be used by any thread until it is closed.
 */
public final class UnixDatagramSocket implements AutoCloseable {
    /** The longest message that is sent, in bytes. */
    public static final int MAX_MESSAGE = 1 << 16;

    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int MSG_DONTWAIT = 0x40;
    private static final int MSG_NOSIGNAL = 0x4000;

    /** struct sockaddr_un: the family, then the path. */
    private static final int PATH = 2;

    private static final int PATH_SIZE = 108;

    /** The C library's functions; public for the code that jnr-ffi generates. */
    public interface LibC {
        @SaveError
        int socket(int domain, int type, int protocol);

        @SaveError
        long sendto(int fd, Pointer message, long length, int flags, Pointer address, int addressLength);

        int close(int fd);
    }

    private final LibC libc;
    private final Runtime runtime = Runtime.getSystemRuntime();
    private final String name;
    private final Pointer address;
    private final int addressLength;
    private final int fd;
    private boolean isClosed;

    private UnixDatagramSocket(LibC libc, String name) throws IOException {
        this.libc = libc;
        this.name = name;
        byte[] path = pathOf(name);
        address = Memory.allocateDirect(runtime, PATH + PATH_SIZE, true);
        address.putShort(0, (short) AF_UNIX);
        address.put(PATH, path, 0, path.length);
        addressLength = PATH + path.length;
        fd = libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new IOException("no datagram socket for " + name + ": errno " + runtime.getLastError());
        }
    }

    /**
     * Opens the way to an address; whether anybody listens there shows when something is sent.
     *
     * @param name an absolute path, or {@code @} and a name in Linux' abstract namespace
     * @throws IOException if it is neither, or the C library cannot be called
     */
    public static UnixDatagramSocket open(String name) throws IOException {
        try {
            return new UnixDatagramSocket(
                    LibraryLoader.create(LibC.class).searchDefault().load(), name);
        } catch (LinkageError e) {
            throw new IOException("the native part of jnr-ffi cannot be loaded: " + e.getMessage(), e);
        }
    }

    /** As it stands in the address: a path ends with a zero, an abstract name begins with one. */
    private static byte[] pathOf(String name) throws IOException {
        boolean isAbstract = name.startsWith("@");
        if (!isAbstract && !name.startsWith("/")) {
            throw new IOException("\"" + name + "\" is neither an absolute path nor an abstract name (@...)");
        }
        byte[] path = (isAbstract ? '\0' + name.substring(1) : name + '\0').getBytes(StandardCharsets.UTF_8);
        if (path.length > PATH_SIZE) {
            throw new IOException("\"" + name + "\" is longer than " + (PATH_SIZE - 1) + " bytes");
        }
        return path;
    }

    /**
     * Sends a message.
     *
     * @param message lines, at most {@link #MAX_MESSAGE} bytes
     * @throws IOException if nobody listens, or the listener does not keep up
     */
    public void send(String message) throws IOException {
        send(message.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sends a message.
     *
     * @param bytes at most {@link #MAX_MESSAGE}
     * @throws IOException if nobody listens, or the listener does not keep up
     */
    public synchronized void send(byte[] bytes) throws IOException {
        if (isClosed || bytes.length > MAX_MESSAGE) {
            throw new IOException(isClosed ? name + " is closed" : "message of " + bytes.length + " bytes");
        }
        Pointer buffer = Memory.allocateDirect(runtime, Math.max(1, bytes.length), true);
        buffer.put(0, bytes, 0, bytes.length);
        if (libc.sendto(fd, buffer, bytes.length, MSG_DONTWAIT | MSG_NOSIGNAL, address, addressLength) < 0) {
            throw new IOException("cannot send to " + name + ": errno " + runtime.getLastError());
        }
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            libc.close(fd);
        }
    }
}
