package io.torussm.routing;

/**
 * The quality of the routes of a last resort, after an engine refused. A route goes from a switch to a LID of
 * another switch. Immutable.
 *
 * @param reason reason why the engine refused
 * @param isUpDown true if no route of the engine was kept, so that all routes go up and down a tree
 * @param routes number of all routes
 * @param bentRoutes number of routes that differ from the engine's
 * @param longest hops between switches of the longest route
 * @param longestBefore hops between switches of the longest route of the engine's previous active plan; -1
 *     without such a plan
 * @param worstLoad number of routes over the busiest link, in one direction
 * @param worstLoadBefore number of routes over the busiest link of the engine's previous active plan; -1 without
 *     such a plan
 */
public record Degradation(
        String reason,
        boolean isUpDown,
        long routes,
        long bentRoutes,
        int longest,
        int longestBefore,
        int worstLoad,
        int worstLoadBefore) {
    /** Returns the share of routes that are bent, 0 to 1. */
    public double bentShare() {
        return routes == 0 ? 0 : (double) bentRoutes / routes;
    }

    /** Returns a summary in one line, without the reason. */
    public String summary() {
        return bentRoutes + " of " + routes + " routes detour (" + percent() + " %)"
                + (isUpDown ? ", all of them up and down a tree" : "") + ", longest " + longest + " hops"
                + previousText(longestBefore) + ", most routes over a link " + worstLoad
                + previousText(worstLoadBefore);
    }

    private static String previousText(int value) {
        return value < 0 ? "" : " (before " + value + ")";
    }

    private String percent() {
        long tenths = Math.round(1000 * bentShare());
        return tenths / 10 + "." + tenths % 10;
    }
}
