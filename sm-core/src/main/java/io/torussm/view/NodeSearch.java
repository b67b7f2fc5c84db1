package io.torussm.view;

import io.torussm.event.Spelling;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The search for nodes by a text of an operator. The text is a name or its first word, a GUID in any form
 * ({@link Guid#parseAnyForm}), or the place of a switch. A place is coordinates as {@code 0,1,2} or {@code (0,1,2)},
 * or a place in a tree. If nothing matches, similar nodes are suggested.
 */
public final class NodeSearch {
    /** The maximum number of suggested nodes. */
    private static final int MAX_SUGGESTIONS = 10;

    /** The maximum number of characters of a suggested name. */
    private static final int MAX_NAME = 64;

    private static final Pattern PLACE = Pattern.compile("\\d{1,5},\\d{1,5},\\d{1,5}|\\(\\d{1,5},\\d{1,5},\\d{1,5}\\)");

    private final Fabric fabric;
    private final IntFunction<String> places;
    private final IntPredicate isSought;

    /**
     * Creates a search among some nodes of a fabric.
     *
     * @param places place of a node by index, such as {@code (0,1,2)}; empty for a node without a place
     * @param isSought selects the nodes
     */
    public NodeSearch(Fabric fabric, IntFunction<String> places, IntPredicate isSought) {
        this.fabric = fabric;
        this.places = places;
        this.isSought = isSought;
    }

    /** Checks whether a text has the form of coordinates. */
    public static boolean isPlace(String text) {
        return PLACE.matcher(text).matches();
    }

    /** Returns the GUID that a text denotes, in any form or as a decimal number; 0 if the text is no GUID. */
    public static long number(String text) {
        OptionalLong written = Guid.parseAnyForm(text);
        return written.isPresent() ? written.getAsLong() : text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    /**
     * Returns the node indexes that match a text in the first of these ways: the name is equal, the GUID is equal,
     * the place is equal, or the name begins with this word, such as {@code node017} in {@code node017 mlx5_0}.
     * Empty without a match.
     */
    public int[] find(String text) {
        int[] named = matching(node -> fabric.nodeName(node).equals(text));
        if (named.length > 0) {
            return named;
        }
        long guid = number(text);
        int[] withGuid = guid == 0 ? new int[0] : matching(node -> fabric.nodeGuid(node) == guid);
        if (withGuid.length > 0) {
            return withGuid;
        }
        int[] atPlace = at(text);
        return atPlace.length > 0 ? atPlace : withFirstWord(text);
    }

    /** Returns the nodes whose names begin with a word and continue after a blank. */
    public int[] withFirstWord(String word) {
        return word.isEmpty()
                ? new int[0]
                : matching(node -> fabric.nodeName(node).startsWith(word + " "));
    }

    /** Returns the node at a place such as {@code 0,1,2} or {@code leaf 0}; empty without such a node. */
    public int[] at(String place) {
        String coordinates = isPlace(place) && !place.startsWith("(") ? "(" + place + ")" : place;
        return coordinates.isEmpty()
                ? new int[0]
                : matching(node -> places.apply(node).equals(coordinates));
    }

    private int[] matching(IntPredicate isMeant) {
        return IntStream.range(0, fabric.nodeCount())
                .filter(isSought)
                .filter(isMeant)
                .toArray();
    }

    /** Returns suggestions for a text that names no node, as the end of a sentence; empty without similar names. */
    public String suggestion(String text) {
        Set<String> known = new LinkedHashSet<>();
        for (int node : matching(node -> !fabric.nodeName(node).isEmpty())) {
            known.add(fabric.nodeName(node));
        }
        List<String> similar = Spelling.suggestions(text, known);
        if (similar.isEmpty()) {
            return "";
        }
        List<String> shown = similar.stream()
                .limit(MAX_SUGGESTIONS)
                .map(name -> "\"" + printable(name) + "\"")
                .toList();
        int last = shown.size() - 1;
        String list = similar.size() > MAX_SUGGESTIONS
                ? String.join(", ", shown) + ", or one of " + (similar.size() - MAX_SUGGESTIONS) + " more"
                : last == 0
                        ? shown.get(0)
                        : shown.stream().limit(last).collect(Collectors.joining(", ")) + " or " + shown.get(last);
        return "; did you mean " + list + "?";
    }

    private static String printable(String name) {
        String shown = name.length() > MAX_NAME ? name.substring(0, MAX_NAME) + "..." : name;
        return shown.replaceAll("[^ -~]", "?");
    }
}
