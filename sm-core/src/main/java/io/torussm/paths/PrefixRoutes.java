package io.torussm.paths;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Which router leads to which other subnet: {@code PREFIX ROUTER} on a line each, in hexadecimal or {@code *} for any, the
 * first line that fits decides. Immutable.
 *
 * <p>Stricter than OpenSM, which goes on with the lines before a bad one.
 */
public final class PrefixRoutes {
    /** No other subnet can be reached. */
    public static final PrefixRoutes NONE = new PrefixRoutes(List.of());

    /** What {@link #routerTo} says of a prefix that no line fits. */
    static final long NO_ROUTE = -1;

    private static final int MAX_CHARS = 1 << 20;
    private static final int MAX_ROUTES = 4096;
    private static final int MAX_ERRORS = 100;
    private static final int MAX_SHOWN = 60;

    /** {@code *}; there is no such prefix and no such GUID. */
    private static final long ANY = 0;

    private record Route(long prefix, long routerGuid) {}

    /**
     * What came of a file.
     *
     * @param routes null if there is an error
     * @param findings errors, each with file, line and remedy
     */
    public record Parsed(@Nullable PrefixRoutes routes, List<Finding> findings) {
        public Parsed {
            findings = List.copyOf(findings);
        }
    }

    private final List<Route> routes;

    private PrefixRoutes(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    /** Reads the text of a file. */
    public static Parsed parse(String file, String text) {
        if (text.length() > MAX_CHARS) {
            return new Parsed(
                    null,
                    List.of(SmEvent.PREFIX_ROUTES_ERROR.says(
                            file + " has more than " + MAX_CHARS + " characters; leave routes out")));
        }
        List<Route> routes = new ArrayList<>();
        List<Finding> errors = new ArrayList<>();
        String[] lines = text.split("\n", -1);
        for (int i = 0; i < lines.length && errors.size() < MAX_ERRORS; i++) {
            int comment = lines[i].indexOf('#');
            String line = (comment < 0 ? lines[i] : lines[i].substring(0, comment)).strip();
            if (line.isEmpty()) {
                continue;
            }
            String where = file + ":" + (i + 1) + ": ";
            String[] words = line.split("\\s+", 4);
            if (words.length != 2) {
                errors.add(SmEvent.PREFIX_ROUTES_ERROR.says(
                        where + "a route is a subnet prefix and the port GUID of a router, not \"" + shorten(line)
                                + "\"; write two words, such as 0xfec0000000000001 *"));
            } else if (routes.size() == MAX_ROUTES) {
                errors.add(SmEvent.PREFIX_ROUTES_ERROR.says(
                        where + "more than " + MAX_ROUTES + " routes; end with one for *"));
                break;
            } else {
                long prefix = number(words[0], where + "subnet prefix ", errors);
                long router = number(words[1], where + "router port GUID ", errors);
                routes.add(new Route(prefix, router));
            }
        }
        return new Parsed(errors.isEmpty() ? new PrefixRoutes(routes) : null, errors);
    }

    private static long number(String word, String what, List<Finding> errors) {
        if (word.equals("*")) {
            return ANY;
        }
        String digits = word.startsWith("0x") || word.startsWith("0X") ? word.substring(2) : word;
        long value = digits.matches("[0-9a-fA-F]{1,16}") ? Long.parseUnsignedLong(digits, 16) : ANY;
        if (value == ANY || value == NO_ROUTE) {
            errors.add(SmEvent.PREFIX_ROUTES_ERROR.says(what + "\"" + shorten(word)
                    + "\": write up to 16 hexadecimal digits, not all of them 0 or f, or * for any"));
        }
        return value;
    }

    /** Text from the file fit for one line of a log. */
    private static String shorten(String text) {
        String shown = text.length() > MAX_SHOWN ? text.substring(0, MAX_SHOWN) + "..." : text;
        return shown.replaceAll("[^ -~]", "?");
    }

    /** Port GUID of the router to a prefix, 0 if any will do, {@link #NO_ROUTE} if there is no route. */
    long routerTo(long prefix) {
        for (Route route : routes) {
            if (route.prefix() == ANY || route.prefix() == prefix) {
                return route.routerGuid();
            }
        }
        return NO_ROUTE;
    }

    /** How many routes there are. */
    public int size() {
        return routes.size();
    }
}
