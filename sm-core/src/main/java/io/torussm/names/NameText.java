package io.torussm.names;

import java.util.Optional;

/** The texts of an operator's file that may be shown in a log line or on a page. */
final class NameText {
    /** Max length of a name, which is that of a NodeDescription. */
    static final int MAX_CHARS = 64;

    private NameText() {}

    /** Returns the fault of a text, to follow its subject in a sentence; empty if the text may be shown. */
    static Optional<String> fault(String text) {
        return text.codePoints()
                .filter(NameText::isHidden)
                .mapToObj(point ->
                        String.format("has the character U+%04X, which is not printable; write it without", point))
                .findFirst();
    }

    /**
     * Checks whether a character is a control, changes the direction of a line, has no meaning, or ends a line in some
     * programs.
     */
    private static boolean isHidden(int point) {
        // U+FFFD is the mark that decoders put in place of invalid bytes.
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.SURROGATE,
                    Character.PRIVATE_USE,
                    Character.UNASSIGNED,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR -> true;
            default -> point == 0xfffd;
        };
    }

    /** Returns the first {@link #MAX_CHARS} characters of a text; surrogate pairs are not separated. */
    static String cut(String text) {
        int end = text.offsetByCodePoints(0, Math.min(MAX_CHARS, text.codePointCount(0, text.length())));
        return text.substring(0, end).strip();
    }
}
