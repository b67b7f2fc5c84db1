package io.torussm.partition;

import org.jspecify.annotations.Nullable;

/** The membership of a port in a partition: limited members communicate with full ones only. */
public enum Membership {
    LIMITED,
    FULL,
    /** Full and limited, with an entry for each where that is allowed, else full. */
    BOTH;

    /** Returns the membership for an abbreviation, such as {@code limi}; null if there is none. */
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

    /** Returns the union of two memberships. */
    Membership or(Membership other) {
        return this == BOTH || other == BOTH ? BOTH : this == FULL || other == FULL ? FULL : LIMITED;
    }

    /** Returns the word in partitions.conf. */
    public String word() {
        return name().toLowerCase(java.util.Locale.ROOT);
    }
}
