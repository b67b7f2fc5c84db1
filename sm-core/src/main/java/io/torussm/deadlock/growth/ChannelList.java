package io.torussm.deadlock.growth;

import io.torussm.fabric.Fabric;
import java.util.Arrays;

/**
 * A list of channels in which channels can be moved. Each element of the linked list has a label. Labels ascend along
 * the list, so that two channels are compared in constant time. If no label is free between two neighbours, all labels
 * are distributed again (Dietz and Sleator, "Two algorithms for maintaining order in a list", 1987).
 */
final class ChannelList {
    private static final long LAST_LABEL = Long.MAX_VALUE / 2;

    /**
     * [channel] its successor in the list. Element {@link #end} is both before the first and after the last channel.
     */
    private final int[] next;

    /** [channel] its predecessor in the list. */
    private final int[] previous;

    /** [channel] its label, ascending along the list; negative for channels that are not in the list. */
    private final long[] label;

    /** Index of the element that marks both ends of the list: the number of channels. */
    private final int end;

    /** Distance between the labels of neighbours if labels are distributed evenly. */
    private final long evenStep;

    /**
     * Creates a list of the numbered channels, ascending by number.
     *
     * @param numbering [channel] number; {@link Fabric#NONE} for a channel that is not in the list
     */
    ChannelList(int[] numbering) {
        end = numbering.length;
        evenStep = LAST_LABEL / (end + 1);
        next = new int[end + 1];
        previous = new int[end + 1];
        label = new long[end + 1];
        Arrays.fill(label, Fabric.NONE);
        next[end] = end;
        previous[end] = end;
        for (int channel : inOrder(numbering)) {
            link(channel, previous[end]);
        }
        relabelAll();
    }

    /** Returns the numbered channels, ascending by number (counting sort). */
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

    /** Appends a channel, if it is not in the list. */
    void append(int channel) {
        if (label[channel] < 0) {
            int last = previous[end];
            link(channel, last);
            label(last, 1);
        }
    }

    /**
     * Moves channels to the position after another channel, in their current order.
     *
     * @param channels the channels to move: the first {@code length} elements
     */
    void moveAfter(int place, int[] channels, int length) {
        int[] sorted = unlink(channels, length);
        insertAfter(place, sorted);
    }

    /**
     * Moves channels to the position before another channel, in their current order.
     *
     * @param channels the channels to move: the first {@code length} elements
     */
    void moveBefore(int place, int[] channels, int length) {
        int[] sorted = unlink(channels, length);
        insertAfter(previous[place], sorted);
    }

    /** Removes channels from the list, and returns them in their order in the list. */
    private int[] unlink(int[] channels, int length) {
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

    /** Inserts channels after a position, in the order of the array. */
    private void insertAfter(int place, int[] channels) {
        int last = place;
        for (int channel : channels) {
            link(channel, last);
            last = channel;
        }
        label(place, channels.length);
    }

    private void link(int channel, int after) {
        next[channel] = next[after];
        previous[channel] = after;
        previous[next[after]] = channel;
        next[after] = channel;
    }

    /** Gives labels to the {@code length} channels after a position; distributes all labels if none are free there. */
    private void label(int place, int length) {
        long low = place == end ? 0 : label[place];
        int follower = place;
        for (int i = 0; i <= length; i++) {
            follower = next[follower];
        }
        long step = follower == end
                ? Math.min(evenStep, (LAST_LABEL - low) / (length + 1))
                : (label[follower] - low) / (length + 1);
        if (step == 0) {
            relabelAll();
            return;
        }
        int channel = place;
        for (int i = 1; i <= length; i++) {
            channel = next[channel];
            label[channel] = low + i * step;
        }
    }

    /** Distributes the labels of all channels evenly. */
    private void relabelAll() {
        long step = evenStep;
        long current = 0;
        for (int channel = next[end]; channel != end; channel = next[channel]) {
            current += step;
            label[channel] = current;
        }
    }
}
