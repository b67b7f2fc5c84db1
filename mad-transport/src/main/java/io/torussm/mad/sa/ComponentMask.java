package io.torussm.mad.sa;

import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import java.util.List;

/** Comparison of records under a component mask (IBA 15.2.1.3); bit n selects the n-th field of the layout. */
public final class ComponentMask {
    private ComponentMask() {}

    /** The mask bit of a field. */
    public static long of(Layout layout, Field field) {
        int index = layout.fields().indexOf(field);
        if (index < 0 || index >= Long.SIZE) {
            throw new IllegalArgumentException(field.name() + " is no component of " + layout.name());
        }
        return 1L << index;
    }

    /** Whether all selected fields of a candidate equal those wanted; bits beyond the fields are ignored. */
    public static boolean matches(Layout layout, long mask, byte[] wanted, int at, byte[] candidate) {
        List<Field> fields = layout.fields();
        for (long left = mask; left != 0; left &= left - 1) {
            int index = Long.numberOfTrailingZeros(left);
            if (index < fields.size() && !isEqual(fields.get(index), wanted, at, candidate)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isEqual(Field field, byte[] wanted, int at, byte[] candidate) {
        if (field.width() <= Long.SIZE) {
            return field.get(wanted, at) == field.get(candidate, 0);
        }
        int from = field.offset() / Byte.SIZE;
        int to = from + field.width() / Byte.SIZE;
        return java.util.Arrays.equals(wanted, at + from, at + to, candidate, from, to);
    }
}
