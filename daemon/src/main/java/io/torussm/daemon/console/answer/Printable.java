package io.torussm.daemon.console.answer;

import java.util.List;

/** The conversion of texts from devices and clients to lines that are safe for a terminal. */
public final class Printable {
    private Printable() {}

    /** Truncates a text and replaces characters that are not printable ASCII by question marks. */
    public static String text(String text, int max) {
        String shown = text.length() > max ? text.substring(0, max) + "..." : text;
        return shown.replaceAll("[^ -~]", "?");
    }

    /** Truncates each line, and replaces its characters that are not printable ASCII by question marks. */
    public static List<String> lines(List<String> lines, int max) {
        return lines.stream().map(line -> text(line, max)).toList();
    }

    /** Checks whether a terminal can print all characters of a text, and a request can contain the text in quotes. */
    public static boolean isPrintable(String text) {
        return text.matches("[ !#-~]*");
    }
}
