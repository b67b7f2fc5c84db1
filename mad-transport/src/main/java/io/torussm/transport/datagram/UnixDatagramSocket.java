package io.torussm.transport.datagram;

import static io.torussm.transport.foreign.ForeignLibrary.Parameter.INT;
import static io.torussm.transport.foreign.ForeignLibrary.Parameter.LONG;
import static io.torussm.transport.foreign.ForeignLibrary.Parameter.POINTER;

import io.torussm.transport.foreign.ForeignFunction;
import io.torussm.transport.foreign.ForeignLibrary;
import java.io.IOException;
import java.lang.ref.Reference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * A socket that sends datagrams to an address of the UNIX domain, such as {@code NOTIFY_SOCKET} of systemd, or
 * journald's. Sending never waits. Any thread may use it.
 */
public final class UnixDatagramSocket implements AutoCloseable {
    /** Max bytes of a message. */
    public static final int MAX_MESSAGE = 1 << 16;

    private final ForeignFunction sendto;
    private final ForeignFunction close;
    private final String name;
    private final ByteBuffer address;
    private final int addressLength;
    private final int fd;
    private boolean isClosed;

    private UnixDatagramSocket(ForeignLibrary process, String name) throws IOException {
        this.name = name;
        sendto = process.function("sendto", INT, POINTER, LONG, INT, POINTER, INT);
        close = process.function("close", INT);
        byte[] bytes = DatagramAddress.unix(name).bytes();
        address = ForeignLibrary.memory(DatagramAddress.MAX_LENGTH).put(0, bytes);
        addressLength = bytes.length;
        fd = process.function("socket", INT, INT, INT).call(LibC.AF_UNIX, LibC.SOCK_DGRAM | LibC.SOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new IOException("no datagram socket for " + name + ": errno " + ForeignLibrary.errno());
        }
    }

    /**
     * Creates a socket for an address. Only sending shows whether a listener exists.
     *
     * @param name absolute path, or {@code @} and a name in the abstract namespace of Linux
     * @throws IOException if the name has another form, or the C library cannot be called
     */
    public static UnixDatagramSocket open(String name) throws IOException {
        try {
            return new UnixDatagramSocket(ForeignLibrary.ofProcess(), name);
        } catch (LinkageError e) {
            throw new IOException("the native part of jnr-ffi cannot be loaded: " + e.getMessage(), e);
        }
    }

    /**
     * Sends a message in UTF-8.
     *
     * @param message lines of at most {@link #MAX_MESSAGE} bytes
     * @throws IOException if the message is too long, there is no listener, or the listener's queue is full
     */
    public void send(String message) throws IOException {
        send(message.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sends a message.
     *
     * @param bytes message of at most {@link #MAX_MESSAGE} bytes
     * @throws IOException if the message is too long, there is no listener, or the listener's queue is full
     */
    public synchronized void send(byte[] bytes) throws IOException {
        if (isClosed || bytes.length > MAX_MESSAGE) {
            throw new IOException(isClosed ? name + " is closed" : "message of " + bytes.length + " bytes");
        }
        ByteBuffer buffer = ForeignLibrary.memory(Math.max(1, bytes.length)).put(0, bytes);
        try {
            int sent = sendto.call(
                    fd,
                    ForeignFunction.address(buffer),
                    bytes.length,
                    LibC.MSG_DONTWAIT | LibC.MSG_NOSIGNAL,
                    ForeignFunction.address(address),
                    addressLength);
            if (sent < 0) {
                throw new IOException("cannot send to " + name + ": errno " + ForeignLibrary.errno());
            }
        } finally {
            Reference.reachabilityFence(buffer);
        }
    }

    @Override
    public synchronized void close() {
        if (!isClosed) {
            isClosed = true;
            close.call(fd);
        }
    }
}
