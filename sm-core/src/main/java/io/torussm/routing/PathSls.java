package io.torussm.routing;

import org.jspecify.annotations.Nullable;

/**
 * The SLs of paths, computed on demand: a table over all pairs of LIDs would be too large. Implementations
 * are pure, take constant time and are called from several threads simultaneously.
 */
public interface PathSls {
    /**
     * Returns the SL of a path. It is the same for all LIDs of the source's switch, except that an end port
     * whose own table discards it has no path. If {@link #isBySwitch} is true, it is also the same for all LIDs
     * of the destination's switch, and there are no exceptions.
     *
     * @param srcLid any LID of the source end port
     * @param dstLid any LID of the destination end port
     * @param wanted SL requested by policy, 0 to 15; the engine decides on its meaning
     * @return SL 0 to 15, or -1 if the engine has no path for this pair
     */
    int sl(int srcLid, int dstLid, int wanted);

    /**
     * Returns the set of SLs (bit n: SL n) that {@link #sl} may return for paths from end ports of a switch
     * to a LID, for any wanted SL. The proof assumes packets with exactly these SLs. A missing SL would not
     * be covered; a surplus SL can close a cycle that no packets close.
     *
     * @param dstLid a LID of a switch or of an end port that is attached to one
     */
    int mask(int srcSw, int dstLid);

    /**
     * Computes {@link #mask} for several LIDs.
     *
     * @param dstLids LIDs of switches or of end ports attached to them, from index {@code from} on
     * @param count number of LIDs
     * @param masks receives the sets, from index 0 on
     */
    default void masks(int srcSw, int[] dstLids, int from, int count, char[] masks) {
        for (int i = 0; i < count; i++) {
            masks[i] = (char) mask(srcSw, dstLids[from + i]);
        }
    }

    /**
     * Checks whether SL and mask are the same for all LIDs of one destination switch; false for engines that
     * choose by LID. It only saves work: the proof then finds LIDs with equal routes by their forwarding
     * entries alone.
     */
    default boolean isBySwitch() {
        return true;
    }

    /**
     * Checks whether these are certainly the SLs of another plan. Then {@link #mask} and {@link #sl} are
     * equal from every common switch, by GUID, to every LID at the same switch in both. It only saves a
     * comparison of each pair.
     *
     * @param other SLs of a plan of the same engine, or of any other
     */
    default boolean isSameAs(PathSls other) {
        return this == other;
    }

    /**
     * Returns the SLs that these are wherever forwarding tables have an entry. Where the tables have none,
     * these have none. It only saves work: SLs of two plans are then alike wherever entries are.
     *
     * @param lfts by switch: egress port by LID, 0xFF where there is no entry
     * @return null if these are not known to be of that kind
     */
    default @Nullable PathSls ofRoutes(byte[][] lfts) {
        return null;
    }
}
