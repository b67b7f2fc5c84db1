package io.torussm.history;

import java.io.DataOutputStream;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** A row of a state. Its bytes are computed on demand, because most rows are unchanged. */
final class Row {
    private final @Nullable Source source;
    private final Content content;

    /** The source from which a row is computed. */
    interface Source {
        /**
         * Checks whether a row of the same key from another source has the same bytes; false if this is not
         * certain.
         */
        boolean makesSameAs(Source other);
    }

    /** The writer of the bytes of a row. */
    interface Content {
        void write(DataOutputStream out) throws IOException;
    }

    private Row(@Nullable Source source, Content content) {
        this.source = source;
        this.content = content;
    }

    /**
     * Returns a row of present bytes.
     *
     * @param bytes content, which must not change later
     */
    static Row of(byte[] bytes) {
        return new Row(new StoredBytes(bytes), out -> out.write(bytes));
    }

    /**
     * Returns a row that is computed on demand.
     *
     * @param source null if no other row is known to be equal
     */
    static Row of(@Nullable Source source, Content content) {
        return new Row(source, content);
    }

    void write(DataOutputStream out) throws IOException {
        content.write(out);
    }

    /** Checks whether both rows are known to be equal without a comparison of bytes. */
    boolean isKnownSame(Row other) {
        return source != null && other.source != null && source.makesSameAs(other.source);
    }

    private record StoredBytes(byte[] bytes) implements Source {
        @Override
        @SuppressWarnings("ReferenceEquality") // This avoids a comparison of large arrays.
        public boolean makesSameAs(Source other) {
            return other instanceof StoredBytes that && that.bytes == bytes;
        }
    }
}
