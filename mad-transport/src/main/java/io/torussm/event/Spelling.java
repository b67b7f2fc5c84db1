package io.torussm.event;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.stream.IntStream;

/**
 * A search for known words that resemble the word of an operator. Case, and hyphen or underscore, make no difference.
 */
public final class Spelling {
    /** Min letters of a word that is searched within known words. */
    private static final int MIN_PART = 3;

    private Spelling() {}

    /**
     * Returns the known word with the smallest edit distance.
     *
     * @param known known words, not empty
     */
    public static String nearest(String word, Collection<String> known) {
        String best = "";
        int bestDistance = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = distance(normalized(word), normalized(candidate));
            if (distance < bestDistance) {
                best = candidate;
                bestDistance = distance;
            }
        }
        return best;
    }

    /**
     * Returns the known words that an operator may have meant, the most probable first. A pattern with {@code *} and
     * {@code ?} leads to its matches. Otherwise the result is the words that begin with the given word; else the words
     * that contain it; else the nearest words, if at most a third of their letters differ.
     *
     * @param known known words, may be empty
     */
    public static List<String> suggestions(String word, Collection<String> known) {
        String wanted = normalized(word);
        if (wanted.isEmpty()) {
            return List.of();
        }
        if (wanted.indexOf('*') >= 0 || wanted.indexOf('?') >= 0) {
            return filter(known, candidate -> isMatch(wanted, normalized(candidate)));
        }
        List<String> beginning =
                filter(known, candidate -> normalized(candidate).startsWith(wanted));
        List<String> having = beginning.isEmpty() && wanted.length() >= MIN_PART
                ? filter(known, candidate -> normalized(candidate).contains(wanted))
                : beginning;
        return having.isEmpty() ? nearestWords(wanted, known) : having;
    }

    /** Returns the known words that a predicate accepts, the shortest first, since the fewest letters are missing. */
    private static List<String> filter(Collection<String> known, Predicate<String> isMeant) {
        return known.stream()
                .filter(isMeant)
                .distinct()
                .sorted(Comparator.comparingInt(String::length).thenComparing(Comparator.naturalOrder()))
                .toList();
    }

    /** Returns the known words with the smallest edit distance, if at most a third of the letters differ. */
    private static List<String> nearestWords(String wanted, Collection<String> known) {
        List<String> nearest = new ArrayList<>();
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            int distance = distance(wanted, normalized(candidate));
            if (distance < least) {
                least = distance;
                nearest.clear();
            }
            if (distance == least) {
                nearest.add(candidate);
            }
        }
        int distance = least;
        return filter(nearest, candidate -> distance <= Math.max(1, Math.min(wanted.length(), candidate.length()) / 3));
    }

    /**
     * Checks whether a pattern with {@code *} and {@code ?} matches a whole text. The cost is at most the product of
     * both lengths.
     */
    public static boolean isMatch(String pattern, String text) {
        // The last star, and the character of the text after its match: without a match of the rest, the star takes one
        // more.
        int star = -1;
        int starAt = 0;
        int p = 0;
        int t = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                starAt = t;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
                p++;
                t++;
            } else if (star >= 0) {
                p = star + 1;
                t = ++starAt;
            } else {
                return false;
            }
        }
        return pattern.substring(p).chars().allMatch(c -> c == '*');
    }

    /** Returns the first 64 characters in lower case, with underscores for hyphens. */
    private static String normalized(String word) {
        String start = word.length() > 64 ? word.substring(0, 64) : word;
        return start.toLowerCase(Locale.ROOT).replace('-', '_');
    }

    /**
     * Returns the min number of letters to insert, remove, replace, or exchange with a neighbour, to turn one word into
     * the other (optimal string alignment distance).
     */
    private static int distance(String from, String to) {
        // The last three rows of the table of distances between the beginnings of both words.
        int[] beforeLast = new int[to.length() + 1];
        int[] last = new int[to.length() + 1];
        int[] row = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++) {
            int[] free = beforeLast;
            beforeLast = last;
            last = row;
            row = free;
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replaced = last[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                row[j] = Math.min(replaced, 1 + Math.min(last[j], row[j - 1]));
                if (i > 1
                        && j > 1
                        && from.charAt(i - 1) == to.charAt(j - 2)
                        && from.charAt(i - 2) == to.charAt(j - 1)) {
                    row[j] = Math.min(row[j], beforeLast[j - 2] + 1);
                }
            }
        }
        return row[to.length()];
    }

    /** Returns an ordinal number: 1st, 2nd, 3rd, 4th, 11th, 21st. */
    public static String ordinal(int rank) {
        boolean isTeen = rank / 10 % 10 == 1;
        return rank
                + switch (isTeen ? 0 : rank % 10) {
                    case 1 -> "st";
                    case 2 -> "nd";
                    case 3 -> "rd";
                    default -> "th";
                };
    }
}
