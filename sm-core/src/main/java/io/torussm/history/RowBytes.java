package io.torussm.history;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** The bytes of one row after the other, in an array that is used again: nearly all are compared once and forgotten. */
final class RowBytes {
    private final Buffer buffer = new Buffer();
    private final DataOutputStream out = new DataOutputStream(buffer);

    private static final class Buffer extends ByteArrayOutputStream {
        byte[] array() {
            return buf;
        }
    }

    /** Holds a row instead of the one before. */
    RowBytes hold(Row row) throws IOException {
        buffer.reset();
        row.write(out);
        return this;
    }

    /** Begins with the bytes of the row; what follows {@link #length} means nothing. Valid until the next row is held. */
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
