package io.torussm.routing;

import io.torussm.subnet.Subnet;
import org.jspecify.annotations.Nullable;

/**
 * The SLs of paths, computed on demand: a table over all pairs of LIDs would be too large. Implementations
 * are pure, take constant time and are called from several threads simultaneously.
 */
public interface PathSls {
    /**
     * Returns the SL of a path. The SL is the same for all LIDs of the source's switch. But a source has no path if
     * its own SL2VL table discards the SL. If {@link #isBySwitch} is true, the SL is also the same for all LIDs of
     * the destination's switch, and no source discards it.
     *
     * @param srcLid any LID of the source end port
     * @param dstLid any LID of the destination end port
     * @param wanted SL that the policy requests, 0 to 15; its meaning depends on the engine
     * @return SL 0 to 15, or -1 if the engine has no path for this pair
     */
    int sl(int srcLid, int dstLid, int wanted);

    /**
     * Returns the set of SLs (bit n: SL n) that {@link #sl} may return for paths from end ports of a switch to a
     * LID, for any wanted SL. The proof assumes packets with exactly these SLs. The proof would not cover a missing
     * SL. A surplus SL could close a cycle of channels that no packets close.
     *
     * @param dstLid LID of a switch, or of an end port that is attached to a switch
     * @param srcSw index of the source switch
     */
    int mask(int srcSw, int dstLid);

    /**
     * Computes {@link #mask} for several LIDs.
     *
     * @param dstLids LIDs of switches or of end ports attached to them; read from index {@code from} on
     * @param count number of LIDs
     * @param masks receives the sets, from index 0 on
     */
    default void masks(int srcSw, int[] dstLids, int from, int count, char[] masks) {
        for (int i = 0; i < count; i++) {
            masks[i] = (char) mask(srcSw, dstLids[from + i]);
        }
    }

    /**
     * Checks whether SL and mask are the same for all LIDs of one destination switch; false for engines that choose
     * by LID. True only saves work: the proof then finds LIDs with equal routes by their forwarding entries alone.
     */
    default boolean isBySwitch() {
        return true;
    }

    /**
     * Checks whether these SLs are certainly equal to those of another plan. Then {@link #mask} and {@link #sl} are
     * equal from every common switch (by GUID) to every LID that is at the same switch in both plans. True only
     * saves a comparison of each pair.
     *
     * @param other SLs of a plan of the same engine, or of any other
     */
    default boolean isSameAs(PathSls other) {
        return this == other;
    }

    /**
     * Returns SLs that equal these SLs wherever forwarding tables have an entry, if these SLs have no path wherever
     * the tables have no entry. The result may be defined for all pairs, so SLs of two plans can be compared without
     * their tables. This only saves work.
     *
     * @param lfts output ports {@code [switch][LID]}, 0xFF for no entry
     * @return such SLs; null if these SLs are not known to be of this kind
     */
    default @Nullable PathSls ofRoutes(byte[][] lfts) {
        return null;
    }

    /**
     * The SLs of paths from and to the LIDs of virtual ports, which are those of the base LIDs of their physical ports.
     * Other LIDs have the SLs of the engine.
     */
    final class VPortSls implements PathSls {
        private final PathSls engineSls;

        /** The subnet with the LIDs of virtual ports. */
        private final Subnet subnet;

        /**
         * Creates SLs.
         *
         * @param engineSls SLs of the subnet without LIDs of virtual ports
         */
        VPortSls(PathSls engineSls, Subnet subnet) {
            this.engineSls = engineSls;
            this.subnet = subnet;
        }

        /** Returns SLs as the engine made them. */
        static PathSls ofEngine(PathSls sls) {
            return sls instanceof VPortSls vports ? vports.engineSls : sls;
        }

        @Override
        public int sl(int srcLid, int dstLid, int wanted) {
            return engineSls.sl(subnet.routedLid(srcLid), subnet.routedLid(dstLid), wanted);
        }

        @Override
        public int mask(int srcSw, int dstLid) {
            return engineSls.mask(srcSw, subnet.routedLid(dstLid));
        }

        @Override
        public void masks(int srcSw, int[] dstLids, int from, int count, char[] masks) {
            int[] routed = new int[count];
            for (int i = 0; i < count; i++) {
                routed[i] = subnet.routedLid(dstLids[from + i]);
            }
            engineSls.masks(srcSw, routed, 0, count, masks);
        }

        @Override
        public boolean isBySwitch() {
            return engineSls.isBySwitch();
        }

        /** {@inheritDoc} SLs by LID are compared pair by pair, since a virtual port may have moved to another LID. */
        @Override
        public boolean isSameAs(PathSls other) {
            return this == other || (isBySwitch() && other.isBySwitch() && engineSls.isSameAs(ofEngine(other)));
        }

        @Override
        public @Nullable PathSls ofRoutes(byte[][] lfts) {
            PathSls routed = engineSls.ofRoutes(lfts);
            return routed == null ? null : new VPortSls(routed, subnet);
        }
    }
}
