package io.torussm.paths;

import io.torussm.conf.ConfLines;
import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The routers to other subnets. Each line of the file is {@code PREFIX ROUTER}, each in hexadecimal or {@code *} for
 * any; the first matching line applies. Immutable.
 *
 * <p>If a line is invalid, the file is rejected; OpenSM would use the lines before it.
 */
public final class PrefixRoutes {
    /** The empty list, with which no other subnet is reachable. */
    public static final PrefixRoutes NONE = new PrefixRoutes(List.of());

    /** The result of {@link #routerTo} for a prefix without a matching line. */
    static final long NO_ROUTE = -1;

    private static final int MAX_ROUTES = 4096;
    private static final int MAX_ERRORS = 100;

    /** {@code *}; no prefix or GUID has this value. */
    private static final long ANY = 0;

    private record Route(long prefix, long routerGuid) {}

    /**
     * The result of parsing a file.
     *
     * @param routes the routes; null if there is an error
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

    /** Parses the text of a file, whose name is used in errors. */
    public static Parsed parse(String file, String text) {
        ConfLines lines = new ConfLines(file, SmEvent.PREFIX_ROUTES_ERROR, SmEvent.PREFIX_ROUTES_ERROR);
        List<Route> routes = new ArrayList<>();
        lines.read(text, "list of routes", "write a prefix and a router", line -> parseLine(line, routes, lines));
        if (routes.size() > MAX_ROUTES) {
            lines.error(0, "more than " + MAX_ROUTES + " routes; end with one for *");
        }
        return new Parsed(
                lines.isClean() ? new PrefixRoutes(routes) : null,
                lines.findings().stream().limit(MAX_ERRORS).toList());
    }

    private static void parseLine(String rawLine, List<Route> routes, ConfLines lines) {
        String line = ConfLines.withoutComment(rawLine);
        String[] words = line.split("\\s+", 4);
        if (words.length == 2) {
            long prefix = number(words[0], "subnet prefix ", lines);
            routes.add(new Route(prefix, number(words[1], "router port GUID ", lines)));
        } else if (!line.isEmpty()) {
            lines.error("a route is a subnet prefix and the port GUID of a router, not " + ConfLines.quote(line)
                    + "; write two words, such as 0xfec0000000000001 *");
        }
    }

    private static long number(String word, String noun, ConfLines lines) {
        if (word.equals("*")) {
            return ANY;
        }
        String digits = word.startsWith("0x") || word.startsWith("0X") ? word.substring(2) : word;
        long value = digits.matches("[0-9a-fA-F]{1,16}") ? Long.parseUnsignedLong(digits, 16) : ANY;
        if (value == ANY || value == NO_ROUTE) {
            lines.error(noun + ConfLines.quote(word)
                    + ": write up to 16 hexadecimal digits, not all of them 0 or f, or * for any");
        }
        return value;
    }

    /**
     * Returns the PortGUID of the router to a prefix; 0 for any router; {@link #NO_ROUTE} if there is no route.
     */
    long routerTo(long prefix) {
        for (Route route : routes) {
            if (route.prefix() == ANY || route.prefix() == prefix) {
                return route.routerGuid();
            }
        }
        return NO_ROUTE;
    }

    /** Returns the number of routes. */
    public int size() {
        return routes.size();
    }
}
