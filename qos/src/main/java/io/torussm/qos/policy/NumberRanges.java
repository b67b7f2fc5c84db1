package io.torussm.qos.policy;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** A set of unsigned 64-bit numbers, as ascending ranges with gaps between them. Immutable; equal sets are equal. */
final class NumberRanges {
    /** The empty set. */
    static final NumberRanges NONE = new NumberRanges(new long[0]);

    /** The first and the last number of each range, alternately. */
    private final long[] bounds;

    private NumberRanges(long[] bounds) {
        this.bounds = bounds;
    }

    /** Returns the range between two numbers, which may be in any order. */
    static NumberRanges of(long a, long b) {
        boolean isReversed = Long.compareUnsigned(a, b) > 0;
        return new NumberRanges(isReversed ? new long[] {b, a} : new long[] {a, b});
    }

    /** Returns the union of sets. Ranges that touch or overlap become one range. */
    static NumberRanges union(List<NumberRanges> sets) {
        List<long[]> all = new ArrayList<>();
        for (NumberRanges set : sets) {
            for (int i = 0; i < set.count(); i++) {
                all.add(new long[] {set.first(i), set.last(i)});
            }
        }
        all.sort(Comparator.comparing(range -> range[0], Long::compareUnsigned));
        long[] bounds = new long[2 * all.size()];
        int count = 0;
        for (long[] range : all) {
            if (count > 0 && touches(bounds[count - 1], range[0])) {
                long last = bounds[count - 1];
                bounds[count - 1] = Long.compareUnsigned(last, range[1]) < 0 ? range[1] : last;
            } else {
                bounds[count++] = range[0];
                bounds[count++] = range[1];
            }
        }
        return count == 0 ? NONE : new NumberRanges(Arrays.copyOf(bounds, count));
    }

    private static boolean touches(long last, long next) {
        return Long.compareUnsigned(next, last) <= 0 || next == last + 1;
    }

    /** Returns the set with a number added to all numbers. No result may exceed 64 bits. */
    NumberRanges plus(long more) {
        return new NumberRanges(Arrays.stream(bounds).map(bound -> bound + more).toArray());
    }

    boolean isEmpty() {
        return bounds.length == 0;
    }

    /** Returns the number of ranges. */
    int count() {
        return bounds.length / 2;
    }

    long first(int range) {
        return bounds[2 * range];
    }

    long last(int range) {
        return bounds[2 * range + 1];
    }

    boolean contains(long number) {
        int low = 0;
        int high = count() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (Long.compareUnsigned(number, first(middle)) < 0) {
                high = middle - 1;
            } else if (Long.compareUnsigned(number, last(middle)) > 0) {
                low = middle + 1;
            } else {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof NumberRanges that && Arrays.equals(bounds, that.bounds);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bounds);
    }

    /** Returns a text such as {@code 0x1-0x3,0x7}. */
    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count(); i++) {
            text.append(i == 0 ? "0x" : ",0x").append(Long.toHexString(first(i)));
            if (first(i) != last(i)) {
                text.append("-0x").append(Long.toHexString(last(i)));
            }
        }
        return text.toString();
    }
}
