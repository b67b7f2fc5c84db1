package io.torussm.history;

import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A row of a state; its bytes are made when they are asked for, since most are what they were. */
final class Row {
    private final @Nullable Source source;
    private final Content content;

    /** What rows are made from. */
    interface Source {
        /** Whether another row of the same key that is made from something else has the same bytes all the same; false if that is not sure. */
        boolean makesSameAs(Source other);
    }

    /** Writes the bytes of a row. */
    interface Content {
        void write(DataOutputStream out) throws IOException;
    }

    private Row(@Nullable Source source, Content content) {
        this.source = source;
        this.content = content;
    }

    /**
     * A row that is at hand.
     *
     * @param bytes that stay as they are
     */
    static Row of(byte[] bytes) {
        return new Row(new Kept(bytes), out -> out.write(bytes));
    }

    /**
     * A row that is made.
     *
     * @param source null if nothing is known to make the same
     */
    static Row of(@Nullable Source source, Content content) {
        return new Row(source, content);
    }

    void write(DataOutputStream out) throws IOException {
        content.write(out);
    }

    /** Whether the bytes need not be compared. */
    boolean isSurelySame(Row other) {
        return source != null && other.source != null && source.makesSameAs(other.source);
    }

    private record Kept(byte[] bytes) implements Source {
        @Override
        @SuppressWarnings("ReferenceEquality") // equality of large arrays is what this saves
        public boolean makesSameAs(Source other) {
            return other instanceof Kept that && that.bytes == bytes;
        }
    }
}
