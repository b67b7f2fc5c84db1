package io.torussm.mad;

import java.util.Arrays;
import java.util.HexFormat;

/**
 * An immutable attribute or record: the bytes of the wire with access to their named fields. Bits that are not declared
 * are kept.
 *
 * @param <A> type of the attribute itself
 */
public abstract class Attribute<A extends Attribute<A>> {
    private final byte[] bytes;

    /**
     * Creates an attribute that owns the bytes, without a copy. Only {@link AttributeType#constructor()} calls this
     * constructor.
     */
    protected Attribute(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Returns the declaration that this attribute follows. */
    public abstract AttributeType<A> type();

    /** Returns the unsigned value of a field of at most 64 bits. */
    public final long get(Field field) {
        return field.get(bytes, 0);
    }

    /**
     * Checks whether another attribute has equal values in some fields.
     *
     * @param fields mask of this type of attribute
     */
    public final boolean isEqualIn(A other, FieldMask fields) {
        return fields.isSame(bytes, bytesOf(other));
    }

    /**
     * Returns a copy with 0 in some fields.
     *
     * @param fields mask of this type of attribute
     */
    public final A without(FieldMask fields) {
        return type().constructor().apply(fields.cleared(bytes));
    }

    private static byte[] bytesOf(Attribute<?> attribute) {
        return attribute.bytes;
    }

    /** Returns the value of a field of at most 31 bits. */
    protected final int getInt(Field field) {
        return (int) field.get(bytes, 0);
    }

    /** Returns the value of a field of one bit. */
    protected final boolean getFlag(Field field) {
        return field.get(bytes, 0) != 0;
    }

    /** Returns the value of a field of 128 bits. */
    protected final Gid getGid(Field field) {
        return Gid.read(bytes, field.byteOffset());
    }

    /** Returns one byte of a byte-aligned field, 0 to 255. */
    protected final int getByte(Field field, int index) {
        return bytes[field.byteOffset() + index] & 0xff;
    }

    /** Returns a copy of a byte-aligned field. */
    public final byte[] getBytes(Field field) {
        return Arrays.copyOfRange(bytes, field.byteOffset(), field.byteOffset() + field.width() / Byte.SIZE);
    }

    /**
     * Returns a copy with another value of one field (at most 64 bits); this attribute itself if the field has that
     * value.
     *
     * @throws IllegalArgumentException if the value does not fit the field
     */
    public final A with(Field field, long value) {
        if (field.get(bytes, 0) == value) {
            return self();
        }
        byte[] copy = bytes.clone();
        field.set(copy, 0, value);
        return type().constructor().apply(copy);
    }

    /** Returns this attribute as its own type. */
    @SuppressWarnings("unchecked")
    private A self() {
        return (A) this;
    }

    /**
     * Returns a copy with another value of a field of 128 bits.
     *
     * @throws IllegalArgumentException if the field has another width
     */
    public final A with(Field field, Gid value) {
        if (field.width() != 2 * Long.SIZE) {
            throw new IllegalArgumentException(field.name() + " has " + field.width() + " bits and holds no GID");
        }
        byte[] copy = bytes.clone();
        value.write(copy, field.byteOffset());
        return type().constructor().apply(copy);
    }

    /**
     * Returns a copy with another value of a byte-aligned field.
     *
     * @throws IllegalArgumentException if the value has another length than the field
     */
    public final A with(Field field, byte[] value) {
        if (value.length * Byte.SIZE != field.width()) {
            throw new IllegalArgumentException(
                    field.name() + " has " + field.width() / Byte.SIZE + " bytes, not " + value.length);
        }
        byte[] copy = bytes.clone();
        System.arraycopy(value, 0, copy, field.byteOffset(), value.length);
        return type().constructor().apply(copy);
    }

    /** Copies the wire bytes into a buffer. */
    public final void write(byte[] buffer, int offset) {
        System.arraycopy(bytes, 0, buffer, offset, bytes.length);
    }

    /** Returns a copy of the wire bytes. */
    public final byte[] toBytes() {
        return bytes.clone();
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // types are nearly always one object; a comparison of values costs more
    public final boolean equals(Object other) {
        return other instanceof Attribute<?> that
                && (that.type() == type() || that.type().equals(type()))
                && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public final int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** Checks whether a field contains a key, which no log may show. */
    protected boolean isSecret(Field field) {
        return switch (field.name()) {
            case "M_Key", "SM_Key", "ServiceKey", "CC_Key" -> true;
            default -> false;
        };
    }

    /**
     * Returns the names and values of all fields that are not reserved, in one line:
     * {@code PortInfo{LID=0x3 PortState=0x4 ...}}. A key is shown as {@code *}.
     */
    @Override
    public final String toString() {
        StringBuilder text = new StringBuilder(type().layout().name()).append('{');
        for (Field field : type().layout().fields()) {
            if (field.name().startsWith("reserved")) {
                continue;
            }
            text.append(text.charAt(text.length() - 1) == '{' ? "" : " ")
                    .append(field.name())
                    .append('=');
            if (isSecret(field)) {
                text.append('*');
            } else if (field.width() > Long.SIZE) {
                text.append(HexFormat.of().formatHex(getBytes(field)));
            } else {
                text.append("0x").append(Long.toHexString(get(field)));
            }
        }
        return text.append('}').toString();
    }
}
