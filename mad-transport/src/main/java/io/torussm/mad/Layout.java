package io.torussm.mad;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/** The declaration of one structure: its fields in order, without gap or overlap, covering its size exactly. */
public final class Layout {
    private final String name;
    private final int size;
    private final List<Field> fields = new ArrayList<>();
    private int end;

    /**
     * Starts a declaration.
     *
     * @param name IBA's name of the structure
     * @param size bytes
     */
    public Layout(String name, int size) {
        this.name = name;
        this.size = size;
    }

    /**
     * Declares the next field.
     *
     * @param offset first bit, as printed in the book; must be where the last field ended
     * @throws IllegalStateException if it is not, or if a number would not fit 64 bits at a single read
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
     * Names bits of a field that a later release of the book took from the reserved ones. The part is no field of the
     * declaration, so that components keep the numbers of their mask bits.
     *
     * @throws IllegalStateException if it is not within the field
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
     * @param id attribute ID, as in the MAD header
     * @throws IllegalStateException if the fields do not cover the declared size
     */
    public <A extends Attribute<A>> AttributeType<A> type(int id, Function<byte[], A> constructor) {
        return new AttributeType<>(complete(), id, constructor);
    }

    /** Checks that the declaration covers its size, and returns it. */
    public Layout complete() {
        if (end != size * Byte.SIZE) {
            throw new IllegalStateException(name + " declares " + end + " of " + size * Byte.SIZE + " bits");
        }
        return this;
    }

    /** Returns IBA's name of the structure. */
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
