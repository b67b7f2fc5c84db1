package io.torussm.transport.datagram;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import jnr.ffi.LibraryLoader;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import jnr.ffi.annotations.SaveError;

/** A service manager's side of NOTIFY_SOCKET: binds a datagram socket and reads from it. */
public final class DatagramReceiver implements AutoCloseable {
    private static final int AF_UNIX = 1;
    private static final int SOCK_DGRAM = 2;
    private static final int SOCK_CLOEXEC = 0x80000;
    private static final int SHUT_RDWR = 2;
    private static final int MAX_DATAGRAM = 65_536;
    private static final int MAX_UNREAD = 256;
    private static final long TIMEOUT_S = 60;

    /** The C library's functions; public for the code that jnr-ffi generates. */
    public interface LibC {
        @SaveError
        int socket(int domain, int type, int protocol);

        @SaveError
        int bind(int fd, Pointer address, int addressLength);

        @SaveError
        long recv(int fd, Pointer buffer, long length, int flags);

        int shutdown(int fd, int how);

        int close(int fd);
    }

    private final LibC libc = LibraryLoader.create(LibC.class).searchDefault().load();
    private final Runtime runtime = Runtime.getSystemRuntime();
    private final BlockingQueue<String> messages = new ArrayBlockingQueue<>(MAX_UNREAD);
    private final int fd;
    private final Thread reader;

    /**
     * Binds.
     *
     * @param name a path, or {@code @} and an abstract name
     */
    public DatagramReceiver(String name) throws IOException {
        boolean isAbstract = name.startsWith("@");
        byte[] path = (isAbstract ? '\0' + name.substring(1) : name + '\0').getBytes(StandardCharsets.UTF_8);
        Pointer address = Memory.allocateDirect(runtime, Short.BYTES + path.length, true);
        address.putShort(0, (short) AF_UNIX);
        address.put(Short.BYTES, path, 0, path.length);
        fd = libc.socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
        if (fd < 0 || libc.bind(fd, address, Short.BYTES + path.length) != 0) {
            throw new IOException("cannot bind " + name + ": errno " + runtime.getLastError());
        }
        reader = new Thread(this::read, "datagram-receiver");
        reader.setDaemon(true);
        reader.start();
    }

    /** Reads until the socket is shut down, or the thread is interrupted because its datagrams are not taken. */
    private void read() {
        Pointer buffer = Memory.allocateDirect(runtime, MAX_DATAGRAM);
        try {
            for (long length = receive(buffer); length > 0; length = receive(buffer)) {
                byte[] message = new byte[(int) length];
                buffer.get(0, message, 0, message.length);
                messages.put(new String(message, StandardCharsets.UTF_8));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long receive(Pointer buffer) {
        return libc.recv(fd, buffer, MAX_DATAGRAM, 0);
    }

    /** Waits for the next datagram, and returns its lines. */
    public List<String> next() throws IOException, InterruptedException {
        String message = messages.poll(TIMEOUT_S, TimeUnit.SECONDS);
        if (message == null) {
            throw new IOException("no datagram came in " + TIMEOUT_S + " s");
        }
        return message.lines().toList();
    }

    /** Returns the first datagram with a line, and drops those before it. */
    public List<String> nextWith(String line) throws IOException, InterruptedException {
        List<String> message = next();
        while (!message.contains(line)) {
            message = next();
        }
        return message;
    }

    /** Ends the reader before the descriptor is given back, which the next socket may get. */
    @Override
    public void close() {
        libc.shutdown(fd, SHUT_RDWR);
        reader.interrupt();
        boolean interrupted = false;
        while (reader.isAlive()) {
            try {
                reader.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        libc.close(fd);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
