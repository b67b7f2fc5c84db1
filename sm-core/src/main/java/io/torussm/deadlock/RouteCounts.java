package io.torussm.deadlock;

import io.torussm.fabric.Fabric;

/** Routes over each link, and over each link and the next. Written by one task. */
final class RouteCounts {
    /** By link: routes over it. */
    final int[] load;

    /** By link: where its turns begin, one for each link of the switch that it leads to. */
    private final int[] firstTurn;

    private final int[] turns;
    private final Channels channels;

    RouteCounts(Channels channels) {
        this.channels = channels;
        load = new int[channels.linkTo.length];
        firstTurn = new int[load.length + 1];
        for (int link = 0; link < load.length; link++) {
            firstTurn[link + 1] = firstTurn[link] + channels.degree(channels.linkTo[link]);
        }
        turns = new int[firstTurn[load.length]];
    }

    /**
     * Adds routes.
     *
     * @param next the link after; {@link Fabric#NONE} at the destination
     */
    void add(int link, int next, int count) {
        load[link] += count;
        if (next != Fabric.NONE) {
            turns[turn(link, next)] += count;
        }
    }

    /** Routes over a link and another that follows it. */
    int over(int link, int next) {
        return turns[turn(link, next)];
    }

    private int turn(int link, int next) {
        return firstTurn[link] + next - channels.firstLink[channels.linkTo[link]];
    }

    /** Adds what another task counted. */
    void add(RouteCounts other) {
        for (int link = 0; link < load.length; link++) {
            load[link] += other.load[link];
        }
        for (int turn = 0; turn < turns.length; turn++) {
            turns[turn] += other.turns[turn];
        }
    }
}
