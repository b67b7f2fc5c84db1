package io.torussm.routing;

/**
 * What it costs that an engine refused and a last resort made the tables of a plan. A route is that of a switch to a
 * LID of another switch. Immutable.
 *
 * @param reason why the engine refused
 * @param isUpDown whether no route of the engine was kept: all go up and down a tree
 * @param routes all of them
 * @param bentRoutes those that do not go as the engine would have them go
 * @param longest hops between switches of the longest route
 * @param longestBefore the same of the engine's own plan that was in force before; -1 if there was none
 * @param worstLoad routes over the link with the most, in one direction
 * @param worstLoadBefore the same of the engine's own plan that was in force before; -1 if there was none
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
    /** The share of routes that are bent, 0 to 1. */
    public double bentShare() {
        return routes == 0 ? 0 : (double) bentRoutes / routes;
    }

    /** In one line, without the reason. */
    public String summary() {
        return bentRoutes + " of " + routes + " routes bent (" + percent() + " %)"
                + (isUpDown ? ", all of them up and down a tree" : "") + ", longest " + longest + " hops"
                + before(longestBefore) + ", most routes over a link " + worstLoad + before(worstLoadBefore);
    }

    private static String before(int value) {
        return value < 0 ? "" : " (before " + value + ")";
    }

    private String percent() {
        long tenths = Math.round(1000 * bentShare());
        return tenths / 10 + "." + tenths % 10;
    }
}
