package io.torussm.dataplane;

import java.util.Arrays;

/**
 * The packets in flight, by number; numbers are reused. If a switch copies a packet of a group, the packet
 * remains as the origin of its copies until the last of them has left. It fills the buffer so long.
 */
final class Packets {
    /** Values of {@link #congestion}. */
    static final byte FECN = 1;

    static final byte CNP = 2;

    private static final int NONE = -1;

    /** The destination: a LID, or the MLID of a group. */
    int[] dlid = new int[1024];

    int[] bytes = new int[1024];
    int[] sl = new int[1024];

    /** The sending host. */
    int[] source = new int[1024];

    /**
     * By {@code link * 16 + vl}: the ingress channel, in whose buffer the packet is; NONE at the sending
     * host.
     */
    int[] channel = new int[1024];

    /** The next packet in the same queue, NONE for the last. */
    int[] next = new int[1024];

    /** The packet that fills the buffer: itself, or the original of a copy. */
    int[] origin = new int[1024];

    /** Number of copies that have not left yet. */
    int[] copies = new int[1024];

    /** Bytes of the message of which this is the last packet; 0 for any other packet. */
    int[] ends = new int[1024];

    /** By packet: {@link #FECN}, {@link #CNP} or 0. */
    byte[] congestion = new byte[1024];

    /** The number of its flow, NONE if that is not slowed down. */
    int[] flow = new int[1024];

    /**
     * The time at which it was due at the host, and that of its arrival at the present switch, in
     * picoseconds.
     */
    long[] born = new long[1024];

    long[] came = new long[1024];

    private int free;
    private int live;

    Packets() {
        chain(0);
    }

    /** Returns the number of packets, including originals of copies. */
    int live() {
        return live;
    }

    /** Returns the limit below which all used numbers are. */
    int limit() {
        return next.length;
    }

    int take() {
        if (free == NONE) {
            grow();
        }
        int packet = free;
        free = next[packet];
        next[packet] = NONE;
        origin[packet] = packet;
        copies[packet] = 0;
        congestion[packet] = 0;
        flow[packet] = NONE;
        live++;
        return packet;
    }

    /** Adds a copy of a packet, which does not fill a buffer yet. */
    int copy(int packet) {
        int copy = take();
        dlid[copy] = dlid[packet];
        bytes[copy] = bytes[packet];
        sl[copy] = sl[packet];
        source[copy] = source[packet];
        channel[copy] = channel[packet];
        ends[copy] = ends[packet];
        born[copy] = born[packet];
        came[copy] = came[packet];
        origin[copy] = packet;
        copies[packet]++;
        return copy;
    }

    void free(int packet) {
        next[packet] = free;
        free = packet;
        live--;
    }

    private void grow() {
        int before = next.length;
        int size = 2 * before;
        dlid = Arrays.copyOf(dlid, size);
        bytes = Arrays.copyOf(bytes, size);
        sl = Arrays.copyOf(sl, size);
        source = Arrays.copyOf(source, size);
        channel = Arrays.copyOf(channel, size);
        next = Arrays.copyOf(next, size);
        origin = Arrays.copyOf(origin, size);
        copies = Arrays.copyOf(copies, size);
        congestion = Arrays.copyOf(congestion, size);
        flow = Arrays.copyOf(flow, size);
        ends = Arrays.copyOf(ends, size);
        born = Arrays.copyOf(born, size);
        came = Arrays.copyOf(came, size);
        chain(before);
    }

    private void chain(int from) {
        for (int i = from; i < next.length; i++) {
            next[i] = i + 1 < next.length ? i + 1 : NONE;
        }
        free = from;
    }
}
