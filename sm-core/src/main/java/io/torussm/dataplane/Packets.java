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
    int[] completedMessageBytes = new int[1024];

    /** By packet: {@link #FECN}, {@link #CNP} or 0. */
    byte[] congestion = new byte[1024];

    /** The number of its flow, NONE if that is not slowed down. */
    int[] flow = new int[1024];

    /**
     * The time at which it was due at the host, and that of its arrival at the present switch, in
     * picoseconds.
     */
    long[] dueAtPs = new long[1024];

    long[] arrivedAtPs = new long[1024];

    private int firstFree;
    private int liveCount;

    Packets() {
        linkFree(0);
    }

    /** Returns the number of packets, including originals of copies. */
    int liveCount() {
        return liveCount;
    }

    /** Returns the limit below which all used numbers are. */
    int capacity() {
        return next.length;
    }

    int allocate() {
        if (firstFree == NONE) {
            grow();
        }
        int packet = firstFree;
        firstFree = next[packet];
        next[packet] = NONE;
        origin[packet] = packet;
        copies[packet] = 0;
        congestion[packet] = 0;
        flow[packet] = NONE;
        liveCount++;
        return packet;
    }

    /** Adds a copy of a packet, which does not fill a buffer yet. */
    int copy(int packet) {
        int copy = allocate();
        dlid[copy] = dlid[packet];
        bytes[copy] = bytes[packet];
        sl[copy] = sl[packet];
        source[copy] = source[packet];
        channel[copy] = channel[packet];
        completedMessageBytes[copy] = completedMessageBytes[packet];
        dueAtPs[copy] = dueAtPs[packet];
        arrivedAtPs[copy] = arrivedAtPs[packet];
        origin[copy] = packet;
        copies[packet]++;
        return copy;
    }

    void free(int packet) {
        next[packet] = firstFree;
        firstFree = packet;
        liveCount--;
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
        completedMessageBytes = Arrays.copyOf(completedMessageBytes, size);
        dueAtPs = Arrays.copyOf(dueAtPs, size);
        arrivedAtPs = Arrays.copyOf(arrivedAtPs, size);
        linkFree(before);
    }

    private void linkFree(int from) {
        for (int i = from; i < next.length; i++) {
            next[i] = i + 1 < next.length ? i + 1 : NONE;
        }
        firstFree = from;
    }
}
