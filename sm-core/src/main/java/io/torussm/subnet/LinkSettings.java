package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;

/**
 * The settings of links, and their values for one port. Time values are 4.096 us x 2^n (IBA 14.2.5.6).
 *
 * @param maxOpVls cap of OperationalVLs, a VL code 1 to 5
 * @param hoqLife HOQLife of ports between switches, a time value; 20 and more never expire
 * @param leafHoqLife HOQLife of switch ports to hosts
 * @param vlStallCount VLStallCount of ports between switches, 1 to 7
 * @param leafVlStallCount VLStallCount of switch ports to hosts
 * @param localPhyErrors threshold of trap 129, 0 to 15
 * @param overrunErrors threshold of trap 130, 0 to 15
 * @param speeds enabled widths and speeds
 */
public record LinkSettings(
        int maxOpVls,
        int hoqLife,
        int leafHoqLife,
        int vlStallCount,
        int leafVlStallCount,
        int localPhyErrors,
        int overrunErrors,
        LinkSpeeds speeds) {

    /** One in each entry of a packed SL2VL row. */
    private static final long EACH_ENTRY = 0x1111_1111_1111_1111L;

    /** The defaults of OpenSM. */
    public static final LinkSettings DEFAULT = new LinkSettings(5, 0x12, 0x10, 7, 7, 8, 8);

    /** Returns the defaults of OpenSM, except for {@code max_op_vls}. */
    public static LinkSettings limitedTo(int maxOpVls) {
        LinkSettings d = DEFAULT;
        return new LinkSettings(
                maxOpVls,
                d.hoqLife,
                d.leafHoqLife,
                d.vlStallCount,
                d.leafVlStallCount,
                d.localPhyErrors,
                d.overrunErrors);
    }

    /** Creates settings with the default speeds of OpenSM. */
    public LinkSettings(
            int maxOpVls,
            int hoqLife,
            int leafHoqLife,
            int vlStallCount,
            int leafVlStallCount,
            int localPhyErrors,
            int overrunErrors) {
        this(
                maxOpVls,
                hoqLife,
                leafHoqLife,
                vlStallCount,
                leafVlStallCount,
                localPhyErrors,
                overrunErrors,
                LinkSpeeds.DEFAULT);
    }

    /** Returns the number of data VLs of a VL code: 1, 2, 4, 8, 15. */
    public static int dataVls(int vlCode) {
        return vlCode >= 5 ? 15 : 1 << Math.max(0, vlCode - 1);
    }

    /** Returns the VL that an SL2VL or arbitration entry means on a port: folded into its data VLs, VL 15 kept. */
    public static int foldVl(int vl, int vlCode) {
        return vl == 15 ? vl : vl & (1 << Math.max(0, vlCode - 1)) - 1;
    }

    /** Computes {@link #foldVl} of all sixteen entries of a packed SL2VL row. */
    public static long foldRow(long packed, int vlCode) {
        long mask = (1L << Math.max(0, vlCode - 1)) - 1 & 0xf;
        long isDropped = packed & packed >>> 1 & packed >>> 2 & packed >>> 3 & EACH_ENTRY;
        return packed & mask * EACH_ENTRY | isDropped * 0xf;
    }

    /**
     * Returns the VL code of an active port. A link past INITIALIZE keeps its value, since OperationalVLs may
     * change only while it trains. If its ends differ, and the far end has the value of both, this end gets it too:
     * its answer was false, or another program wrote it.
     *
     * @return 1 to 5
     */
    public int operationalVls(Fabric fabric, int port) {
        PortInfo own = fabric.portInfo(port);
        if (own == null) {
            return 1;
        }
        PortInfo far = far(fabric, port);
        int common = Math.max(1, Math.min(maxOpVls, Math.min(vlCap(own), vlCap(far))));
        boolean isKept = isTrained(own)
                && own.operationalVls() > 0
                && !(far != null && isTrained(far) && far.operationalVls() == common);
        return isKept ? Math.min(own.operationalVls(), 5) : common;
    }

    /**
     * Returns the MTU code for a port; its current one past INITIALIZE, but for ends that differ (as
     * {@link #operationalVls}). Port 0 of a switch has no link, and gets its maximum.
     */
    public int mtu(Fabric fabric, int port) {
        PortInfo own = fabric.portInfo(port);
        if (own == null) {
            return 1;
        }
        if (fabric.isSwitch(fabric.nodeOf(port)) && fabric.portNum(port) == 0) {
            return own.mtuCap() == 0 ? own.neighborMtu() : own.mtuCap();
        }
        PortInfo far = far(fabric, port);
        if (far == null) {
            return own.neighborMtu();
        }
        int common = Math.min(own.mtuCap(), far.mtuCap());
        boolean isKept = isTrained(own) && !(isTrained(far) && far.neighborMtu() == common);
        return isKept ? own.neighborMtu() : common;
    }

    private static boolean isTrained(PortInfo info) {
        return info.portState() > PortInfo.STATE_INITIALIZE;
    }

    private static int vlCap(@org.jspecify.annotations.Nullable PortInfo info) {
        return info == null || info.vlCap() == 0 ? 5 : info.vlCap();
    }

    private static @org.jspecify.annotations.Nullable PortInfo far(Fabric fabric, int port) {
        int peer = fabric.peer(port);
        return peer == Fabric.NONE ? null : fabric.portInfo(peer);
    }
}
