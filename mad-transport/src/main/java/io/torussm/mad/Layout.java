package io.torussm.mad;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** The declaration of one structure: its fields in order, without gap or overlap, up to its end. */
public final class Layout {
    private final String name;
    private final int size;
    private final List<Field> fields = new ArrayList<>();

    /** First bit after the last declared field. */
    private int end;

    /**
     * Begins a declaration.
     *
     * @param name name of the structure in IBA
     * @param size size in bytes
     */
    public Layout(String name, int size) {
        this.name = name;
        this.size = size;
    }

    /**
     * Declares the next field.
     *
     * @param offset first bit, as printed in IBA; equal to the end of the previous field
     * @param width number of bits
     * @throws IllegalStateException if the offset is not that end, the field exceeds the structure, or the field is
     *     neither aligned to bytes nor within eight bytes
     */
    public Field bits(String fieldName, int offset, int width) {
        if (offset != end || width <= 0 || offset + width > size * Byte.SIZE) {
            throw new IllegalStateException(name + "." + fieldName + " at bit " + offset + " width " + width
                    + ": the last field ended at bit " + end + " of " + size * Byte.SIZE);
        }
        boolean aligned = (offset & 7) == 0 && (width & 7) == 0;
        if (!aligned && ((offset & 7) + width > Long.SIZE)) {
            throw new IllegalStateException(name + "." + fieldName + " straddles more than eight bytes");
        }
        Field field = new Field(fieldName, offset, width);
        fields.add(field);
        end = offset + width;
        return field;
    }

    /**
     * Returns a field for bits of a reserved field that a later release of IBA assigns. The part is no field of the
     * declaration, so that the components behind it keep their mask bits.
     *
     * @throws IllegalStateException if the bits are not within the reserved field
     */
    public Field part(Field whole, String fieldName, int offset, int width) {
        if (offset < whole.offset() || offset + width > whole.offset() + whole.width()) {
            throw new IllegalStateException(name + "." + fieldName + " is not within " + whole);
        }
        return new Field(fieldName, offset, width);
    }

    /**
     * Ends the declaration of an attribute.
     *
     * @param id AttributeID in the MAD header
     * @throws IllegalStateException if the fields do not cover the declared size
     */
    public <A extends Attribute<A>> AttributeType<A> type(int id, Function<byte[], A> constructor) {
        return new AttributeType<>(complete(), id, constructor);
    }

    /**
     * Ends the declaration of a structure and returns it.
     *
     * @throws IllegalStateException if the fields do not cover the declared size
     */
    public Layout complete() {
        if (end != size * Byte.SIZE) {
            throw new IllegalStateException(name + " declares " + end + " of " + size * Byte.SIZE + " bits");
        }
        return this;
    }

    /** Returns the name of the structure in IBA. */
    public String name() {
        return name;
    }

    /** Returns the size in bytes. */
    public int size() {
        return size;
    }

    /** Returns all fields in order, reserved ones included. */
    public List<Field> fields() {
        return Collections.unmodifiableList(fields);
    }
}
