package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * A numbering of channels that is kept upward while dependencies are added one by one, and that shows when one would
 * close a cycle. After Pearce and Kelly, "A dynamic topological sort algorithm for directed acyclic graphs" (2006): only
 * channels whose numbers lie between those of the two ends are looked at.
 */
final class GrowingOrder {
    private final ChannelDependencyGraph graph;
    private final int[] number;
    private int nextNumber;

    /** The other way round: who waits for a channel. By channel, {@code before[firstBefore[c]]} and on. */
    private final int[] firstBefore;

    private final int[] before;

    /** Dependencies that were added, as lists: by channel the last one, and by dependency the one before it. */
    private final int[] lastOut;

    private final int[] lastIn;
    private int[] from = new int[256];
    private int[] to = new int[256];
    private int[] previousOut = new int[256];
    private int[] previousIn = new int[256];
    private int added;

    private final int[] ahead;
    private final int[] behind;
    private final boolean[] seen;

    /** Channels that may still be looked at in order to renumber them. */
    private long effort;

    /**
     * An order to start from.
     *
     * @param numbering of the graph; kept and changed
     */
    GrowingOrder(ChannelDependencyGraph graph, int[] numbering) {
        this(graph, numbering, Long.MAX_VALUE);
    }

    /**
     * The same with an effort that ends.
     *
     * @param effort after so many channels were looked at, dependencies that call for other numbers are turned down, be there a
     *     cycle or not
     */
    GrowingOrder(ChannelDependencyGraph graph, int[] numbering, long effort) {
        this.graph = graph;
        this.effort = effort;
        number = numbering;
        nextNumber = Arrays.stream(numbering).max().orElse(Fabric.NONE) + 1;
        firstBefore = new int[graph.size() + 1];
        before = new int[graph.dependencyCount()];
        lastOut = new int[graph.size()];
        lastIn = new int[graph.size()];
        Arrays.fill(lastOut, Fabric.NONE);
        Arrays.fill(lastIn, Fabric.NONE);
        ahead = new int[graph.size()];
        behind = new int[graph.size()];
        seen = new boolean[graph.size()];
        reverse();
    }

    private void reverse() {
        for (int edge = 0; edge < before.length; edge++) {
            firstBefore[graph.successor(edge) + 1]++;
        }
        Arrays.parallelPrefix(firstBefore, Integer::sum);
        int[] next = Arrays.copyOf(firstBefore, graph.size());
        for (int channel = 0; channel < graph.size(); channel++) {
            for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
                before[next[graph.successor(edge)]++] = channel;
            }
        }
    }

    /** A mark to come back to. */
    int mark() {
        return added;
    }

    /** Forgets what was added after a mark; the numbers need not change for that. */
    void undo(int mark) {
        while (added > mark) {
            added--;
            lastOut[from[added]] = previousOut[added];
            lastIn[to[added]] = previousIn[added];
        }
    }

    /** Adds a dependency; false, and nothing is added, if it would close a cycle, or too much effort was made already. */
    boolean add(int held, int wanted) {
        if (held == wanted) {
            return false;
        }
        appear(held);
        appear(wanted);
        if (isAdded(held, wanted)) {
            return true;
        }
        if (number[held] > number[wanted] && !reorder(held, wanted)) {
            return false;
        }
        if (added == from.length) {
            from = Arrays.copyOf(from, 2 * added);
            to = Arrays.copyOf(to, 2 * added);
            previousOut = Arrays.copyOf(previousOut, 2 * added);
            previousIn = Arrays.copyOf(previousIn, 2 * added);
        }
        from[added] = held;
        to[added] = wanted;
        previousOut[added] = lastOut[held];
        previousIn[added] = lastIn[wanted];
        lastOut[held] = added;
        lastIn[wanted] = added;
        added++;
        return true;
    }

    private void appear(int channel) {
        if (number[channel] == Fabric.NONE) {
            number[channel] = nextNumber++;
        }
    }

    private boolean isAdded(int held, int wanted) {
        for (int edge = lastOut[held]; edge != Fabric.NONE; edge = previousOut[edge]) {
            if (to[edge] == wanted) {
                return true;
            }
        }
        return false;
    }

    /** Renumbers so that {@code held} comes before {@code wanted}; false if it is waited for from there. */
    private boolean reorder(int held, int wanted) {
        if (effort <= 0) {
            return false;
        }
        int forward = ahead(wanted, held);
        effort -= forward;
        boolean isFree = !seen[held];
        if (isFree) {
            int backward = behind(held, number[wanted]);
            effort -= backward;
            renumber(forward, backward);
            clear(behind, backward);
        }
        clear(ahead, forward);
        return isFree;
    }

    /** Collects what waits follow from a channel, up to the number of another; ends early when that is met. */
    private int ahead(int start, int limit) {
        int count = 1;
        ahead[0] = start;
        seen[start] = true;
        for (int head = 0; head < count && !seen[limit]; head++) {
            int channel = ahead[head];
            for (int edge = graph.first(channel); edge < graph.first(channel + 1); edge++) {
                count = visit(graph.successor(edge), number[graph.successor(edge)] <= number[limit], ahead, count);
            }
            for (int edge = lastOut[channel]; edge != Fabric.NONE; edge = previousOut[edge]) {
                count = visit(to[edge], number[to[edge]] <= number[limit], ahead, count);
            }
        }
        return count;
    }

    /** Collects who waits for a channel, down to a number. */
    private int behind(int start, int limit) {
        int count = 1;
        behind[0] = start;
        seen[start] = true;
        for (int head = 0; head < count; head++) {
            int channel = behind[head];
            for (int edge = firstBefore[channel]; edge < firstBefore[channel + 1]; edge++) {
                count = visit(before[edge], number[before[edge]] >= limit, behind, count);
            }
            for (int edge = lastIn[channel]; edge != Fabric.NONE; edge = previousIn[edge]) {
                count = visit(from[edge], number[from[edge]] >= limit, behind, count);
            }
        }
        return count;
    }

    private int visit(int channel, boolean isBetween, int[] list, int count) {
        if (isBetween && !seen[channel]) {
            seen[channel] = true;
            list[count] = channel;
            return count + 1;
        }
        return count;
    }

    /** Gives the numbers of all that were collected to those behind first, then to those ahead, each in its old order. */
    private void renumber(int forward, int backward) {
        long[] inOrder = new long[forward + backward];
        int[] pool = new int[forward + backward];
        for (int i = 0; i < backward; i++) {
            inOrder[i] = (long) number[behind[i]] << 32 | behind[i];
            pool[i] = number[behind[i]];
        }
        for (int i = 0; i < forward; i++) {
            inOrder[backward + i] = (long) number[ahead[i]] << 32 | ahead[i];
            pool[backward + i] = number[ahead[i]];
        }
        Arrays.sort(inOrder, 0, backward);
        Arrays.sort(inOrder, backward, inOrder.length);
        Arrays.sort(pool);
        for (int i = 0; i < pool.length; i++) {
            number[(int) inOrder[i]] = pool[i];
        }
    }

    private void clear(int[] list, int count) {
        for (int i = 0; i < count; i++) {
            seen[list[i]] = false;
        }
    }
}
