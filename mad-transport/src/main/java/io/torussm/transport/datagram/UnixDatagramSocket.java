package io.torussm.transport.datagram;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;

/**
 * Sends datagrams to a socket of the UNIX domain, such as the one that {@code NOTIFY_SOCKET} names, or journald's. Sending
 * never waits. May be used by any thread until it is closed.
 */
public final class UnixDatagramSocket implements AutoCloseable {
    /** The longest message that is sent, in bytes. */
    public static final int MAX_MESSAGE = 1 << 16;

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
        byte[] bytes = DatagramAddress.unix(name).bytes();
        address = Memory.allocateDirect(runtime, DatagramAddress.MAX_LENGTH, true);
        address.put(0, bytes, 0, bytes.length);
        addressLength = bytes.length;
        fd = libc.socket(LibC.AF_UNIX, LibC.SOCK_DGRAM | LibC.SOCK_CLOEXEC, 0);
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
        return new UnixDatagramSocket(LibC.load(), name);
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
        if (libc.sendto(fd, buffer, bytes.length, LibC.MSG_DONTWAIT | LibC.MSG_NOSIGNAL, address, addressLength) < 0) {
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
