package io.torussm.dataplane;

import java.util.Arrays;

/**
 * Packets that are on their way, by number; numbers are used again. A packet of a group that was copied at a switch stays,
 * as the origin of its copies, until the last of them has left, since it fills the buffer so long.
 */
final class Packets {
    private static final int NONE = -1;

    /** Where it goes: a LID, or the MLID of a group. */
    int[] dlid = new int[1024];

    int[] bytes = new int[1024];
    int[] sl = new int[1024];

    /** The host that sent it. */
    int[] source = new int[1024];

    /** By {@code link * 16 + vl}: what it came in by, and fills a buffer of; NONE at the host that sends it. */
    int[] channel = new int[1024];

    /** The next in the same queue, NONE for the last. */
    int[] next = new int[1024];

    /** What fills the buffer: itself, or the packet that it is a copy of. */
    int[] origin = new int[1024];

    /** Copies that have not left yet. */
    int[] copies = new int[1024];

    /** Bytes of the message that ends with this packet; 0 if more follows. */
    int[] ends = new int[1024];

    /** When it was to be sent, and when it came to the switch that it is at, in picoseconds. */
    long[] born = new long[1024];

    long[] came = new long[1024];

    private int free;
    private int live;

    Packets() {
        chain(0);
    }

    /** Packets, origins of copies included. */
    int live() {
        return live;
    }

    /** Numbers that were ever used are below this. */
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
        live++;
        return packet;
    }

    /** A copy of a packet, which fills no buffer of its own yet. */
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
