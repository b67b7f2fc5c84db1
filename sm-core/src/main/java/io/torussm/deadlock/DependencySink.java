package io.torussm.deadlock;

/**
 * A consumer of dependencies, which it accepts or rejects: a packet occupies the first channel while it waits
 * for the second.
 */
public interface DependencySink {
    /** Returns whether to continue. */
    boolean accept(int held, int wanted);

    /**
     * Accepts the dependencies between all lanes (bit n: VL n) of a link and of the next one, until one is
     * rejected.
     */
    default boolean acceptAll(int link, int heldVls, int next, int wantedVls) {
        for (int from = heldVls; from != 0; from &= from - 1) {
            for (int to = wantedVls; to != 0; to &= to - 1) {
                int held = link * Channels.VLS + Integer.numberOfTrailingZeros(from);
                if (!accept(held, next * Channels.VLS + Integer.numberOfTrailingZeros(to))) {
                    return false;
                }
            }
        }
        return true;
    }
}
