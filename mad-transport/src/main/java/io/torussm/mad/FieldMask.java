package io.torussm.mad;

import java.util.List;

/**
 * A set of fields of one attribute, which are compared or cleared together. This costs as much as the comparison of one
 * field by {@link Attribute#get}. Immutable.
 */
public final class FieldMask {
    /** A structure with 1 in all bits of the fields. */
    private final byte[] bits;

    /**
     * Creates a mask.
     *
     * @param fields fields of the attribute, of any width
     */
    public FieldMask(AttributeType<?> type, List<Field> fields) {
        bits = new byte[type.layout().size()];
        for (Field field : fields) {
            for (int bit = field.offset(); bit < field.offset() + field.width(); bit++) {
                bits[bit >>> 3] |= (byte) (0x80 >>> (bit & 7));
            }
        }
    }

    /** Checks whether the fields have equal values in two structures. */
    boolean isSame(byte[] one, byte[] other) {
        int different = 0;
        for (int i = 0; i < bits.length; i++) {
            different |= (one[i] ^ other[i]) & bits[i];
        }
        return different == 0;
    }

    /** Returns a copy with 0 in the fields. */
    byte[] cleared(byte[] structure) {
        byte[] copy = structure.clone();
        for (int i = 0; i < bits.length; i++) {
            copy[i] &= (byte) ~bits[i];
        }
        return copy;
    }
}
