package io.torussm.daemon.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * The reader of the lines of a UTF-8 stream. Lines have a limited length and end with LF, CR or CR LF. Not thread-safe.
 */
public final class InputLines implements AutoCloseable {
    /** Maximum length of a line, in characters. */
    public static final int MAX_LINE_CHARACTERS = 1 << 16;

    private final BufferedReader reader;

    /** Number of lines that were begun. */
    private int number;

    /** True if the rest of a line that is too long is not skipped yet. */
    private boolean isTooLong;

    /** The error for a line that is too long. */
    public static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1;

        TooLongException(int number) {
            super("line " + number + " has more than " + MAX_LINE_CHARACTERS + " characters; give one command a line");
        }
    }

    public InputLines(InputStream stream) {
        reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /**
     * Reads the next line. Returns the line without its end; null at the end of the stream.
     *
     * @throws TooLongException if the line has more than {@link #MAX_LINE_CHARACTERS} characters; the next call skips
     *     the remaining characters of the line
     */
    public @Nullable String next() throws IOException {
        int next = reader.read();
        while (isTooLong && next >= 0) {
            isTooLong = !isEnd(next);
            next = reader.read();
        }
        if (next < 0) {
            return null;
        }
        number++;
        StringBuilder line = new StringBuilder();
        while (next >= 0 && !isEnd(next)) {
            if (line.length() == MAX_LINE_CHARACTERS) {
                isTooLong = true;
                throw new TooLongException(number);
            }
            line.append((char) next);
            next = reader.read();
        }
        return line.toString();
    }

    /** Checks whether a character ends a line. After a CR, an LF is skipped. */
    private boolean isEnd(int character) throws IOException {
        if (character == '\r') {
            reader.mark(1);
            if (reader.read() != '\n') {
                reader.reset();
            }
        }
        return character == '\n' || character == '\r';
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }
}
