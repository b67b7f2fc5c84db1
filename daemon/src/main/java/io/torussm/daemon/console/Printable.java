package io.torussm.daemon.console;

import java.util.List;

/** Text from devices and clients, made fit for a line on a terminal. */
final class Printable {
    private Printable() {}

    /** At most so many characters; what is not printable ASCII becomes a question mark. */
    static String text(String text, int max) {
        String shown = text.length() > max ? text.substring(0, max) + "..." : text;
        return shown.replaceAll("[^ -~]", "?");
    }

    /** The same for each line. */
    static List<String> lines(List<String> lines, int max) {
        return lines.stream().map(line -> text(line, max)).toList();
    }

    /** Whether a terminal shows all of it, and a request can hold it in quotes. */
    static boolean is(String text) {
        return text.matches("[ !#-~]*");
    }
}
