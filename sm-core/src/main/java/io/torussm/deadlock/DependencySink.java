package io.torussm.deadlock;

/** Takes dependencies, or turns them down: the first channel is held while the second is waited for. */
public interface DependencySink {
    /** Returns whether to go on. */
    boolean accept(int held, int wanted);

    /** Takes those between all lanes (bit n: VL n) of a link and of the next one, until one is turned down. */
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
