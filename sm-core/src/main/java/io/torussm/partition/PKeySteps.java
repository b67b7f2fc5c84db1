package io.torussm.partition;

import java.util.Arrays;

/**
 * The steps from the current P_Key table of a port to the wanted one. A key in both tables is never removed,
 * in any order of the blocks of one step. First keys are added, then keys replace others, then keys are
 * removed. A key that moves is at both places in between.
 *
 * <p>Only a table without a free entry can make that impossible; {@link #REST} writes the remaining entries
 * then.
 */
public enum PKeySteps {
    /** New keys at free entries, and limited members that become full ones. */
    ADD,
    /** Keys that replace unwanted ones, or ones that have another place already. */
    REPLACE,
    /** Entries that become free. */
    REMOVE,
    /** All remaining entries. */
    REST;

    /** Returns the table after this step. */
    public PortKeys apply(PortKeys held, PortKeys wanted) {
        if (this == REST || held.equals(wanted)) {
            return wanted;
        }
        int length = Math.max(held.length(), wanted.length());
        int[] after = held.toArray(length);
        int[] steady = held.toArray(length);
        for (int i = 0; i < length; i++) {
            int from = held.at(i);
            int to = wanted.at(i);
            if (from != to && isChangedHere(from, to) && (this == ADD || isSafe(from, to, i, steady, wanted))) {
                after[i] = to;
                steady[i] = 0;
            }
        }
        return PortKeys.of(after);
    }

    private boolean isChangedHere(int from, int to) {
        return switch (this) {
            case ADD -> from == 0 || to == (from | PKeys.FULL);
            case REPLACE -> to != 0;
            case REMOVE -> to == 0;
            case REST -> true;
        };
    }

    /**
     * Checks whether an entry may change without loss: its key is not wanted, or is at another place and
     * stays there.
     */
    private static boolean isSafe(int from, int to, int index, int[] steady, PortKeys wanted) {
        if (wanted.indexOf(from) < 0 && (!wanted.isIn(from) || PKeys.base(from) == PKeys.base(to))) {
            return true;
        }
        int[] others = steady.clone();
        others[index] = 0;
        return Arrays.stream(others).anyMatch(other -> other == from)
                || (wanted.indexOf(from) < 0
                        && Arrays.stream(others).anyMatch(other -> PKeys.base(other) == PKeys.base(from)));
    }
}
