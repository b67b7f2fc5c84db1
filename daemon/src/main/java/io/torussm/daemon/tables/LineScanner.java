package io.torussm.daemon.tables;

/**
 * A scanner of the words of one line from left to right. It uses no regular expressions, since files have tens of
 * millions of lines.
 */
final class LineScanner {
    private final String line;
    private int position;

    LineScanner(String line) {
        this.line = line;
    }

    /** Skips blanks; returns true at the end of the line. */
    boolean isAtEnd() {
        while (position < line.length() && line.charAt(position) <= ' ') {
            position++;
        }
        return position == line.length();
    }

    /** Skips blanks, and a text if it follows; returns whether it follows. */
    boolean skipIfNext(String text) {
        boolean isNext = !isAtEnd() && line.startsWith(text, position);
        position += isNext ? text.length() : 0;
        return isNext;
    }

    /** Returns the next word, up to a blank, a colon or a comma. */
    String word() {
        if (isAtEnd()) {
            return "";
        }
        int start = position;
        while (position < line.length()
                && line.charAt(position) > ' '
                && line.charAt(position) != ':'
                && line.charAt(position) != ',') {
            position++;
        }
        return line.substring(start, position);
    }

    /**
     * Skips all characters up to the end of a text; returns false, at the end of the line, if the text is not found.
     */
    boolean skipPast(String text) {
        int found = line.indexOf(text, position);
        position = found < 0 ? line.length() : found + text.length();
        return found >= 0;
    }

    /**
     * Returns the next word as a number.
     *
     * @param base base of the digits, 10 or 16
     * @return -1 if the word is no number, or has more than six digits
     */
    int number(int base) {
        if (isAtEnd()) {
            return -1;
        }
        int start = position;
        int value = 0;
        while (position < line.length() && position - start <= 6) {
            int digit = Character.digit(line.charAt(position), base);
            if (digit < 0) {
                break;
            }
            value = value * base + digit;
            position++;
        }
        boolean isWord = position == line.length() || " \t\r:,)".indexOf(line.charAt(position)) >= 0;
        return position == start || position - start > 6 || !isWord ? -1 : value;
    }

    /** Returns a hexadecimal number after 0x; -1 if no such number follows. */
    int hex() {
        return skipIfNext("0x") || skipIfNext("0X") ? number(16) : -1;
    }

    /**
     * Returns a GUID after 0x.
     *
     * @throws IllegalArgumentException if no GUID follows
     */
    long guid() {
        String word = word();
        try {
            if (word.startsWith("0x") && word.length() <= 18) {
                return Long.parseUnsignedLong(word.substring(2), 16);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("there should be a GUID, such as 0x0002c90300a1b2c3", e);
        }
        throw new IllegalArgumentException("there should be a GUID, such as 0x0002c90300a1b2c3");
    }
}
