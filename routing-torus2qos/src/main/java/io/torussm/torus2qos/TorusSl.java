package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.routing.PathSls;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Multipath;
import io.torussm.torus2qos.discovery.ShortWay;
import io.torussm.torus2qos.discovery.Torus;
import java.util.Arrays;

/**
 * The SL of a path. It has one bit for each dimension whose dateline the short way crosses ({@link ShortWay}).
 * Bit 3 is the QoS level or, with {@link Multipath#ORDERS}, the order of dimensions. The SL depends only on
 * coordinates and, with {@link Multipath}, on the distance of the destination LID from its base LID. So no
 * failure of a link or a switch between source and destination changes the SL.
 */
final class TorusSl implements PathSls {
    /** The only bit of a wanted SL that affects the result: the QoS level. */
    static final int QOS_BIT = 8;

    /**
     * The SLs 0 and 8, as a set of SLs: bit n is SL n. A shift by the dateline bits gives the SLs of a path on both
     * QoS levels.
     */
    private static final int LEVELS = 1 | 1 << QOS_BIT;

    private static final int COORDINATE_BITS = 16;

    private final LidPaths paths;
    private final Subnet subnet;
    /** By LID: the slot; -1 if the LID has no slot. */
    private final int[] slotOfLid;

    private final boolean servesUnplaced;

    /** Coordinates {@code [dimension][slot]}. */
    private final char[][] coordinate = new char[Dim.COUNT][];

    /**
     * By LID: the coordinates of its slot, {@value #COORDINATE_BITS} bits each, x in the lowest bits; negative if
     * the LID has no slot.
     */
    private final long[] placeOfLid;

    /** True if the coordinates, together with the level, determine the SL. */
    private final boolean isByPlace;

    /**
     * Dateline bits {@code [dimension][source coordinate][destination coordinate]}, 0 or {@code 1 << dimension}, for
     * paths that all LIDs of a port share.
     */
    private final byte[][][] crossings = new byte[Dim.COUNT][][];

    /**
     * Makes the SLs of a torus.
     *
     * @param servesUnplaced true if paths from and to switches without a position have the SL of a path that crosses
     *     no dateline; false if such paths have no SL
     * @param slotOfLid by LID: slot of the switch that its end port is attached to, -1 if there is no such slot
     */
    TorusSl(LidPaths paths, Subnet subnet, int[] slotOfLid, boolean servesUnplaced) {
        this.servesUnplaced = servesUnplaced;
        this.paths = paths;
        this.subnet = subnet;
        this.slotOfLid = slotOfLid;
        Torus torus = paths.torus();
        for (int d = 0; d < Dim.COUNT; d++) {
            coordinate[d] = new char[torus.slots()];
            for (int slot = 0; slot < torus.slots(); slot++) {
                coordinate[d][slot] = (char) torus.coordinate(slot, d);
            }
            crossings[d] = crossings(torus, d);
        }
        placeOfLid = Arrays.stream(slotOfLid).mapToLong(this::place).toArray();
        isByPlace = paths.hasEqualPaths() && !paths.hasOrders();
    }

    private long place(int slot) {
        long place = slot < 0 ? -1 : 0;
        for (int d = Dim.COUNT - 1; d >= 0 && slot >= 0; d--) {
            place = place << COORDINATE_BITS | coordinate[d][slot];
        }
        return place;
    }

    private static byte[][] crossings(Torus torus, int d) {
        byte[][] bits = new byte[torus.radix(d)][torus.radix(d)];
        for (int s = 0; s < bits.length; s++) {
            for (int t = 0; t < bits.length; t++) {
                bits[s][t] = (byte) (torus.shortWay(torus.axis(d)).hasDatelineBit(s, t) ? 1 << d : 0);
            }
        }
        return bits;
    }

    /** Returns the paths to which these SLs belong. */
    LidPaths paths() {
        return paths;
    }

    /** Returns the SL between two LIDs; -1 if one of them is outside the torus and {@code servesUnplaced} is false. */
    @Override
    public int sl(int srcLid, int dstLid, int wanted) {
        int src = slot(srcLid);
        int dst = slot(dstLid);
        int crossed =
                src >= 0 && dst >= 0 ? crossings(src, dst, dstLid) : isServed(srcLid) && isServed(dstLid) ? 0 : -1;
        return crossed < 0 ? -1 : crossed | (paths.hasOrders() ? order(dstLid) : wanted & QOS_BIT);
    }

    @Override
    public int mask(int srcSw, int dstLid) {
        int src = paths.torus().slotOfSwitch(srcSw);
        long place = isByPlace && src >= 0 ? placeOfLid[dstLid] : -1;
        if (place >= 0) {
            return LEVELS << crossings(row(0, src), row(1, src), row(2, src), place);
        }
        int dst = paths.torus().slotOfSwitch(subnet.switchOfLid(dstLid));
        if ((src < 0 || dst < 0) && !servesUnplaced) {
            return 0;
        }
        int sl = src < 0 || dst < 0 ? 0 : crossings(src, dst, dstLid);
        return paths.hasOrders() ? 1 << (sl | order(dstLid)) : 1 << sl | 1 << (sl | QOS_BIT);
    }

    @Override
    public void masks(int srcSw, int[] dstLids, int from, int count, char[] masks) {
        int src = paths.torus().slotOfSwitch(srcSw);
        if (src < 0 || !isByPlace) {
            PathSls.super.masks(srcSw, dstLids, from, count, masks);
            return;
        }
        byte[] x = row(0, src);
        byte[] y = row(1, src);
        byte[] z = row(2, src);
        for (int i = 0; i < count; i++) {
            long place = placeOfLid[dstLids[from + i]];
            masks[i] = (char) (place < 0 ? mask(srcSw, dstLids[from + i]) : LEVELS << crossings(x, y, z, place));
        }
    }

    /** Returns the dateline bits of one dimension from a slot, by coordinate. */
    private byte[] row(int d, int src) {
        return crossings[d][coordinate[d][src]];
    }

    private static int crossings(byte[] x, byte[] y, byte[] z, long place) {
        return x[(char) place] | y[(char) (place >> COORDINATE_BITS)] | z[(char) (place >> 2 * COORDINATE_BITS)];
    }

    @Override
    public boolean isBySwitch() {
        return paths.hasEqualPaths();
    }

    @Override
    public boolean isSameAs(PathSls other) {
        return other instanceof TorusSl previous
                && servesUnplaced == previous.servesUnplaced
                && paths.hasSameWaysAs(previous.paths)
                && haveSamePlaces(paths.torus(), previous.paths.torus());
    }

    /** Checks whether each switch of both fabrics has the same position in both tori, or is unplaced in both. */
    private static boolean haveSamePlaces(Torus current, Torus previous) {
        Fabric fabric = current.fabric();
        Fabric oldFabric = previous.fabric();
        // Switches are sorted by GUID (unsigned) in each fabric, so one pass over both finds the pairs.
        for (int sw = 0, oldSw = 0; sw < fabric.switchCount(); sw++) {
            while (oldSw < oldFabric.switchCount()
                    && Long.compareUnsigned(oldFabric.nodeGuid(oldSw), fabric.nodeGuid(sw)) < 0) {
                oldSw++;
            }
            if (oldSw < oldFabric.switchCount() && oldFabric.nodeGuid(oldSw) == fabric.nodeGuid(sw)) {
                int slot = current.slotOfSwitch(sw);
                int oldSlot = previous.slotOfSwitch(oldSw);
                if (slot < 0 != oldSlot < 0
                        || (slot >= 0 && current.positionOf(slot) != previous.positionOf(oldSlot))) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Returns the dateline bits between two slots, on the path to a LID of the slot {@code dst}. */
    private int crossings(int src, int dst, int dstLid) {
        if (paths.hasEqualPaths()) {
            return crossings[0][coordinate[0][src]][coordinate[0][dst]]
                    | crossings[1][coordinate[1][src]][coordinate[1][dst]]
                    | crossings[2][coordinate[2][src]][coordinate[2][dst]];
        }
        Torus destinationTorus = paths.torusFor(dstLid);
        return crossing(destinationTorus, 0, src, dst)
                | crossing(destinationTorus, 1, src, dst)
                | crossing(destinationTorus, 2, src, dst);
    }

    private int crossing(Torus destinationTorus, int d, int src, int dst) {
        return destinationTorus
                        .shortWay(destinationTorus.axis(d))
                        .hasDatelineBit(coordinate[d][src], coordinate[d][dst])
                ? 1 << d
                : 0;
    }

    private int order(int dstLid) {
        return paths.torusFor(dstLid).isReversed() ? QOS_BIT : 0;
    }

    private boolean isServed(int lid) {
        return servesUnplaced && subnet.switchOfLid(lid) != Fabric.NONE;
    }

    private int slot(int lid) {
        return lid >= 0 && lid < slotOfLid.length ? slotOfLid[lid] : -1;
    }
}
