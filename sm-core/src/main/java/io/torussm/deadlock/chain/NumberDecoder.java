package io.torussm.deadlock.chain;

import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * A decoder of the bytes of a {@link NumberEncoder}. Numbers and octets are read in the order in which they were added.
 */
final class NumberDecoder {
    private final byte[] plain;
    private int position;

    NumberDecoder(byte[] packed) {
        Inflater inflater = new Inflater(true);
        try {
            inflater.setInput(packed);
            ByteList all = new ByteList();
            byte[] part = new byte[4096];
            while (!inflater.finished()) {
                all.add(part, inflater.inflate(part));
            }
            plain = all.toArray();
        } catch (DataFormatException impossible) {
            throw new IllegalStateException("packed bytes cannot be unpacked", impossible);
        } finally {
            inflater.end();
        }
    }

    /** Checks whether all numbers and octets were read. */
    boolean isAtEnd() {
        return position == plain.length;
    }

    int nextNumber() {
        int number = 0;
        int shift = 0;
        byte part;
        do {
            part = plain[position++];
            number |= (part & 0x7f) << shift;
            shift += 7;
        } while (part < 0);
        return number;
    }

    byte nextOctet() {
        return plain[position++];
    }
}
