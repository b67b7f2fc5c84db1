package io.torussm.partition;

import java.util.Arrays;

/**
 * Leads from the table that a port holds to the one that it is to hold, in steps that never take a key away that is in
 * both, in whatever order the blocks of one step arrive: first what is added, then what takes the place of something else,
 * then what is taken away. A key that moves is at both places in between.
 *
 * <p>Only a table without a free entry can make that impossible; {@link #REST} writes what is left then.
 */
public enum PKeySteps {
    /** New keys at free entries, and limited members that become full ones. */
    ADD,
    /** Keys at entries of others that are not wanted any more, or that have another place already. */
    REPLACE,
    /** Entries that become free. */
    REMOVE,
    /** Whatever is left. */
    REST;

    /** The table after this step. */
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
            if (from != to && isMine(from, to) && (this == ADD || isSpared(from, to, i, steady, wanted))) {
                after[i] = to;
                steady[i] = 0;
            }
        }
        return PortKeys.of(after);
    }

    private boolean isMine(int from, int to) {
        return switch (this) {
            case ADD -> from == 0 || to == (from | PKeys.FULL);
            case REPLACE -> to != 0;
            default -> to == 0;
        };
    }

    /** Whether nobody misses an entry that changes: its key is not wanted, or is at another place and stays there. */
    private static boolean isSpared(int from, int to, int index, int[] steady, PortKeys wanted) {
        if (wanted.indexOf(from) < 0 && (!wanted.isIn(from) || PKeys.base(from) == PKeys.base(to))) {
            return true;
        }
        int[] others = steady.clone();
        others[index] = 0;
        return Arrays.stream(others).anyMatch(other -> other == from)
                || wanted.indexOf(from) < 0
                        && Arrays.stream(others).anyMatch(other -> PKeys.base(other) == PKeys.base(from));
    }
}
