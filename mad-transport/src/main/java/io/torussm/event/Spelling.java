package io.torussm.event;

import java.util.Collection;
import java.util.Locale;

/** Finds the known word that an operator may have meant. */
public final class Spelling {
    private Spelling() {}

    /**
     * The known word with the smallest edit distance, upper and lower case, hyphen and underscore alike.
     *
     * @param known not empty
     */
    public static String nearest(String word, Collection<String> known) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String each : known) {
            int distance = distance(plain(word), plain(each));
            if (distance < bestDistance) {
                best = each;
                bestDistance = distance;
            }
        }
        return best;
    }

    private static String plain(String word) {
        String start = word.length() > 64 ? word.substring(0, 64) : word;
        return start.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    private static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
