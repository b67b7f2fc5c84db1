package io.torussm.daemon.dump;

import java.io.IOException;
import java.io.OutputStream;

/**
 * A writer of ASCII text that formats numbers directly into a buffer, because a dump can have hundreds of millions of
 * lines.
 */
final class AsciiWriter implements AutoCloseable {
    private static final byte[] LOWER = digits("0123456789abcdef");
    private static final byte[] UPPER = digits("0123456789ABCDEF");

    private final byte[] buffer = new byte[1 << 16];
    private final byte[] scratch = new byte[20];
    private final OutputStream out;
    private int length;

    AsciiWriter(OutputStream out) {
        this.out = out;
    }

    private static byte[] digits(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    }

    /** Appends text. Each character outside printable ASCII becomes a question mark. */
    AsciiWriter put(String text) throws IOException {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            put(c == '\n' || (c >= ' ' && c <= '~') ? c : '?');
        }
        return this;
    }

    /** Appends a name that a device chose, without quotes, braces and line ends. */
    AsciiWriter putName(String name) throws IOException {
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            put(c >= ' ' && c <= '~' && c != '}' && c != '{' && c != '"' && c != '\'' ? c : '?');
        }
        return this;
    }

    AsciiWriter put(char c) throws IOException {
        if (length == buffer.length) {
            flush();
        }
        buffer[length++] = (byte) c;
        return this;
    }

    /** Appends a hexadecimal number in lower case, with leading zeros up to a width. */
    AsciiWriter hex(long value, int width) throws IOException {
        return hex(value, width, LOWER);
    }

    /** Appends a hexadecimal number in upper case, with leading zeros up to a width. */
    AsciiWriter upperHex(long value, int width) throws IOException {
        return hex(value, width, UPPER);
    }

    private AsciiWriter hex(long value, int width, byte[] digits) throws IOException {
        int count = Math.max(width, (67 - Long.numberOfLeadingZeros(value | 1)) / 4);
        for (int shift = 4 * (count - 1); shift >= 0; shift -= 4) {
            put((char) digits[(int) (value >>> shift) & 0xf]);
        }
        return this;
    }

    /** Appends a decimal number with leading zeros up to a width. */
    AsciiWriter decimal(int value, int width) throws IOException {
        int digits = digits(value);
        for (int i = digits; i < width; i++) {
            put('0');
        }
        return putDigits(digits);
    }

    /** Appends a decimal number, followed by blanks up to a width. */
    AsciiWriter decimalLeft(int value, int width) throws IOException {
        int digits = digits(value);
        putDigits(digits);
        for (int i = digits; i < width; i++) {
            put(' ');
        }
        return this;
    }

    private int digits(int value) {
        int count = 0;
        int rest = value;
        do {
            scratch[count++] = LOWER[rest % 10];
            rest /= 10;
        } while (rest > 0);
        return count;
    }

    private AsciiWriter putDigits(int count) throws IOException {
        for (int i = count - 1; i >= 0; i--) {
            put((char) scratch[i]);
        }
        return this;
    }

    /** Appends bytes unchanged, for a file that is no text. */
    AsciiWriter put(byte[] bytes) throws IOException {
        flush();
        out.write(bytes);
        return this;
    }

    private void flush() throws IOException {
        out.write(buffer, 0, length);
        length = 0;
    }

    @Override
    public void close() throws IOException {
        flush();
        out.close();
    }
}
