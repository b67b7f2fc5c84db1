package io.torussm.transport.datagram;

import java.util.Iterator;
import jnr.ffi.Memory;
import jnr.ffi.Pointer;
import jnr.ffi.Runtime;
import org.jspecify.annotations.Nullable;

/**
 * Native memory for recvmmsg(2) and sendmmsg(2): headers, buffers and addresses of {@link DatagramEndpoint#BATCH}
 * datagrams, with the offsets of the 64-bit ABI of Linux. All sockets of a loop use it in turn, on the thread of the
 * loop.
 */
final class MessageVector {
    /**
     * Bytes of {@code struct mmsghdr}: a {@code struct msghdr} and the length of the datagram. The next constants are
     * its offsets.
     */
    private static final int HEADER_SIZE = 64;

    private static final int NAME = 0;
    private static final int NAME_LENGTH = 8;
    private static final int IO_VECTOR = 16;
    private static final int IO_VECTOR_LENGTH = 24;
    private static final int LENGTH = 56;

    /** Bytes of {@code struct iovec}: a pointer and a length. */
    private static final int IO_SIZE = 16;

    private static final int IO_LENGTH = 8;

    private static final int COUNT = DatagramEndpoint.BATCH;

    /** Bytes per address: {@link DatagramAddress#MAX_LENGTH}, rounded up to a multiple of 8. */
    private static final int NAME_SIZE = 112;

    private final Pointer headers;
    private final Pointer vectors;
    private final Pointer buffers;
    private final Pointer names;

    /** The received datagram that is passed to a consumer. */
    private final byte[] datagramArray = new byte[DatagramEndpoint.MAX_LENGTH];

    MessageVector(Runtime runtime) {
        headers = Memory.allocateDirect(runtime, COUNT * HEADER_SIZE, true);
        vectors = Memory.allocateDirect(runtime, COUNT * IO_SIZE, true);
        buffers = Memory.allocateDirect(runtime, COUNT * DatagramEndpoint.MAX_LENGTH, true);
        names = Memory.allocateDirect(runtime, COUNT * NAME_SIZE, true);
        for (int i = 0; i < COUNT; i++) {
            vectors.putAddress((long) i * IO_SIZE, buffers.address() + (long) i * DatagramEndpoint.MAX_LENGTH);
            headers.putAddress((long) i * HEADER_SIZE + IO_VECTOR, vectors.address() + (long) i * IO_SIZE);
            headers.putLong((long) i * HEADER_SIZE + IO_VECTOR_LENGTH, 1);
        }
    }

    /**
     * Returns the headers, ready to receive.
     *
     * @param withNames true if the addresses of senders are to be stored
     */
    Pointer toReceive(boolean withNames) {
        for (int i = 0; i < COUNT; i++) {
            long header = (long) i * HEADER_SIZE;
            headers.putAddress(header + NAME, withNames ? names.address() + (long) i * NAME_SIZE : 0);
            headers.putInt(header + NAME_LENGTH, withNames ? NAME_SIZE : 0);
            vectors.putLong((long) i * IO_SIZE + IO_LENGTH, DatagramEndpoint.MAX_LENGTH);
        }
        return headers;
    }

    /**
     * Passes the first received datagrams to a consumer.
     *
     * @param count number of datagrams, as recvmmsg(2) returned it
     */
    void deliver(int count, boolean withNames, DatagramEndpoint.DatagramConsumer taker) {
        for (int i = 0; i < count; i++) {
            int length = Math.min(DatagramEndpoint.MAX_LENGTH, headers.getInt((long) i * HEADER_SIZE + LENGTH));
            buffers.get((long) i * DatagramEndpoint.MAX_LENGTH, datagramArray, 0, length);
            taker.accept(datagramArray, length, withNames ? name(i) : null);
        }
    }

    /** Returns the sender of a datagram. The address of an unbound socket has 0 bytes. */
    private DatagramAddress name(int i) {
        int length = Math.min(DatagramAddress.MAX_LENGTH, headers.getInt((long) i * HEADER_SIZE + NAME_LENGTH));
        byte[] bytes = new byte[Math.max(0, length)];
        names.get((long) i * NAME_SIZE, bytes, 0, bytes.length);
        return new DatagramAddress(bytes);
    }

    /**
     * Copies datagrams for a connected peer to the buffers.
     *
     * @return number of copied datagrams, at most {@link DatagramEndpoint#BATCH}
     */
    int fill(Iterator<byte[]> datagrams) {
        int count = 0;
        while (count < COUNT && datagrams.hasNext()) {
            put(count++, datagrams.next(), null);
        }
        return count;
    }

    /**
     * Copies a datagram to a buffer.
     *
     * @param i index of the buffer
     * @param to destination; null for the connected peer
     */
    void put(int i, byte[] datagram, @Nullable DatagramAddress to) {
        long header = (long) i * HEADER_SIZE;
        int length = Math.min(datagram.length, DatagramEndpoint.MAX_LENGTH);
        buffers.put((long) i * DatagramEndpoint.MAX_LENGTH, datagram, 0, length);
        vectors.putLong((long) i * IO_SIZE + IO_LENGTH, length);
        byte[] address = to == null ? new byte[0] : to.bytes();
        names.put((long) i * NAME_SIZE, address, 0, address.length);
        headers.putAddress(header + NAME, to == null ? 0 : names.address() + (long) i * NAME_SIZE);
        headers.putInt(header + NAME_LENGTH, address.length);
    }

    /** Returns the headers of the copied datagrams. */
    Pointer toSend() {
        return headers;
    }
}
