package io.torussm.daemon.console.answer;

import java.util.ArrayList;
import java.util.List;

/** A table for a terminal, with columns aligned at the left. */
public final class TextTable {
    private static final String GAP = "  ";

    private final List<String[]> rows = new ArrayList<>();
    private final int[] widths;

    public TextTable(String... head) {
        widths = new int[head.length];
        row((Object[]) head);
    }

    /** Adds a row with one cell for each column of the head. */
    public TextTable row(Object... cells) {
        String[] texts = new String[widths.length];
        for (int i = 0; i < texts.length; i++) {
            texts[i] = String.valueOf(cells[i]);
            widths[i] = Math.max(widths[i], texts[i].length());
        }
        rows.add(texts);
        return this;
    }

    public List<String> lines() {
        List<String> lines = new ArrayList<>(rows.size());
        for (String[] row : rows) {
            StringBuilder line = new StringBuilder();
            for (int i = 0; i < row.length; i++) {
                line.append(row[i]);
                line.append(" ".repeat(i == row.length - 1 ? 0 : widths[i] - row[i].length() + GAP.length()));
            }
            lines.add(line.toString().stripTrailing());
        }
        return lines;
    }
}
