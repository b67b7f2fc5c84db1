package io.torussm.routing.lanes;

import java.util.Arrays;

/**
 * The turns in each lane, and for each lane a topological order of channels: each turn leads to a channel with a
 * higher place. While such an order exists, the lane has no credit loop. If an added turn leads to a lower
 * place, the order is changed. The algorithm is from Bender, Fineman, Gilbert and Tarjan, "A new approach to
 * incremental cycle detection and related problems" (2015). Channels and turns are numbers of {@link
 * SwitchChannels}. Not thread-safe.
 */
public final class Lanes {
    private final SwitchChannels channels;

    /** By turn: the lanes that contain it (bit n: lane n). */
    private final char[] lanesOfTurn;

    /**
     * By turn: the lanes (bit n: lane n) in which it is known to close a cycle. This stays true, as long as turns
     * are only added.
     */
    private final char[] rejectedLanes;

    /** Places {@code [lane][channel]} in the order of the lane. */
    private final int[][] places;

    /** Channels {@code [lane][place]}. */
    private final int[][] order;

    /** The added turns, for {@link #undo}: {@code turn << 4 | lane}. */
    private int[] added = new int[1024];

    private int addedCount;

    private final Search ahead;
    private final Search behind;
    /** A buffer for {@link #move}. */
    private final int[] moved;

    /**
     * Creates lanes without turns.
     *
     * @param count number of lanes, 1 to 16
     */
    public Lanes(SwitchChannels channels, int count) {
        this.channels = channels;
        lanesOfTurn = new char[channels.turnCount()];
        rejectedLanes = new char[channels.turnCount()];
        places = new int[count][channels.count()];
        order = new int[count][channels.count()];
        for (int lane = 0; lane < count; lane++) {
            Arrays.setAll(places[lane], channel -> channel);
            Arrays.setAll(order[lane], channel -> channel);
        }
        ahead = new Search(true);
        behind = new Search(false);
        moved = new int[channels.count()];
    }

    /** Returns the number of lanes. */
    public int count() {
        return places.length;
    }

    /**
     * Adds a turn to some lanes without changing their orders. {@link #sort} must be called before other turns are
     * added.
     *
     * @param held channel before the turn
     * @param wanted channel after the turn, which begins where {@code held} ends
     * @param lanes lanes (bit n: lane n)
     */
    public void addToLanes(int held, int wanted, int lanes) {
        lanesOfTurn[channels.turn(held, wanted)] |= (char) lanes;
    }

    /** Computes the orders of all lanes. Returns false if a lane has a cycle. */
    public boolean sort() {
        boolean isFree = true;
        for (int lane = 0; lane < places.length; lane++) {
            isFree &= sort(lane);
        }
        return isFree;
    }

    private boolean sort(int lane) {
        int[] pending = new int[channels.count()];
        for (int channel = 0; channel < pending.length; channel++) {
            int next = channels.target(channel);
            for (int wanted = channels.first(next); wanted < channels.first(next + 1); wanted++) {
                pending[wanted] += isInLane(channel, wanted, lane) ? 1 : 0;
            }
        }
        int[] line = order[lane];
        int tail = 0;
        for (int channel = 0; channel < pending.length; channel++) {
            if (pending[channel] == 0) {
                line[tail++] = channel;
            }
        }
        for (int head = 0; head < tail; head++) {
            int channel = line[head];
            places[lane][channel] = head;
            int next = channels.target(channel);
            for (int wanted = channels.first(next); wanted < channels.first(next + 1); wanted++) {
                if (isInLane(channel, wanted, lane) && --pending[wanted] == 0) {
                    line[tail++] = wanted;
                }
            }
        }
        return tail == pending.length;
    }

    private boolean isInLane(int held, int wanted, int lane) {
        return (lanesOfTurn[channels.turn(held, wanted)] >> lane & 1) != 0;
    }

    /** Returns a mark for {@link #undo}. */
    public int mark() {
        return addedCount;
    }

    /** Removes the turns that were added after a mark. */
    public void undo(int mark) {
        while (addedCount > mark) {
            int last = added[--addedCount];
            lanesOfTurn[last >> 4] &= (char) ~(1 << (last & 15));
        }
    }

    /**
     * Adds the turns of a path to a lane. If they would close a cycle, changes nothing and returns false.
     *
     * @param path channels of the path in order
     * @param length number of channels
     */
    public boolean addPath(int[] path, int length, int lane) {
        for (int i = 1; i < length; i++) {
            if ((rejectedLanes[channels.turn(path[i - 1], path[i])] >> lane & 1) != 0) {
                return false;
            }
        }
        int mark = addedCount;
        for (int i = 1; i < length; i++) {
            if (!add(path[i - 1], path[i], lane)) {
                undo(mark);
                recordRejection(path[i - 1], path[i], lane);
                return false;
            }
        }
        return true;
    }

    /** Records in {@code rejectedLanes} that a turn closes a cycle, if it does so without the rest of its path. */
    private void recordRejection(int held, int wanted, int lane) {
        int mark = addedCount;
        if (addOnce(held, wanted, lane)) {
            undo(mark);
        }
    }

    /**
     * Adds a turn to a lane. If it would close a cycle, or did so in an earlier attempt, changes nothing and returns
     * false. The earlier attempt may have failed because of turns that were removed since.
     */
    public boolean addOnce(int held, int wanted, int lane) {
        int turn = channels.turn(held, wanted);
        boolean isAdded = (rejectedLanes[turn] >> lane & 1) == 0 && add(held, wanted, lane);
        rejectedLanes[turn] |= (char) (isAdded ? 0 : 1 << lane);
        return isAdded;
    }

    /** Adds a turn to a lane. If it would close a cycle, changes nothing and returns false. */
    public boolean add(int held, int wanted, int lane) {
        if (isInLane(held, wanted, lane)) {
            return true;
        }
        if (held == wanted || (places[lane][wanted] < places[lane][held] && !reorder(held, wanted, lane))) {
            return false;
        }
        int turn = channels.turn(held, wanted);
        lanesOfTurn[turn] |= (char) (1 << lane);
        if (addedCount == added.length) {
            added = Arrays.copyOf(added, 2 * addedCount);
        }
        added[addedCount++] = turn << 4 | lane;
        return true;
    }

    /**
     * Moves channels in the order so that {@code held} comes before {@code wanted}. Returns false if the turn closes
     * a cycle. Two searches, forwards from {@code wanted} and backwards from {@code held}, alternate. The search
     * that ends first decides which channels move. If they meet, the turn closes a cycle.
     */
    private boolean reorder(int held, int wanted, int lane) {
        ahead.begin(wanted, lane, places[lane][held]);
        behind.begin(held, lane, places[lane][wanted]);
        boolean isFree = true;
        while (isFree && !ahead.isOver() && !behind.isOver()) {
            isFree = ahead.examinedTurns <= behind.examinedTurns ? ahead.advance(behind) : behind.advance(ahead);
        }
        if (isFree) {
            move(places[lane][wanted], places[lane][held], ahead.isOver(), lane);
        }
        ahead.clear();
        behind.clear();
        return isFree;
    }

    /**
     * Moves channels between two places: the channels of the forward search to the end, or the channels of the
     * backward search to the beginning.
     */
    private void move(int first, int last, boolean isAheadMoved, int lane) {
        int[] line = order[lane];
        int keptCount = 0;
        int count = 0;
        for (int place = first; place <= last; place++) {
            if (isAheadMoved ? ahead.isReached[line[place]] : !behind.isReached[line[place]]) {
                moved[count++] = line[place];
            } else {
                line[first + keptCount++] = line[place];
            }
        }
        System.arraycopy(moved, 0, line, first + keptCount, count);
        for (int place = first; place <= last; place++) {
            places[lane][line[place]] = place;
        }
    }

    /** A search from one end of a turn: the channels that it has reached. */
    private final class Search {
        /** True if the search goes along the turns, false if backwards. */
        private final boolean isAhead;

        private final int[] reached;
        private final boolean[] isReached;
        private int lane;
        private int limit;
        private int count;
        private int head;
        /** The number of turns that the search has examined. */
        private int examinedTurns;

        Search(boolean isAhead) {
            this.isAhead = isAhead;
            reached = new int[channels.count()];
            isReached = new boolean[channels.count()];
        }

        /** @param end place of the channel at the other end of the turn, beyond which the search does not go */
        void begin(int start, int inLane, int end) {
            lane = inLane;
            limit = end;
            head = 0;
            examinedTurns = 0;
            reached[0] = start;
            isReached[start] = true;
            count = 1;
        }

        boolean isOver() {
            return head == count;
        }

        /**
         * Examines the turns of the next channel. Returns false if the other search has reached one of the channels.
         */
        boolean advance(Search other) {
            int channel = reached[head++];
            int sw = isAhead ? channels.target(channel) : channels.target(channels.reverse(channel));
            for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                int next = isAhead ? out : channels.reverse(out);
                examinedTurns++;
                int place = places[lane][next];
                boolean isWithin = isAhead ? place <= limit : place >= limit;
                if (isWithin
                        && !isReached[next]
                        && (isAhead ? isInLane(channel, next, lane) : isInLane(next, channel, lane))) {
                    if (other.isReached[next]) {
                        return false;
                    }
                    isReached[next] = true;
                    reached[count++] = next;
                }
            }
            return true;
        }

        void clear() {
            for (int i = 0; i < count; i++) {
                isReached[reached[i]] = false;
            }
        }
    }
}
