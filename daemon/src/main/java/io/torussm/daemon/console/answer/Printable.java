package io.torussm.daemon.console.answer;

import java.util.List;

/** Text from devices and clients, made fit for a line on a terminal. */
public final class Printable {
    private Printable() {}

    /** Truncates a text and replaces characters that are not printable ASCII by question marks. */
    public static String text(String text, int max) {
        String shown = text.length() > max ? text.substring(0, max) + "..." : text;
        return shown.replaceAll("[^ -~]", "?");
    }

    /** Returns the same for each line. */
    public static List<String> lines(List<String> lines, int max) {
        return lines.stream().map(line -> text(line, max)).toList();
    }

    /** Checks whether a terminal can print all of it, and a request can contain it in quotes. */
    public static boolean is(String text) {
        return text.matches("[ !#-~]*");
    }
}
