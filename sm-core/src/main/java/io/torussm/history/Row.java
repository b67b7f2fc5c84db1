package io.torussm.history;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A row of a state; its bytes are made when they are asked for, since most are what they were. */
final class Row {
    private final @Nullable Object source;
    private final Supplier<byte[]> bytes;

    private Row(@Nullable Object source, Supplier<byte[]> bytes) {
        this.source = source;
        this.bytes = bytes;
    }

    /** A row that is at hand. */
    static Row of(byte[] bytes) {
        return new Row(bytes, () -> bytes);
    }

    /**
     * A row that is made.
     *
     * @param source an immutable object: another row of the same key made from it has the same bytes; null if nothing is known
     *     to have
     */
    static Row of(@Nullable Object source, Supplier<byte[]> bytes) {
        return new Row(source, bytes);
    }

    byte[] bytes() {
        return bytes.get();
    }

    /** Whether the bytes need not be compared. */
    @SuppressWarnings("ReferenceEquality") // equality of large arrays is what this saves
    boolean isSurelySame(Row other) {
        return source != null && source == other.source;
    }
}
