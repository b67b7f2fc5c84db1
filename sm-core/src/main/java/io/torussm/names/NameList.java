package io.torussm.names;

import java.util.List;
import java.util.stream.Collectors;

/** A list of names in a sentence, of which the first ones are shown, such as {@code a, b and 3 more}. */
public final class NameList {
    private NameList() {}

    /**
     * Returns the text of a list.
     *
     * @param names names or texts of devices
     * @param max max number of shown names
     */
    public static String of(List<?> names, int max) {
        return of(names, names.size(), max);
    }

    /**
     * Returns the text of a list that is longer than the known names.
     *
     * @param names the first names or texts of devices, at least {@code max} of them if the list has as many
     * @param total number of names in the list
     * @param max max number of shown names
     */
    public static String of(List<?> names, int total, int max) {
        return names.stream().limit(max).map(String::valueOf).collect(Collectors.joining(", "))
                + (total > max ? " and " + (total - max) + " more" : "");
    }
}
