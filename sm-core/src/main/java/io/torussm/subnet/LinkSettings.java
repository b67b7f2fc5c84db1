package io.torussm.subnet;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.PortInfo;

/**
 * The settings of links, and their values for one port. Time values are 4.096 us x 2^n (IBA 14.2.5.6).
 *
 * @param maxOpVls upper limit of OperationalVLs, a VL code 1 to 5 (VL0, VL0-1, VL0-3, VL0-7, VL0-14)
 * @param hoqLife HOQLife of ports between switches, a time value n; packets never expire from 20 on
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

    /** The lowest bit of each of the sixteen 4-bit entries of a packed SL2VL row. */
    private static final long ENTRY_UNITS = 0x1111_1111_1111_1111L;

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

    /**
     * Returns a VL of an SL2VL or arbitration entry modulo the number of data VLs of a port; VL15 stays (IBA 7.6.6).
     */
    public static int foldVl(int vl, int vlCode) {
        return vl == 15 ? vl : vl & (1 << Math.max(0, vlCode - 1)) - 1;
    }

    /** Returns a packed SL2VL row with {@link #foldVl} applied to all sixteen entries. */
    public static long foldRow(long packed, int vlCode) {
        long mask = (1L << Math.max(0, vlCode - 1)) - 1 & 0xf;
        // the lowest bit of each entry that is 15
        long isDropped = packed & packed >>> 1 & packed >>> 2 & packed >>> 3 & ENTRY_UNITS;
        return packed & mask * ENTRY_UNITS | isDropped * 0xf;
    }

    /**
     * Returns the wanted OperationalVLs of a port: the min of {@code maxOpVls} and the VLCaps of both ends. A port past
     * INITIALIZE keeps its current value, because OperationalVLs may change only while a link trains. But if the far
     * end already has the min, this end gets it too: its response was false, or another program wrote it.
     *
     * @param port port index
     * @return VL code, 1 to 5
     */
    public int operationalVls(Fabric fabric, int port) {
        PortInfo own = fabric.portInfo(port);
        if (own == null) {
            return 1;
        }
        PortInfo far = farPortInfo(fabric, port);
        int common = Math.max(1, Math.min(maxOpVls, Math.min(vlCap(own), vlCap(far))));
        boolean isKept = isTrained(own)
                && own.operationalVls() > 0
                && !(far != null && isTrained(far) && far.operationalVls() == common);
        return isKept ? Math.min(own.operationalVls(), 5) : common;
    }

    /**
     * Returns the wanted NeighborMTU of a port: the min of the MTUCaps of both ends. A port past INITIALIZE keeps its
     * current value, unless the far end already has the min. Port 0 of a switch has no link and gets its own MTUCap.
     *
     * @param port port index
     * @return MTU code, 1 (256 octets) to 5 (4,096 octets)
     */
    public int mtu(Fabric fabric, int port) {
        PortInfo own = fabric.portInfo(port);
        if (own == null) {
            return 1;
        }
        if (fabric.isSwitch(fabric.nodeOf(port)) && fabric.portNum(port) == 0) {
            return own.mtuCap() == 0 ? own.neighborMtu() : own.mtuCap();
        }
        PortInfo far = farPortInfo(fabric, port);
        if (far == null) {
            return own.neighborMtu();
        }
        int common = Math.min(own.mtuCap(), far.mtuCap());
        boolean isKept = isTrained(own) && !(isTrained(far) && far.neighborMtu() == common);
        return isKept ? own.neighborMtu() : common;
    }

    private static boolean isTrained(PortInfo info) {
        return info.isArmedOrActive();
    }

    /** Returns VLCap; 5, its max, if unknown. */
    private static int vlCap(@org.jspecify.annotations.Nullable PortInfo info) {
        return info == null || info.vlCap() == 0 ? 5 : info.vlCap();
    }

    private static @org.jspecify.annotations.Nullable PortInfo farPortInfo(Fabric fabric, int port) {
        int peer = fabric.peer(port);
        return peer == Fabric.NONE ? null : fabric.portInfo(peer);
    }
}
