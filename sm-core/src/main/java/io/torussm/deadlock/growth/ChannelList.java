package io.torussm.deadlock.growth;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * A list of channels in which channels can be moved. It is a linked list with labels that ascend along it, so
 * that two channels are compared in constant time. If no label is left between two neighbours, all labels are
 * distributed again (Dietz and Sleator, "Two algorithms for maintaining order in a list", 1987).
 */
final class ChannelList {
    private static final long LAST_LABEL = Long.MAX_VALUE / 2;

    /** By channel: its successor. The last element is both the start and the end of the list. */
    private final int[] next;

    private final int[] previous;

    /** By channel: its label, ascending along the list; negative for channels that are not in it. */
    private final long[] label;

    private final int end;

    /** Distance between neighbours that leaves room for all channels. */
    private final long usualStep;

    /** @param numbering by channel: its place in ascending order; {@link Fabric#NONE} if it has none yet */
    ChannelList(int[] numbering) {
        end = numbering.length;
        usualStep = LAST_LABEL / (end + 1);
        next = new int[end + 1];
        previous = new int[end + 1];
        label = new long[end + 1];
        Arrays.fill(label, Fabric.NONE);
        next[end] = end;
        previous[end] = end;
        for (int channel : inOrder(numbering)) {
            link(channel, previous[end]);
        }
        spread();
    }

    /** Returns the channels that have a number, ascending by it. */
    private static int[] inOrder(int[] numbering) {
        int highest = Fabric.NONE;
        for (int number : numbering) {
            highest = Math.max(highest, number);
        }
        int[] first = new int[highest + 2];
        for (int number : numbering) {
            first[number + 1]++;
        }
        first[0] = 0;
        Arrays.parallelPrefix(first, Integer::sum);
        int[] order = new int[first[highest + 1]];
        for (int channel = 0; channel < numbering.length; channel++) {
            if (numbering[channel] != Fabric.NONE) {
                order[first[numbering[channel]]++] = channel;
            }
        }
        return order;
    }

    /** Checks whether a channel comes before another; both are in the list. */
    boolean isBefore(int one, int other) {
        return label[one] < label[other];
    }

    /** Appends a channel that is not in the list. */
    void appear(int channel) {
        if (label[channel] < 0) {
            int last = previous[end];
            link(channel, last);
            label(last, 1);
        }
    }

    /** Moves channels to the position after another; their order stays. */
    void moveAfter(int place, int[] channels, int length) {
        int[] sorted = unlinked(channels, length);
        put(place, sorted);
    }

    /** Moves channels to the position before another; their order stays. */
    void moveBefore(int place, int[] channels, int length) {
        int[] sorted = unlinked(channels, length);
        put(previous[place], sorted);
    }

    private int[] unlinked(int[] channels, int length) {
        long[] order = new long[length];
        for (int i = 0; i < length; i++) {
            order[i] = label[channels[i]];
        }
        Arrays.sort(order);
        int[] sorted = new int[length];
        for (int i = 0; i < length; i++) {
            int channel = channels[i];
            sorted[Arrays.binarySearch(order, label[channel])] = channel;
            next[previous[channel]] = next[channel];
            previous[next[channel]] = previous[channel];
        }
        return sorted;
    }

    private void put(int place, int[] channels) {
        int at = place;
        for (int channel : channels) {
            link(channel, at);
            at = channel;
        }
        label(place, channels.length);
    }

    private void link(int channel, int after) {
        next[channel] = next[after];
        previous[channel] = after;
        previous[next[after]] = channel;
        next[after] = channel;
    }

    /** Gives labels to a number of channels after a position. */
    private void label(int place, int length) {
        long low = place == end ? 0 : label[place];
        int behind = place;
        for (int i = 0; i <= length; i++) {
            behind = next[behind];
        }
        long step = behind == end
                ? Math.min(usualStep, (LAST_LABEL - low) / (length + 1))
                : (label[behind] - low) / (length + 1);
        if (step == 0) {
            spread();
            return;
        }
        int channel = place;
        for (int i = 1; i <= length; i++) {
            channel = next[channel];
            label[channel] = low + i * step;
        }
    }

    private void spread() {
        long step = usualStep;
        long current = 0;
        for (int channel = next[end]; channel != end; channel = next[channel]) {
            current += step;
            label[channel] = current;
        }
    }
}
