package io.torussm.routing.lanes;

import java.util.Arrays;

/**
 * Which turns are taken in which lane, and for each lane an order of channels that all its turns lead upward
 * in: as long as there is one, packets in the lane do not wait for each other in a circle. Turns are added
 * one by one, and the order is mended where a turn leads downward, after Bender, Fineman, Gilbert and Tarjan,
 * "A new approach to incremental cycle detection and related problems" (2015).
 */
public final class Lanes {
    private final SwitchChannels channels;

    /** By turn: the lanes it is taken in (bit n: lane n). */
    private final char[] taken;

    /** By turn: lanes in which it is known to close a cycle; it will for ever, as turns are added only. */
    private final char[] closed;

    /** By lane, then by channel: its place in the order; and the other way round. */
    private final int[][] places;

    private final int[][] order;

    /** Added turns, each with its lane. */
    private int[] added = new int[1024];

    private int addedCount;

    private final Search ahead;
    private final Search behind;
    private final int[] moved;

    /** Creates lanes without turns: 1 to 16. */
    public Lanes(SwitchChannels channels, int count) {
        this.channels = channels;
        taken = new char[channels.turnCount()];
        closed = new char[channels.turnCount()];
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

    /** Takes a turn in some lanes without regard to their order, which {@link #sort} finds then. */
    public void take(int held, int wanted, int lanes) {
        taken[channels.turn(held, wanted)] |= (char) lanes;
    }

    /** Sorts the channels of all lanes again; false if a lane has a cycle. */
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
                pending[wanted] += isTaken(channel, wanted, lane) ? 1 : 0;
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
                if (isTaken(channel, wanted, lane) && --pending[wanted] == 0) {
                    line[tail++] = wanted;
                }
            }
        }
        return tail == pending.length;
    }

    private boolean isTaken(int held, int wanted, int lane) {
        return (taken[channels.turn(held, wanted)] >> lane & 1) != 0;
    }

    /** Returns a mark to come back to. */
    public int mark() {
        return addedCount;
    }

    /** Removes the turns that were added after a mark. */
    public void undo(int mark) {
        while (addedCount > mark) {
            int each = added[--addedCount];
            taken[each >> 4] &= (char) ~(1 << (each & 15));
        }
    }

    /**
     * Adds the turns of a path to a lane; false, without a change, if they would close a cycle.
     *
     * @param path channels, one after the other
     */
    public boolean addPath(int[] path, int length, int lane) {
        for (int i = 1; i < length; i++) {
            if ((closed[channels.turn(path[i - 1], path[i])] >> lane & 1) != 0) {
                return false;
            }
        }
        int mark = addedCount;
        for (int i = 1; i < length; i++) {
            if (!add(path[i - 1], path[i], lane)) {
                undo(mark);
                close(path[i - 1], path[i], lane);
                return false;
            }
        }
        return true;
    }

    /** Records a turn if it alone closes a cycle. */
    private void close(int held, int wanted, int lane) {
        int mark = addedCount;
        if (addOnce(held, wanted, lane)) {
            undo(mark);
        }
    }

    /**
     * Adds a turn to a lane; false, without a change, if it would close a cycle or did so in an earlier
     * attempt. That attempt may have failed because of turns that were removed since.
     */
    public boolean addOnce(int held, int wanted, int lane) {
        int turn = channels.turn(held, wanted);
        boolean isAdded = (closed[turn] >> lane & 1) == 0 && add(held, wanted, lane);
        closed[turn] |= (char) (isAdded ? 0 : 1 << lane);
        return isAdded;
    }

    /** Adds a turn to a lane; false, without a change, if it would close a cycle. */
    public boolean add(int held, int wanted, int lane) {
        if (isTaken(held, wanted, lane)) {
            return true;
        }
        if (held == wanted || (places[lane][wanted] < places[lane][held] && !reorder(held, wanted, lane))) {
            return false;
        }
        int turn = channels.turn(held, wanted);
        taken[turn] |= (char) (1 << lane);
        if (addedCount == added.length) {
            added = Arrays.copyOf(added, 2 * addedCount);
        }
        added[addedCount++] = turn << 4 | lane;
        return true;
    }

    /**
     * Moves channels so that one comes before another; false if that closes a cycle. It searches from both
     * ends alternately, and the search that ends first decides which channels move.
     */
    private boolean reorder(int held, int wanted, int lane) {
        ahead.begin(wanted, lane, places[lane][held]);
        behind.begin(held, lane, places[lane][wanted]);
        boolean isFree = true;
        while (isFree && !ahead.isOver() && !behind.isOver()) {
            isFree = ahead.looked <= behind.looked ? ahead.advance(behind) : behind.advance(ahead);
        }
        if (isFree) {
            move(places[lane][wanted], places[lane][held], ahead.isOver(), lane);
        }
        ahead.clear();
        behind.clear();
        return isFree;
    }

    /** Moves channels between two places: the ones ahead to the end, or the ones behind to the beginning. */
    private void move(int first, int last, boolean isAheadMoved, int lane) {
        int[] line = order[lane];
        int kept = 0;
        int count = 0;
        for (int at = first; at <= last; at++) {
            if (isAheadMoved ? ahead.isMet[line[at]] : !behind.isMet[line[at]]) {
                moved[count++] = line[at];
            } else {
                line[first + kept++] = line[at];
            }
        }
        System.arraycopy(moved, 0, line, first + kept, count);
        for (int at = first; at <= last; at++) {
            places[lane][line[at]] = at;
        }
    }

    /** Channels that are met from one end of a turn. */
    private final class Search {
        private final boolean isAhead;
        private final int[] met;
        private final boolean[] isMet;
        private int lane;
        private int limit;
        private int count;
        private int head;
        private int looked;

        Search(boolean isAhead) {
            this.isAhead = isAhead;
            met = new int[channels.count()];
            isMet = new boolean[channels.count()];
        }

        /** @param end the place of the other end, which bounds the search */
        void begin(int start, int inLane, int end) {
            lane = inLane;
            limit = end;
            head = 0;
            looked = 0;
            met[0] = start;
            isMet[start] = true;
            count = 1;
        }

        boolean isOver() {
            return head == count;
        }

        /** Goes one channel on; false if the search from the other end has been there. */
        boolean advance(Search other) {
            int channel = met[head++];
            int sw = isAhead ? channels.target(channel) : channels.target(channels.back(channel));
            for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                int next = isAhead ? out : channels.back(out);
                looked++;
                int place = places[lane][next];
                boolean isWithin = isAhead ? place <= limit : place >= limit;
                if (isWithin
                        && !isMet[next]
                        && (isAhead ? isTaken(channel, next, lane) : isTaken(next, channel, lane))) {
                    if (other.isMet[next]) {
                        return false;
                    }
                    isMet[next] = true;
                    met[count++] = next;
                }
            }
            return true;
        }

        void clear() {
            for (int i = 0; i < count; i++) {
                isMet[met[i]] = false;
            }
        }
    }
}
