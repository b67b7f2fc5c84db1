package io.torussm.event;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Finds the known word that an operator may have meant. */
public final class Spelling {
    /** Letters of a part of a word that says which is meant. */
    private static final int MIN_PART = 3;

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

    /**
     * The known word that is meant in all likelihood: one that begins with the word, or has it in it, the shortest of them; else
     * the nearest one, if no more than a third of its letters differ. Empty if none is like it.
     *
     * @param known may be empty
     */
    public static Optional<String> like(String word, Collection<String> known) {
        String wanted = plain(word);
        if (wanted.isEmpty() || known.isEmpty()) {
            return Optional.empty();
        }
        Comparator<String> shortest = Comparator.comparingInt(String::length);
        Optional<String> beginning =
                known.stream().filter(each -> plain(each).startsWith(wanted)).min(shortest);
        if (beginning.isPresent()) {
            return beginning;
        }
        Optional<String> having =
                known.stream().filter(each -> plain(each).contains(wanted)).min(shortest);
        if (having.isPresent() && wanted.length() >= MIN_PART) {
            return having;
        }
        String nearest = nearest(word, known);
        int most = Math.max(1, Math.min(wanted.length(), nearest.length()) / 3);
        return distance(wanted, plain(nearest)) <= most ? Optional.of(nearest) : Optional.empty();
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
