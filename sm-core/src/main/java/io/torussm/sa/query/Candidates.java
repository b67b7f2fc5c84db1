package io.torussm.sa.query;

import io.torussm.mad.Attribute;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.SaMad;
import java.util.Arrays;

/**
 * The records that may match a query, one after the other. A record is written in place at the end of a table, field by
 * field, and kept if it matches. Not thread-safe.
 */
public final class Candidates {
    private final Query query;
    private final ComponentMask components;
    private final long mask;
    private final RecordTable records;

    /** Byte offset of the present record in the table. */
    private int recordOffset;

    /**
     * Creates a writer without a record.
     *
     * @param mask mask of the components that are compared
     */
    public Candidates(Query query, ComponentMask components, long mask, RecordTable records) {
        this.query = query;
        this.components = components;
        this.mask = mask;
        this.records = records;
    }

    /** Checks whether the table is full, so that no more records are needed. */
    public boolean isFull() {
        return records.isOverflown();
    }

    /** Begins a record whose bits are all 0. */
    public Candidates begin() {
        recordOffset = records.next();
        return this;
    }

    /** Writes a field of at most 64 bits. */
    public Candidates set(Field field, long value) {
        field.set(records.bytes(), recordOffset, value);
        return this;
    }

    /** Writes a GID over a field of 128 bits. */
    public Candidates set(Field field, Gid value) {
        value.write(records.bytes(), recordOffset + field.offset() / Byte.SIZE);
        return this;
    }

    /** Returns the value of a field of at most 64 bits of the present record. */
    public long get(Field field) {
        return field.get(records.bytes(), recordOffset);
    }

    /** Writes the first bytes of an attribute over a field, as many as the field has. */
    public Candidates set(Field field, Attribute<?> attribute) {
        return write(attribute, field.offset() / Byte.SIZE, field.width() / Byte.SIZE);
    }

    /**
     * Writes the first bytes of an attribute.
     *
     * @param offset byte offset in the record
     * @param length number of bytes
     */
    public Candidates write(Attribute<?> attribute, int offset, int length) {
        System.arraycopy(attribute.toBytes(), 0, records.bytes(), recordOffset + offset, length);
        return this;
    }

    /** Clears a field of any width that is aligned to bytes. */
    public void clear(Field field) {
        int start = recordOffset + field.offset() / Byte.SIZE;
        Arrays.fill(records.bytes(), start, start + field.width() / Byte.SIZE, (byte) 0);
    }

    /** Checks whether the record has the requested values in all components. */
    public boolean matches() {
        return matches(mask);
    }

    /**
     * Checks whether the record has the requested values in some components.
     *
     * @param compared mask of the components, of which only those of the constructor's mask are compared
     */
    public boolean matches(long compared) {
        return components.matches(compared & mask, query.mad(), SaMad.DATA_OFFSET, records.bytes(), recordOffset);
    }

    /** Keeps the record, also if it does not match. */
    public void keep() {
        records.commit();
    }

    /** Keeps the record if it matches. */
    public void offer() {
        if (matches()) {
            keep();
        }
    }
}
