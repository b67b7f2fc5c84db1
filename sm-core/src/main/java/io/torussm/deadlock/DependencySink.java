package io.torussm.deadlock;

/**
 * A consumer of dependencies between channels. A dependency means that a packet may occupy the held channel while it
 * waits for the wanted one. The consumer may end the enumeration. Channels are numbered as in {@link Channels}.
 */
public interface DependencySink {
    /**
     * Receives a dependency.
     *
     * @param held the channel that a packet occupies
     * @param wanted the channel that this packet waits for
     * @return true to continue, false to end the enumeration
     */
    boolean accept(int held, int wanted);

    /**
     * Receives the dependencies of each VL of a link on each VL of the next link.
     *
     * @param link the held link, as in {@link Channels}
     * @param heldVls VLs (bit n: VL n) of {@code link}
     * @param next the wanted link
     * @param wantedVls VLs (bit n: VL n) of {@code next}
     * @return true to continue, false to end the enumeration
     */
    default boolean acceptAll(int link, int heldVls, int next, int wantedVls) {
        for (int heldLeft = heldVls; heldLeft != 0; heldLeft &= heldLeft - 1) {
            int held = link * Channels.VLS + Integer.numberOfTrailingZeros(heldLeft);
            for (int wantedLeft = wantedVls; wantedLeft != 0; wantedLeft &= wantedLeft - 1) {
                int wanted = next * Channels.VLS + Integer.numberOfTrailingZeros(wantedLeft);
                if (!accept(held, wanted)) {
                    return false;
                }
            }
        }
        return true;
    }
}
