package io.torussm.sa;

import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.SaMad;

/**
 * One request and the view that it is answered from.
 *
 * @param mad the request, whole
 * @param mask its component mask
 * @param isTrusted whether it carried the SM_Key
 * @param index the view with its end ports by GUID
 */
record Query(byte[] mad, long mask, boolean isTrusted, ViewIndex index) {

    /** Whether a field is given. */
    boolean has(Layout layout, Field field) {
        return (mask & ComponentMask.of(layout, field)) != 0;
    }

    /** The value given for a field of at most 64 bits. */
    long value(Field field) {
        return field.get(mad, SaMad.DATA);
    }

    int attributeModifier() {
        return MadHeader.attributeModifier(mad);
    }
}
