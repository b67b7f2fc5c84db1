package io.torussm.mad;

import org.jspecify.annotations.Nullable;

/**
 * The position of a value inside a structure on the wire: big-endian, most significant bit first.
 *
 * @param name name in the spelling of IBA
 * @param offset first bit, counted from the most significant bit of byte 0
 * @param width bits, up to 64 for numbers and more for GIDs, tables and text
 */
public record Field(String name, int offset, int width) {

    /**
     * Compares by hand, as does {@link #hashCode}. The JVM links the generated methods of a record at their
     * first use, which costs too much time at a start.
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
     * Reads this field (at most 64 bits, unsigned) of the structure that starts at {@code base}.
     *
     * @throws IllegalArgumentException if the field is wider than a number
     */
    public long get(byte[] bytes, int base) {
        checkIsNumber();
        int first = base + (offset >>> 3);
        int last = base + ((offset + width - 1) >>> 3);
        long value = 0;
        for (int i = first; i <= last; i++) {
            value = value << 8 | (bytes[i] & 0xff);
        }
        return value >>> (7 - ((offset + width - 1) & 7)) & mask();
    }

    /**
     * Writes this field (at most 64 bits) and no other bit of the structure that starts at {@code base}.
     *
     * @throws IllegalArgumentException if the value does not fit, or the field is wider than a number
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
        long keep = ~(mask() << shift);
        for (int i = last; i >= first; i--) {
            bytes[i] = (byte) (bytes[i] & keep | bits & 0xff);
            bits >>>= 8;
            keep = keep >> 8;
        }
    }

    /** Returns the byte offset of a field that is byte aligned, such as a GID or a table. */
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
