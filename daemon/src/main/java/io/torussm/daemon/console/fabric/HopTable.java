package io.torussm.daemon.console.fabric;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The hops of one path as lines for a terminal. Columns are aligned, empty columns are omitted, and long reasons are
 * wrapped.
 */
final class HopTable {
    private static final int WIDTH = 118;
    private static final int MIN_REASON_WIDTH = 40;
    private static final String GAP = "  ";

    /** Indentation of wrapped lines: the width of the direction, such as {@code +x}, at the start of a reason. */
    private static final int DIRECTION_WIDTH = 4;

    private static final List<String> HEAD = List.of("hop", "node", "place", "site", "in", "out", "cable", "VL", "why");

    private final List<List<String>> rows = new ArrayList<>();

    /**
     * The passage of a packet through a node.
     *
     * @param hop number of the switch on the path, from 1; 0 for the CA or router that sends the packet
     * @param node name of the node
     * @param guid GUID of the node, as text
     * @param place coordinates of the switch; empty if it has no coordinates
     * @param site position of the node in the machine room; empty if unknown
     * @param in number of the ingress port; null at hop 0
     * @param out number of the egress port
     * @param cable label of the cable at the egress port; empty if unknown
     * @param vls VLs at the egress port, one for each requested level; empty if unknown
     * @param why the engine's reason; empty if the engine gives none
     */
    record Hop(
            int hop,
            String node,
            String guid,
            String place,
            String site,
            @Nullable Integer in,
            int out,
            String cable,
            List<Integer> vls,
            String why) {
        static Hop source(String node, String guid, String site, int out, String cable, List<Integer> vls) {
            return new Hop(0, node, guid, "", site, null, out, cable, vls, "source");
        }
    }

    HopTable(List<Hop> hops) {
        rows.add(HEAD);
        for (Hop hop : hops) {
            rows.add(List.of(
                    Integer.toString(hop.hop()),
                    hop.node(),
                    hop.place(),
                    hop.site(),
                    hop.in() == null ? "" : hop.in().toString(),
                    Integer.toString(hop.out()),
                    hop.cable(),
                    hop.vls().isEmpty()
                            ? "?"
                            : hop.vls().stream().map(String::valueOf).collect(Collectors.joining("/")),
                    hop.why()));
        }
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
            String indent = " ".repeat(reasonAt + DIRECTION_WIDTH);
            List<String> reason =
                    wrapped(hasReasons ? row.get(last) : "", Math.max(MIN_REASON_WIDTH, WIDTH - indent.length()));
            lines.add(line.append(reason.get(0)).toString().stripTrailing());
            reason.subList(1, reason.size()).forEach(more -> lines.add(indent + more));
        }
        return lines;
    }

    /** Returns the width of a column; 0 if all cells below the head are empty. */
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
        for (int blank = blankBefore(rest, width); blank > DIRECTION_WIDTH; blank = blankBefore(rest, width)) {
            lines.add(rest.substring(0, blank));
            rest = rest.substring(blank + 1);
        }
        lines.add(rest);
        return lines;
    }

    /** Returns the index of the last blank that fits a line; -1 if the text needs no break, or has no such blank. */
    private static int blankBefore(String text, int width) {
        return text.length() <= width ? -1 : text.lastIndexOf(' ', width);
    }
}
