package io.torussm.partition;

import org.jspecify.annotations.Nullable;

/** How a port belongs to a partition: limited members talk with full ones only. */
public enum Membership {
    LIMITED,
    FULL,
    /** Full and limited, with an entry for each where that is allowed, else full. */
    BOTH;

    /** The membership that a word abbreviates, such as {@code limi}; null if none. */
    static @Nullable Membership of(String word) {
        if (word.isEmpty()) {
            return null;
        }
        for (Membership membership : new Membership[] {FULL, LIMITED, BOTH}) {
            if (membership.word().startsWith(word)) {
                return membership;
            }
        }
        return null;
    }

    /** The larger of two: what a port has that is given both. */
    Membership or(Membership other) {
        return this == BOTH || other == BOTH ? BOTH : this == FULL || other == FULL ? FULL : LIMITED;
    }

    /** As it is written in partitions.conf. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
