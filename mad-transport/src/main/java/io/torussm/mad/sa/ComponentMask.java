package io.torussm.mad.sa;

import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.Arrays;
import java.util.List;

/**
 * The components of a record, and the comparison of two records under a mask of components (IBA 15.2.1.3). Bit n of a
 * mask selects the n-th field of the declaration, reserved fields included. No other class depends on this numbering.
 */
public final class ComponentMask {
    private final String record;
    private final List<Field> components;

    /** The components by mask bit. */
    private final Field[] compared;

    /** The mask bits of components that are not reserved. */
    private final long comparedBits;

    /**
     * Creates the components of a record.
     *
     * @param count number of fields with a mask bit, which are the first ones of the layout
     */
    ComponentMask(Layout layout, int count) {
        if (count > Long.SIZE || count > layout.fields().size()) {
            throw new IllegalStateException(layout.name() + " cannot have " + count + " components");
        }
        record = layout.name();
        components = List.copyOf(layout.fields().subList(0, count));
        compared = components.toArray(new Field[0]);
        long bits = 0;
        for (int i = 0; i < count; i++) {
            bits |= compared[i].name().startsWith("reserved") ? 0 : 1L << i;
        }
        comparedBits = bits;
    }

    /** Returns the fields with a mask bit in the order of their bits, reserved ones included. */
    public List<Field> components() {
        return components;
    }

    /**
     * Returns the mask bit of a field. Searches the declaration, so the result should be stored in a constant.
     *
     * @throws IllegalArgumentException if the field is no component of this record
     */
    public long bit(Field field) {
        int index = components.indexOf(field);
        if (index < 0) {
            throw new IllegalArgumentException(field.name() + " is no component of " + record);
        }
        return 1L << index;
    }

    /**
     * Checks whether two records are equal in all selected fields. Mask bits of reserved fields, and bits without a
     * field, are ignored.
     *
     * @param wantedAt byte offset of the requested record in {@code wanted}
     * @param candidateAt byte offset of the other record in {@code candidate}
     */
    public boolean matches(long mask, byte[] wanted, int wantedAt, byte[] candidate, int candidateAt) {
        for (long bits = mask & comparedBits; bits != 0; bits &= bits - 1) {
            Field field = compared[Long.numberOfTrailingZeros(bits)];
            if (!isEqual(field, wanted, wantedAt, candidate, candidateAt)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEqual(Field field, byte[] wanted, int wantedAt, byte[] candidate, int candidateAt) {
        if (field.width() <= Long.SIZE) {
            return field.get(wanted, wantedAt) == field.get(candidate, candidateAt);
        }
        int from = field.offset() / Byte.SIZE;
        int to = from + field.width() / Byte.SIZE;
        return Arrays.equals(wanted, wantedAt + from, wantedAt + to, candidate, candidateAt + from, candidateAt + to);
    }
}
