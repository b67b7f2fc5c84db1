package io.torussm.daemon.system;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Lines of a stream in UTF-8, each of a limited length. They end with LF, CR or both. Not thread-safe. */
public final class InputLines implements AutoCloseable {
    /** Maximum length of a line, in characters. */
    public static final int MAX_LINE = 1 << 16;

    private final BufferedReader reader;
    private int number;
    private boolean isTooLong;

    /** The error of a line that is too long. */
    public static final class TooLongException extends IOException {
        private static final long serialVersionUID = 1;

        TooLongException(int number) {
            super("line " + number + " has more than " + MAX_LINE + " characters; give one command a line");
        }
    }

    public InputLines(InputStream stream) {
        reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8));
    }

    /**
     * Returns the next line without its end; null at the end of the stream.
     *
     * @throws TooLongException if it is too long; the next call skips the remaining part of the line
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
            if (line.length() == MAX_LINE) {
                isTooLong = true;
                throw new TooLongException(number);
            }
            line.append((char) next);
            next = reader.read();
        }
        return line.toString();
    }

    /** Checks for the end of a line, and skips the LF after a CR. */
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
