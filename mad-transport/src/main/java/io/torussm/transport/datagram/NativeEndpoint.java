package io.torussm.transport.datagram;

import java.io.IOException;
import java.util.ArrayDeque;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import org.jspecify.annotations.Nullable;

/** A datagram socket of the kernel, non-blocking. Confined to its loop. */
final class NativeEndpoint implements DatagramEndpoint {
    private static final int FLAGS = LibC.MSG_DONTWAIT | LibC.MSG_NOSIGNAL;

    private final LibC libc;
    private final Runtime runtime;
    private final MessageVector vector;
    private final SocketLoop loop;
    private final DatagramAddress local;
    final int fd;
    final Runnable readyCallback;

    /** The connected peer; null before {@link #connect}. */
    private @Nullable DatagramAddress peer;

    private boolean isClosed;

    /** True if the loop calls {@link #readyCallback} also when the peer accepts datagrams. */
    boolean awaitsRoom;

    /** The index in the array of descriptors that {@link SocketLoop} polls. */
    int pollIndex;

    NativeEndpoint(SocketLoop loop, LibC libc, Runtime runtime, DatagramAddress local, Runnable ready)
            throws IOException {
        this.loop = loop;
        this.libc = libc;
        this.runtime = runtime;
        this.vector = loop.vector();
        this.local = local;
        this.readyCallback = ready;
        fd = libc.socket(local.isInet() ? LibC.AF_INET : LibC.AF_UNIX, LibC.SOCK_DGRAM | LibC.SOCK_CLOEXEC, 0);
        if (fd < 0) {
            throw new IOException("no datagram socket for " + local + ": errno " + runtime.getLastError());
        }
        if (libc.bind(fd, memory(local), local.bytes().length) != 0) {
            int errno = runtime.getLastError();
            libc.close(fd);
            throw new IOException(
                    "cannot bind " + local + ": " + (errno == LibC.EADDRINUSE ? "it is in use" : "errno " + errno));
        }
    }

    /** Returns a native copy of an address. */
    private Pointer memory(DatagramAddress address) {
        Pointer memory = Memory.allocateDirect(runtime, DatagramAddress.MAX_LENGTH, true);
        memory.put(0, address.bytes(), 0, address.bytes().length);
        return memory;
    }

    @Override
    public void connect(DatagramAddress to) throws IOException {
        if (libc.connect(fd, memory(to), to.bytes().length) != 0) {
            throw new IOException("cannot connect " + local + " to " + to + ": errno " + runtime.getLastError());
        }
        // Discards datagrams that arrived before. The kernel drops later datagrams of other peers.
        int count = BATCH;
        while (count == BATCH) {
            count = libc.recvmmsg(fd, vector.toReceive(false), BATCH, FLAGS, null);
        }
        peer = to;
    }

    @Override
    public int receive(DatagramConsumer taker) {
        boolean withNames = peer == null;
        int count = libc.recvmmsg(fd, vector.toReceive(withNames), BATCH, FLAGS, null);
        if (count < 0) {
            return isPeerError(runtime.getLastError()) && !withNames ? PEER_GONE : 0;
        }
        vector.deliver(count, withNames, taker);
        return count;
    }

    private static boolean isPeerError(int errno) {
        return errno == LibC.ECONNREFUSED || errno == LibC.ECONNRESET || errno == LibC.ENOTCONN || errno == LibC.EPERM;
    }

    @Override
    public SendResult send(ArrayDeque<byte[]> datagrams) {
        while (!datagrams.isEmpty()) {
            int count = vector.fill(datagrams.iterator());
            int sent = libc.sendmmsg(fd, vector.toSend(), count, FLAGS);
            int errno = sent < 0 ? runtime.getLastError() : 0;
            if (errno == LibC.EAGAIN || errno == LibC.ENOBUFS) {
                return SendResult.PEER_IS_FULL;
            } else if (isPeerError(errno)) {
                return SendResult.PEER_GONE;
            }
            // At an error, the first datagram can never be sent: it is removed, so that it does not stop the others.
            // EINTR removes none.
            for (int remaining = Math.max(1, sent); remaining > 0 && errno != LibC.EINTR; remaining--) {
                datagrams.remove();
            }
        }
        return SendResult.ALL;
    }

    @Override
    public boolean send(byte[] datagram, DatagramAddress to) {
        // The address has a family only: its socket has no name to reply to.
        if (to.bytes().length <= Short.BYTES) {
            return false;
        }
        vector.put(0, datagram, to);
        return libc.sendmmsg(fd, vector.toSend(), 1, FLAGS) == 1;
    }

    /**
     * {@inheritDoc}
     *
     * <p>Connects to the same name again, which detects without a datagram whether the name is still bound.
     */
    @Override
    public boolean isPeerBound() {
        DatagramAddress connected = peer;
        return connected == null
                || connected.isInet()
                || libc.connect(fd, memory(connected), connected.bytes().length) == 0
                || !isPeerError(runtime.getLastError());
    }

    @Override
    public void setAwaitsRoom(boolean isAwaited) {
        if (awaitsRoom != isAwaited) {
            awaitsRoom = isAwaited;
            loop.updateEvents(this);
        }
    }

    boolean isClosed() {
        return isClosed;
    }

    @Override
    public void close() {
        if (!isClosed) {
            isClosed = true;
            loop.remove(this);
            libc.close(fd);
        }
    }

    @Override
    public String toString() {
        return local.toString();
    }
}
