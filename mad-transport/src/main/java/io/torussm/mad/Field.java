package io.torussm.mad;

import org.jspecify.annotations.Nullable;

/**
 * The position of a value inside a structure on the wire: big-endian, most significant bit first.
 *
 * @param name name in the spelling of IBA
 * @param offset first bit, counted from the most significant bit of byte 0
 * @param width number of bits: up to 64 for numbers, more for GIDs, tables and text
 */
public record Field(String name, int offset, int width) {

    /**
     * Compares without the generated method of a record, as {@link #hashCode} does: the JVM links generated methods at
     * their first use, which costs too much time at a start.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Field field
                && field.offset == offset
                && field.width == width
                && field.name.equals(name);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * name.hashCode() + offset) + width;
    }

    /**
     * Returns the unsigned value of this field of at most 64 bits.
     *
     * @param base first byte of the structure
     * @throws IllegalArgumentException if the field has more than 64 bits
     */
    public long get(byte[] bytes, int base) {
        checkIsNumber();
        // Bytes first to last contain the field; 0 to 7 bits behind its end are shifted out.
        int first = base + (offset >>> 3);
        int last = base + ((offset + width - 1) >>> 3);
        long value = 0;
        for (int i = first; i <= last; i++) {
            value = value << 8 | (bytes[i] & 0xff);
        }
        return value >>> (7 - ((offset + width - 1) & 7)) & mask();
    }

    /**
     * Writes this field of at most 64 bits, and no other bit of the structure.
     *
     * @param base first byte of the structure
     * @throws IllegalArgumentException if the value does not fit, or the field has more than 64 bits
     */
    public void set(byte[] bytes, int base, long value) {
        checkIsNumber();
        if ((value & ~mask()) != 0) {
            throw new IllegalArgumentException(
                    name + " has " + width + " bits, too few for 0x" + Long.toHexString(value));
        }
        int first = base + (offset >>> 3);
        int last = base + ((offset + width - 1) >>> 3);
        int shift = 7 - ((offset + width - 1) & 7);
        long bits = value << shift;
        // Ones outside the field. The arithmetic shift below adds ones, so the bits before the field stay, too.
        long keep = ~(mask() << shift);
        for (int i = last; i >= first; i--) {
            bytes[i] = (byte) (bytes[i] & keep | bits & 0xff);
            bits >>>= 8;
            keep = keep >> 8;
        }
    }

    /** Returns the first byte of a byte-aligned field, such as a GID or a table. */
    int byteOffset() {
        return offset >>> 3;
    }

    private void checkIsNumber() {
        if (width > Long.SIZE) {
            throw new IllegalArgumentException(name + " has " + width + " bits, which is no number");
        }
    }

    private long mask() {
        return width >= Long.SIZE ? -1L : (1L << width) - 1;
    }
}
