package io.torussm.deadlock.chain;

import java.util.zip.Deflater;

/**
 * An encoder of numbers, most of them small, in few bytes: seven bits a byte, lowest first, then deflated.
 * One use.
 */
final class NumberEncoder {
    private final ByteList plain = new ByteList();

    /** Adds a number that is not negative. */
    void number(int number) {
        int rest = number;
        while (rest > 0x7f) {
            plain.add(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        plain.add(rest);
    }

    void octet(byte octet) {
        plain.add(octet);
    }

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
