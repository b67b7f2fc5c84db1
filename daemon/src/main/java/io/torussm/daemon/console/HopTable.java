package io.torussm.daemon.console;

import java.util.ArrayList;
import java.util.List;

/** The hops of one path as lines for a terminal: aligned columns, those left out that are empty, long reasons wrapped. */
final class HopTable {
    private static final int WIDTH = 118;
    private static final int LEAST_REASON = 40;
    private static final String GAP = "  ";

    /** What a reason starts with, a direction such as {@code +x}, stays in front of its wrapped lines. */
    private static final int DIRECTION = 4;

    private static final List<String> HEAD = List.of("hop", "node", "place", "in", "out", "VL", "why");

    private final List<List<String>> rows = new ArrayList<>();
    private int switches;

    HopTable() {
        rows.add(HEAD);
    }

    /** The CA or router port that sends the packet. */
    void addSource(String name, int out, String vls) {
        rows.add(List.of("0", name, "", "", Integer.toString(out), vls, ""));
    }

    /** A switch, the next on the path. */
    void addSwitch(String name, String place, int in, int out, String vls, String why) {
        switches++;
        String number = Integer.toString(switches);
        rows.add(List.of(number, name, place, Integer.toString(in), Integer.toString(out), vls, why));
    }

    /** Switches on the path that forward the packet. */
    int switches() {
        return switches;
    }

    List<String> lines() {
        int last = HEAD.size() - 1;
        int[] widths = new int[last];
        int reasonAt = 0;
        for (int column = 0; column < last; column++) {
            widths[column] = width(column);
            reasonAt += widths[column] == 0 ? 0 : widths[column] + GAP.length();
        }
        boolean hasReasons = width(last) > 0;
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder();
            for (int column = 0; column < last; column++) {
                if (widths[column] > 0) {
                    line.append(padded(row.get(column), widths[column])).append(GAP);
                }
            }
            String indent = " ".repeat(reasonAt + DIRECTION);
            List<String> reason =
                    wrapped(hasReasons ? row.get(last) : "", Math.max(LEAST_REASON, WIDTH - indent.length()));
            lines.add(line.append(reason.get(0)).toString().stripTrailing());
            reason.subList(1, reason.size()).forEach(more -> lines.add(indent + more));
        }
        return lines;
    }

    /** The widest cell, 0 if there is nothing below the head. */
    private int width(int column) {
        int width = rows.stream()
                .skip(1)
                .mapToInt(row -> row.get(column).length())
                .max()
                .orElse(0);
        return width == 0 ? 0 : Math.max(width, HEAD.get(column).length());
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(width - text.length());
    }

    private static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        String rest = text;
        for (int blank = blankBefore(rest, width); blank > DIRECTION; blank = blankBefore(rest, width)) {
            lines.add(rest.substring(0, blank));
            rest = rest.substring(blank + 1);
        }
        lines.add(rest);
        return lines;
    }

    /** Where to break a text that is longer than a line; -1 if it is not, or has no blank. */
    private static int blankBefore(String text, int width) {
        return text.length() <= width ? -1 : text.lastIndexOf(' ', width);
    }
}
