package io.torussm.history;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** A reused array for the bytes of one row after the other: most are compared once and dropped. */
final class RowBytes {
    private final Buffer buffer = new Buffer();
    private final DataOutputStream out = new DataOutputStream(buffer);

    private static final class Buffer extends ByteArrayOutputStream {
        byte[] array() {
            return buf;
        }
    }

    /** Replaces the contents by the bytes of a row. */
    RowBytes hold(Row row) throws IOException {
        buffer.reset();
        row.write(out);
        return this;
    }

    /** Returns the array. The bytes of the row are the first {@link #length}; valid until the next row. */
    byte[] array() {
        return buffer.array();
    }

    int length() {
        return buffer.size();
    }

    byte[] copy() {
        return buffer.toByteArray();
    }
}
