package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DestinationGroups;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.Arrays;

/**
 * The number of routes over each link, and optionally over each pair of consecutive links (a turn). Turns are optional
 * because they take most of the time. One task writes an instance.
 */
final class RouteCounts {
    /** [link] number of routes over the link. */
    final int[] load;

    /** [link] its first turn. A link has a turn for each link of the switch at its far end. */
    private final int[] firstTurn;

    /** [turn] number of routes over both links; empty if turns are not counted. */
    private final int[] turns;

    private final Channels channels;
    private int longest;
    private long routes;

    RouteCounts(Channels channels, boolean hasTurns) {
        this.channels = channels;
        load = new int[channels.linkTo.length];
        firstTurn = new int[load.length + 1];
        for (int link = 0; hasTurns && link < load.length; link++) {
            firstTurn[link + 1] = firstTurn[link] + channels.degree(channels.linkTo[link]);
        }
        turns = new int[firstTurn[load.length]];
    }

    /** Counts the routes of a plan that reach their destination, without turns. */
    static RouteCounts of(Plan plan, RoutingOptions options, int tasks) {
        Channels channels = new Channels(plan, options);
        byte[][] lfts = new byte[channels.switchCount][];
        Arrays.setAll(lfts, plan::lft);
        return of(channels, lfts, DestinationGroups.of(channels, lfts, tasks), tasks, false);
    }

    /**
     * Counts the routes of tables that reach their destination.
     *
     * @param lfts [switch][LID] egress port number
     */
    static RouteCounts of(Channels channels, byte[][] lfts, DestinationGroups groups, int tasks, boolean hasTurns) {
        RouteCounts all = new RouteCounts(channels, hasTurns);
        new DestinationTrees(channels, lfts, groups)
                .visit(tasks, () -> new Counting(all, groups, new RouteCounts(channels, hasTurns)));
        return all;
    }

    /** A visitor that counts the trees of one task. */
    private record Counting(RouteCounts all, DestinationGroups groups, RouteCounts mine)
            implements DestinationTrees.Visitor {
        @Override
        public void visit(int group, DestinationTree tree) {
            tree.addTo(mine, groups.members(group).length);
        }

        @Override
        public void end() {
            synchronized (all) {
                all.add(mine);
            }
        }
    }

    /**
     * Adds routes over a link.
     *
     * @param next the next link of these routes; {@link Fabric#NONE} at the destination
     * @param count number of routes
     */
    void add(int link, int next, int count) {
        load[link] += count;
        if (turns.length > 0 && next != Fabric.NONE) {
            turns[turnIndex(link, next)] += count;
        }
    }

    /** Returns the number of routes over a link and the next link. Turns must be counted. */
    int routesOver(int link, int next) {
        return turns[turnIndex(link, next)];
    }

    private int turnIndex(int link, int next) {
        return firstTurn[link] + next - channels.firstLink[channels.linkTo[link]];
    }

    /**
     * Adds routes that end at one destination to the totals.
     *
     * @param hops number of links of the longest of these routes
     */
    void addDestination(long count, int hops) {
        routes += count;
        longest = Math.max(longest, hops);
    }

    /** Returns the number of links of the longest route. */
    int longest() {
        return longest;
    }

    /** Returns the number of all routes: pairs of a switch and a LID of another switch with a path. */
    long routes() {
        return routes;
    }

    /** Returns the max number of routes over a link. */
    int worstLoad() {
        return Arrays.stream(load).max().orElse(0);
    }

    /** Adds the counts of another task. */
    void add(RouteCounts other) {
        for (int link = 0; link < load.length; link++) {
            load[link] += other.load[link];
        }
        for (int turn = 0; turn < turns.length; turn++) {
            turns[turn] += other.turns[turn];
        }
        addDestination(other.routes, other.longest);
    }
}
