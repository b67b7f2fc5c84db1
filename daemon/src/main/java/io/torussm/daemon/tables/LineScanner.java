package io.torussm.daemon.tables;

/**
 * A scanner of the words of one line from left to right. It uses no regular expressions, since files have tens of
 * millions of lines.
 */
final class LineScanner {
    private final String line;
    private int at;

    LineScanner(String line) {
        this.line = line;
    }

    /** Skips blanks; returns true at the end of the line. */
    boolean isAtEnd() {
        while (at < line.length() && line.charAt(at) <= ' ') {
            at++;
        }
        return at == line.length();
    }

    /** Skips blanks, and a text if it follows; returns whether it follows. */
    boolean takes(String text) {
        boolean isNext = !isAtEnd() && line.startsWith(text, at);
        at += isNext ? text.length() : 0;
        return isNext;
    }

    /** Returns the next word, up to a blank, a colon or a comma. */
    String word() {
        if (isAtEnd()) {
            return "";
        }
        int start = at;
        while (at < line.length() && line.charAt(at) > ' ' && line.charAt(at) != ':' && line.charAt(at) != ',') {
            at++;
        }
        return line.substring(start, at);
    }

    /**
     * Skips all characters up to the end of a text; returns false, at the end of the line, if the text is not found.
     */
    boolean skipsPast(String text) {
        int found = line.indexOf(text, at);
        at = found < 0 ? line.length() : found + text.length();
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
        int start = at;
        int value = 0;
        while (at < line.length() && at - start <= 6) {
            int digit = Character.digit(line.charAt(at), base);
            if (digit < 0) {
                break;
            }
            value = value * base + digit;
            at++;
        }
        boolean isWord = at == line.length() || " \t\r:,)".indexOf(line.charAt(at)) >= 0;
        return at == start || at - start > 6 || !isWord ? -1 : value;
    }

    /** Returns a hexadecimal number after 0x; -1 if no such number follows. */
    int hex() {
        return takes("0x") || takes("0X") ? number(16) : -1;
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
