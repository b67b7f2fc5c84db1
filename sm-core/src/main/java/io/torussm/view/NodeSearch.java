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
 * Finds nodes by what people write: a name, a GUID in any form ({@link Guid#written}), the place of a switch as {@code 0,1,2} or
 * {@code (0,1,2)}; and says what may be meant by what is none of these.
 */
public final class NodeSearch {
    /** So many may be meant and are named. */
    private static final int LISTED = 10;

    private static final int MAX_NAME = 64;
    private static final Pattern PLACE = Pattern.compile("\\d{1,5},\\d{1,5},\\d{1,5}|\\(\\d{1,5},\\d{1,5},\\d{1,5}\\)");

    private final Fabric fabric;
    private final IntFunction<String> places;
    private final IntPredicate isSought;

    /**
     * Among some nodes of a fabric.
     *
     * @param places of nodes, such as {@code (0,1,2)}; empty for those without
     */
    public NodeSearch(Fabric fabric, IntFunction<String> places, IntPredicate isSought) {
        this.fabric = fabric;
        this.places = places;
        this.isSought = isSought;
    }

    /** Whether a text is written as places are. */
    public static boolean isPlace(String text) {
        return PLACE.matcher(text).matches();
    }

    /** The GUID that a text is, in any form or as a decimal number; 0 if it is none. */
    public static long number(String text) {
        OptionalLong written = Guid.written(text);
        return written.isPresent() ? written.getAsLong() : text.matches("\\d{1,18}") ? Long.parseLong(text) : 0;
    }

    /** The nodes that have the name; if there are none, the one with the GUID; if there is none, the one at the place. */
    public int[] find(String text) {
        int[] named = those(node -> fabric.nodeName(node).equals(text));
        if (named.length > 0) {
            return named;
        }
        long guid = number(text);
        int[] withGuid = guid == 0 ? new int[0] : those(node -> fabric.nodeGuid(node) == guid);
        return withGuid.length > 0 || !isPlace(text) ? withGuid : at(text);
    }

    /** The node at a place; empty if there is none. */
    public int[] at(String place) {
        String at = place.startsWith("(") ? place : "(" + place + ")";
        return those(node -> places.apply(node).equals(at));
    }

    private int[] those(IntPredicate isMeant) {
        return IntStream.range(0, fabric.nodeCount())
                .filter(isSought)
                .filter(isMeant)
                .toArray();
    }

    /** What may be meant by a text that names no node, as the rest of a sentence; empty if nobody can tell. */
    public String suggestion(String text) {
        Set<String> known = new LinkedHashSet<>();
        for (int node : those(node -> !fabric.nodeName(node).isEmpty())) {
            known.add(fabric.nodeName(node));
        }
        List<String> like = Spelling.like(text, known);
        if (like.isEmpty()) {
            return "";
        }
        List<String> shown = like.stream()
                .limit(LISTED)
                .map(name -> "\"" + printable(name) + "\"")
                .toList();
        int last = shown.size() - 1;
        String list = like.size() > LISTED
                ? String.join(", ", shown) + ", or one of " + (like.size() - LISTED) + " more"
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
