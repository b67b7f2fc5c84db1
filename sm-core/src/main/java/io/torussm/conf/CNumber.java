package io.torussm.conf;

/**
 * A number as strtoul of C parses it with base 0: {@code 0x} for hexadecimal, a leading 0 for octal,
 * an optional sign. Parsing stops at the first character that is no digit. OpenSM parses torus-2QoS.conf in this way.
 *
 * @param value value as two's complement; all bits are 1 if the digits do not fit 64 bits
 * @param end index of the first character after the number; 0 if there is no number
 * @param hasDigits whether there is a digit
 * @param isOverflow whether the digits do not fit 64 bits
 */
public record CNumber(long value, int end, boolean hasDigits, boolean isOverflow) {

    /** Parses the number at the start of a word. */
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
            // value * base + digit exceeds 2^64 - 1.
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

    /** Returns the value of the digit at an index; -1 if there is none. */
    private static int digit(String token, int at, int base) {
        if (at >= token.length() || token.charAt(at) > 'f') {
            return -1;
        }
        return Character.digit(token.charAt(at), base);
    }

    /** Returns the lower 32 bits of the value as an unsigned number, but at most the largest int. */
    public int asCount() {
        int bits = (int) value;
        return bits < 0 ? Integer.MAX_VALUE : bits;
    }
}
