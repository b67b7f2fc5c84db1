package io.torussm.deadlock.chain;

import java.util.Arrays;

/** A list of octets, which grows as needed. Not thread-safe. */
final class ByteList {
    private byte[] octets = new byte[1024];
    private int count;

    /** Appends the lowest eight bits of a number. */
    void add(int octet) {
        reserve(1);
        octets[count++] = (byte) octet;
    }

    /** Appends the first {@code length} elements of an array. */
    void add(byte[] more, int length) {
        reserve(length);
        System.arraycopy(more, 0, octets, count, length);
        count += length;
    }

    private void reserve(int more) {
        if (count + more > octets.length) {
            octets = Arrays.copyOf(octets, Math.max(count + more, 2 * octets.length));
        }
    }

    byte[] toArray() {
        return Arrays.copyOf(octets, count);
    }
}
