package io.torussm.conf;

/**
 * A number, read as C's strtoul does with automatic base: {@code 0x} for hexadecimal, a leading 0 for octal,
 * an optional sign. Reading stops at the first character that does not fit. OpenSM reads torus-2QoS.conf in
 * this way.
 *
 * @param value two's complement; all ones if the digits did not fit 64 bits
 * @param end index of the first character that was not read
 * @param digits true if there was any digit
 * @param overflow true if the digits did not fit 64 bits
 */
public record CNumber(long value, int end, boolean digits, boolean overflow) {

    /** Reads a number from the start of a word. */
    public static CNumber parse(String token) {
        int at = 0;
        boolean negative = token.startsWith("-");
        if (negative || token.startsWith("+")) {
            at++;
        }
        int base = 10;
        if (token.startsWith("0x", at) || token.startsWith("0X", at)) {
            if (digit(token, at + 2, 16) >= 0) {
                base = 16;
                at += 2;
            } else {
                base = 8;
            }
        } else if (token.startsWith("0", at)) {
            base = 8;
        }
        int first = at;
        long value = 0;
        boolean overflow = false;
        for (int digit = digit(token, at, base); digit >= 0; digit = digit(token, ++at, base)) {
            overflow |= Long.compareUnsigned(value, Long.divideUnsigned(-1L - digit, base)) > 0;
            value = value * base + digit;
        }
        if (overflow) {
            value = -1;
        } else if (negative) {
            value = -value;
        }
        return new CNumber(value, at == first ? 0 : at, at > first, overflow);
    }

    private static int digit(String token, int at, int base) {
        if (at >= token.length() || token.charAt(at) > 'f') {
            return -1;
        }
        return Character.digit(token.charAt(at), base);
    }

    /** Returns the value as an unsigned 32-bit number; the largest int if it is larger. */
    public int asCount() {
        int bits = (int) value;
        return bits < 0 ? Integer.MAX_VALUE : bits;
    }
}
