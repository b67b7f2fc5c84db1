package io.torussm.routing;

/**
 * The SLs of paths, computed on demand: there are too many pairs of LIDs for a table. Implementations are pure, take
 * constant time and are called from many threads at once.
 */
public interface PathSls {
    /**
     * The SL of a path. It is the same for all LIDs of the source's switch, and where {@link #isBySwitch} says so for all of the
     * destination's switch.
     *
     * @param srcLid any LID of the source end port
     * @param dstLid any LID of the destination end port
     * @param wanted SL asked for by policy, 0 to 15; the engine decides what it means
     * @return SL 0 to 15, or -1 if the engine has no path for this pair
     */
    int sl(int srcLid, int dstLid, int wanted);

    /**
     * The set of SLs (bit n: SL n) that {@link #sl} may return for paths from end ports of a switch to a LID, whatever is
     * wanted. The proof takes it for what is sent: an SL that is missing here is not covered, one too many can close a
     * cycle that no packets close.
     *
     * @param dstLid a LID of an end port that is a switch, or hangs on one
     */
    int mask(int srcSw, int dstLid);

    /**
     * {@link #mask} to several LIDs.
     *
     * @param dstLids LIDs of end ports that are switches, or hang on one, from index {@code from} on
     * @param count how many
     * @param masks takes the sets, from index 0 on
     */
    default void masks(int srcSw, int[] dstLids, int from, int count, char[] masks) {
        for (int i = 0; i < count; i++) {
            masks[i] = (char) mask(srcSw, dstLids[from + i]);
        }
    }

    /**
     * Whether SL and mask are the same for all LIDs of one destination switch; false for engines that choose by LID. It only
     * saves work: the proof then compares nothing but forwarding entries to find LIDs that it can treat alike.
     */
    default boolean isBySwitch() {
        return true;
    }

    /**
     * Whether these surely are the SLs of another plan: {@link #mask} and {@link #sl} are the same from every switch that both know, by GUID,
     * to every LID of an end port that is, or hangs on, the same switch in both. It only saves work: nobody need ask for each pair.
     *
     * @param other of a plan of the same engine, or of any other
     */
    default boolean isSameAs(PathSls other) {
        return this == other;
    }
}
