package io.torussm.deadlock.chain;

import java.util.zip.Deflater;

/**
 * An encoder of numbers, most of them small, in few bytes: seven bits of the number in each byte, lowest bits first,
 * the top bit set if more bytes follow. All bytes are then compressed (raw deflate, RFC 1951). An instance is used
 * once.
 */
final class NumberEncoder {
    private final ByteList plain = new ByteList();

    /** Adds a number that is not negative. */
    void addNumber(int number) {
        int rest = number;
        while (rest > 0x7f) {
            plain.add(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        plain.add(rest);
    }

    /** Adds an octet as it is. */
    void addOctet(byte octet) {
        plain.add(octet);
    }

    /** Returns the compressed bytes of all numbers and octets. */
    byte[] packed() {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try {
            deflater.setInput(plain.toArray());
            deflater.finish();
            ByteList packed = new ByteList();
            byte[] part = new byte[4096];
            while (!deflater.finished()) {
                packed.add(part, deflater.deflate(part));
            }
            return packed.toArray();
        } finally {
            deflater.end();
        }
    }
}
