package io.torussm.names;

import java.util.Optional;

/** Which texts of an operator's file may be shown, in a line of a log as on a page. */
final class NameText {
    /** As long as a NodeDescription. */
    static final int MAX = 64;

    private NameText() {}

    /** What is wrong with a text; empty if it may be shown. */
    static Optional<String> fault(String text) {
        return text.codePoints()
                .filter(NameText::isHidden)
                .mapToObj(point ->
                        String.format("has the character U+%04X, which is not printable; write it without", point))
                .findFirst();
    }

    /** Besides controls these turn the direction of a line, have no meaning, or end the line for some programs. */
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

    /** The first of its characters, none of them halved. */
    static String cut(String text) {
        int end = text.offsetByCodePoints(0, Math.min(MAX, text.codePointCount(0, text.length())));
        return text.substring(0, end).strip();
    }
}
