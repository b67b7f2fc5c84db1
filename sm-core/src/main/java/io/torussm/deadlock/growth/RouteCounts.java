package io.torussm.deadlock.growth;

import io.torussm.deadlock.Channels;
import io.torussm.deadlock.DestinationGroups;
import io.torussm.fabric.Fabric;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import java.util.Arrays;

/**
 * The number of routes over each link, and optionally over each pair of consecutive links (a turn), which
 * takes most of the time. Written by one task.
 */
final class RouteCounts {
    /** By link: routes over it. */
    final int[] load;

    /** By link: index of its first turn. It has one for each link of the switch at its far end. */
    private final int[] firstTurn;

    /** Empty if turns are not counted. */
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

    /** Counts the routes of a plan that arrive. */
    static RouteCounts of(Plan plan, RoutingOptions options, int tasks) {
        Channels channels = new Channels(plan, options);
        byte[][] lfts = new byte[channels.switchCount][];
        Arrays.setAll(lfts, plan::lft);
        return of(channels, lfts, new DestinationGroups(channels, lfts, tasks), tasks, false);
    }

    /** Counts the routes of tables that arrive. */
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
     * Adds routes.
     *
     * @param next the link after; {@link Fabric#NONE} at the destination
     */
    void add(int link, int next, int count) {
        load[link] += count;
        if (turns.length > 0 && next != Fabric.NONE) {
            turns[turn(link, next)] += count;
        }
    }

    /** Returns the number of routes over a link and another that follows it, if turns are counted. */
    int over(int link, int next) {
        return turns[turn(link, next)];
    }

    private int turn(int link, int next) {
        return firstTurn[link] + next - channels.firstLink[channels.linkTo[link]];
    }

    /**
     * Adds routes that end at one destination.
     *
     * @param hops hops of the longest of them
     */
    void end(long count, int hops) {
        routes += count;
        longest = Math.max(longest, hops);
    }

    /** Returns the hops of the longest route. */
    int longest() {
        return longest;
    }

    /** Returns the number of all routes. The destination's own switch has none. */
    long routes() {
        return routes;
    }

    /** Returns the number of routes over the link with the most. */
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
        end(other.routes, other.longest);
    }
}
