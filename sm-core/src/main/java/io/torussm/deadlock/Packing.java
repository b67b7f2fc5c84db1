package io.torussm.deadlock;

import java.io.ByteArrayOutputStream;
import java.util.zip.Deflater;

/** Numbers, most of them small, in few bytes: seven bits a byte, lowest first, and all of it deflated. One use. */
final class Packing {
    private final ByteArrayOutputStream plain = new ByteArrayOutputStream();

    /** Adds a number that is not negative. */
    void number(int number) {
        int rest = number;
        while (rest > 0x7f) {
            plain.write(rest & 0x7f | 0x80);
            rest >>>= 7;
        }
        plain.write(rest);
    }

    void octet(byte octet) {
        plain.write(octet);
    }

    byte[] packed() {
        Deflater deflater = new Deflater(Deflater.DEFAULT_COMPRESSION, true);
        try {
            deflater.setInput(plain.toByteArray());
            deflater.finish();
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            byte[] part = new byte[4096];
            while (!deflater.finished()) {
                packed.write(part, 0, deflater.deflate(part));
            }
            return packed.toByteArray();
        } finally {
            deflater.end();
        }
    }
}
