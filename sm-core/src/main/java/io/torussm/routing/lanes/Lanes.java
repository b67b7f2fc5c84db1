package io.torussm.routing.lanes;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * Which turns are taken in which lane, and for each lane an order of channels that all its turns lead upward in: as long as
 * there is one, packets in the lane do not wait for each other in a circle. Turns are added one by one, and the order is mended
 * where a turn leads downward: Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs" (2006).
 */
public final class Lanes {
    private final Channels channels;

    /** By turn: the lanes it is taken in (bit n: lane n). */
    private final char[] taken;

    /** By turn: lanes in which it is known to close a cycle; it will for ever, as turns are added only. */
    private final char[] closed;

    /** By lane, then by channel: its place in the order. */
    private final int[][] places;

    /** What was added: turn and lane. */
    private int[] added = new int[1024];

    private int addedCount;

    /** Of a search: the channels that were met ahead, and behind. */
    private final int[] ahead;

    private final int[] behind;
    private final boolean[] isMet;

    /** Lanes without turns: 1 to 16. */
    public Lanes(Channels channels, int count) {
        this.channels = channels;
        taken = new char[channels.turnCount()];
        closed = new char[channels.turnCount()];
        places = new int[count][channels.count()];
        for (int lane = 0; lane < count; lane++) {
            Arrays.setAll(places[lane], channel -> channel);
        }
        ahead = new int[channels.count()];
        behind = new int[channels.count()];
        isMet = new boolean[channels.count()];
    }

    /** Lanes that there are. */
    public int count() {
        return places.length;
    }

    /** Takes a turn in some lanes without regard to their order, which {@link #sort} finds then. */
    public void take(int held, int wanted, int lanes) {
        taken[channels.turn(held, wanted)] |= (char) lanes;
    }

    /** Orders the channels of all lanes anew; false if a lane has a cycle. */
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
        int[] order = new int[pending.length];
        int tail = 0;
        for (int channel = 0; channel < pending.length; channel++) {
            if (pending[channel] == 0) {
                order[tail++] = channel;
            }
        }
        for (int head = 0; head < tail; head++) {
            int channel = order[head];
            places[lane][channel] = head;
            int next = channels.target(channel);
            for (int wanted = channels.first(next); wanted < channels.first(next + 1); wanted++) {
                if (isTaken(channel, wanted, lane) && --pending[wanted] == 0) {
                    order[tail++] = wanted;
                }
            }
        }
        return tail == pending.length;
    }

    private boolean isTaken(int held, int wanted, int lane) {
        return (taken[channels.turn(held, wanted)] >> lane & 1) != 0;
    }

    /** A mark to come back to. */
    public int mark() {
        return addedCount;
    }

    /** Takes back what was added after a mark. */
    public void undo(int mark) {
        while (addedCount > mark) {
            int each = added[--addedCount];
            taken[each >> 4] &= (char) ~(1 << (each & 15));
        }
    }

    /**
     * Adds the turns of a path to a lane; false, and nothing is added, if they would close a cycle.
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

    /** Remembers a turn if it closes a cycle by itself. */
    private void close(int held, int wanted, int lane) {
        int mark = addedCount;
        if (add(held, wanted, lane)) {
            undo(mark);
        } else {
            closed[channels.turn(held, wanted)] |= (char) (1 << lane);
        }
    }

    /** Adds a turn to a lane; false, and nothing is added, if it would close a cycle. */
    public boolean add(int held, int wanted, int lane) {
        if (isTaken(held, wanted, lane)) {
            return true;
        }
        if (held == wanted || places[lane][wanted] < places[lane][held] && !reorder(held, wanted, lane)) {
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

    /** Moves channels so that one comes before another; false if it is waited for from there. */
    private boolean reorder(int held, int wanted, int lane) {
        int[] place = places[lane];
        int aheadCount = searchAhead(wanted, held, lane);
        boolean isFree = !isMet[held];
        if (isFree) {
            int behindCount = searchBehind(held, place[wanted], lane);
            move(behindCount, aheadCount, lane);
            clear(behind, behindCount);
        }
        clear(ahead, aheadCount);
        return isFree;
    }

    private void clear(int[] met, int count) {
        for (int i = 0; i < count; i++) {
            isMet[met[i]] = false;
        }
    }

    /** Whoever is waited for from a channel, up to the place of a last one. */
    private int searchAhead(int start, int last, int lane) {
        int[] place = places[lane];
        int count = 0;
        ahead[count++] = start;
        isMet[start] = true;
        for (int head = 0; head < count && !isMet[last]; head++) {
            int next = channels.target(ahead[head]);
            for (int wanted = channels.first(next); wanted < channels.first(next + 1); wanted++) {
                if (!isMet[wanted] && place[wanted] <= place[last] && isTaken(ahead[head], wanted, lane)) {
                    isMet[wanted] = true;
                    ahead[count++] = wanted;
                }
            }
        }
        return count;
    }

    /** Whoever waits for a channel, down to a place. */
    private int searchBehind(int start, int least, int lane) {
        int[] place = places[lane];
        int count = 0;
        behind[count++] = start;
        isMet[start] = true;
        for (int head = 0; head < count; head++) {
            int sw = channels.target(channels.back(behind[head]));
            for (int out = channels.first(sw); out < channels.first(sw + 1); out++) {
                int held = channels.back(out);
                if (held != Fabric.NONE && !isMet[held] && place[held] > least && isTaken(held, behind[head], lane)) {
                    isMet[held] = true;
                    behind[count++] = held;
                }
            }
        }
        return count;
    }

    /** Those behind take the lowest of the places that all have together, those ahead the others. */
    private void move(int behindCount, int aheadCount, int lane) {
        int[] place = places[lane];
        int[] free = new int[behindCount + aheadCount];
        long[] moved = new long[behindCount + aheadCount];
        for (int i = 0; i < moved.length; i++) {
            int channel = i < behindCount ? behind[i] : ahead[i - behindCount];
            free[i] = place[channel];
            moved[i] = (long) place[channel] << Integer.SIZE | channel;
        }
        Arrays.sort(free);
        Arrays.sort(moved, 0, behindCount);
        Arrays.sort(moved, behindCount, moved.length);
        for (int i = 0; i < moved.length; i++) {
            place[(int) moved[i]] = free[i];
        }
    }
}
