package io.torussm.names;

import java.util.Optional;

/** The texts of an operator's file that may be shown in a log line or on a page. */
final class NameText {
    /** The length of a NodeDescription. */
    static final int MAX = 64;

    private NameText() {}

    /** Returns the fault of a text; empty if it may be shown. */
    static Optional<String> fault(String text) {
        return text.codePoints()
                .filter(NameText::isHidden)
                .mapToObj(point ->
                        String.format("has the character U+%04X, which is not printable; write it without", point))
                .findFirst();
    }

    /**
     * Checks for characters that are controls, change the direction of a line, have no meaning, or end a line
     * in some programs.
     */
    private static boolean isHidden(int point) {
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

    /** Returns the first characters of a text; surrogate pairs stay whole. */
    static String cut(String text) {
        int end = text.offsetByCodePoints(0, Math.min(MAX, text.codePointCount(0, text.length())));
        return text.substring(0, end).strip();
    }
}
