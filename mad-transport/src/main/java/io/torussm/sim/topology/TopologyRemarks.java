package io.torussm.sim.topology;

import java.util.ArrayList;
import java.util.List;

/** The counts of the parts of a file that a topology cannot contain. They form one warning about the file. */
final class TopologyRemarks {
    private static final int MAX_EXAMPLE = 60;

    /** Ends of cables whose rate ibnetdiscover printed as {@code ???}. */
    int unknownRates;

    /** Cables whose ends have different rates. */
    int differentRates;

    /** Repetitions of nodes in the file. */
    int repeatedNodes;

    /** Descriptions of more than 64 bytes. */
    int longDescriptions;

    /**
     * Returns the warning.
     *
     * @return empty if all counts are 0
     */
    String warning(String file, TopologyLines lines) {
        List<String> parts = new ArrayList<>();
        if (lines.skippedLines() > 0) {
            parts.add("passed over " + counted(lines.skippedLines(), "line", "") + ", first line "
                    + lines.firstSkippedLine() + ": " + quoted(lines.example()));
        }
        add(parts, repeatedNodes, "node", " listed again, passed over");
        add(parts, differentRates, "cable", " with unlike rates at its ends, the slower one is taken");
        add(parts, unknownRates, "end", " of unknown rate (\"???\"), the rate of the other end or 4xQDR is taken");
        add(parts, longDescriptions, "description", " longer than 64 bytes, shortened");
        if (!lines.isText()) {
            parts.add("characters that are not UTF-8, replaced");
        }
        return parts.isEmpty() ? "" : file + ": " + String.join("; ", parts);
    }

    private static void add(List<String> parts, int count, String noun, String rest) {
        if (count > 0) {
            parts.add(counted(count, noun, rest));
        }
    }

    private static String counted(int count, String noun, String rest) {
        return count + " " + noun + (count == 1 ? "" : "s") + rest;
    }

    /** Returns the beginning of a line, printable and in quotes. */
    static String quoted(String text) {
        String printable = text.replaceAll("[^\\x20-\\x7e]", " ");
        return '"' + (printable.length() <= MAX_EXAMPLE ? printable : printable.substring(0, MAX_EXAMPLE) + "..") + '"';
    }
}
