package io.torussm.torus2qos;

import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Torus;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The next hops along one dimension: for a switch and a coordinate to reach, the group through which a packet
 * leaves. With one table for each dimension, at most three look-ups give the next hop to any destination of one
 * side.
 */
final class LineTable {
    /** No hop in this dimension. */
    static final byte NO_HOP = -1;

    /** The entry for a switch that is present, while the line to it is cut in both directions. */
    private static final byte CUT = -2;

    private final int radix;
    /** By {@code slot * radix + coordinate}: a group, {@link #NO_HOP} or {@link #CUT}. */
    private final byte[] hops;

    /** Slots from which some coordinate cannot be reached. */
    private final BitSet incomplete = new BitSet();

    /**
     * Computes the hops along a dimension.
     *
     * @param d dimension
     * @param side side of the destinations that the table is for; see {@link Torus#side}
     */
    LineTable(Torus torus, int d, int side) {
        radix = torus.radix(d);
        hops = new byte[torus.slots() * radix];
        byte[] shortWays = new byte[radix * radix];
        for (int i = 0; i < shortWays.length; i++) {
            int preferred = direction(d, torus.shortWay(d).direction(i / radix, i % radix, side));
            shortWays[i] = i / radix == i % radix ? NO_HOP : (byte) preferred;
        }
        for (int start = 0; start < torus.positions(); start++) {
            if (torus.coordinateAt(start, d) == 0) {
                fillLine(torus, d, start, shortWays);
            }
        }
    }

    /**
     * Fills in the hops of one line of switches. On a line without gaps, all hops go the short way.
     *
     * @param start position at coordinate 0 of the line
     * @param shortWays by {@code from * radix + to}: group of the short way between two coordinates
     */
    private void fillLine(Torus torus, int d, int start, byte[] shortWays) {
        boolean isWhole = true;
        for (int i = 0; i < radix && isWhole; i++) {
            int slot = torus.slotAt(torus.withCoordinate(start, d, i));
            isWhole = slot >= 0
                    && torus.group(slot, Dim.minus(d)).length > 0
                    && torus.group(slot, Dim.plus(d)).length > 0;
        }
        for (int from = 0; from < radix; from++) {
            int slot = torus.slotAt(torus.withCoordinate(start, d, from));
            if (isWhole) {
                System.arraycopy(shortWays, from * radix, hops, slot * radix, radix);
                continue;
            }
            if (slot < 0) {
                continue;
            }
            for (int to = 0; to < radix; to++) {
                byte group = from == to ? NO_HOP : hop(torus, d, slot, to, shortWays[from * radix + to]);
                hops[slot * radix + to] = group;
                if (from != to && group < 0) {
                    incomplete.set(slot);
                }
            }
        }
    }

    /**
     * Returns the group through which a packet leaves a slot for a coordinate; {@link #NO_HOP} if the coordinate
     * cannot be reached or is that of the slot.
     */
    byte hop(int slot, int coordinate) {
        return (byte) Math.max(NO_HOP, hops[slot * radix + coordinate]);
    }

    /** Checks whether a slot has the same hops as a slot in another table. */
    boolean hasSameRowAs(int slot, LineTable other, int otherSlot) {
        return radix == other.radix
                && Arrays.equals(
                        hops, slot * radix, (slot + 1) * radix, other.hops, otherSlot * radix, (otherSlot + 1) * radix);
    }

    /** Checks whether a line has a switch at a coordinate, but no way to this switch. */
    boolean isCut(int slot, int coordinate) {
        return hops[slot * radix + coordinate] == CUT;
    }

    /** Checks whether every slot has a way to every other coordinate. */
    boolean isComplete() {
        return incomplete.isEmpty();
    }

    /** Checks whether there is a way from a slot to every other coordinate. */
    boolean isComplete(int slot) {
        return !incomplete.get(slot);
    }

    /**
     * Returns the hop in this dimension. If the switch at which the packet should turn is present, the hop is along
     * the line: the short way or, if that is broken, the long way. If this switch is missing, the hop leads towards
     * its position by the short way while there are cables. So the packet turns early, beside the missing switch. In
     * z there is no such hop, since no packet may turn after z.
     */
    private static byte hop(Torus torus, int d, int slot, int to, int preferred) {
        int turn = torus.slotAt(torus.withCoordinate(torus.positionOf(slot), d, to));
        if (turn >= 0) {
            return hopAlongLine(torus, slot, turn, preferred);
        }
        return d == 2 || torus.neighbour(slot, preferred) < 0 ? NO_HOP : (byte) preferred;
    }

    private static byte hopAlongLine(Torus torus, int from, int to, int preferred) {
        // Groups 2d and 2d + 1 are the two directions of dimension d, so ^ 1 is the opposite direction.
        for (int group : new int[] {preferred, preferred ^ 1}) {
            int slot = torus.neighbour(from, group);
            while (slot >= 0 && slot != from && slot != to) {
                slot = torus.neighbour(slot, group);
            }
            if (slot == to) {
                return (byte) group;
            }
        }
        return CUT;
    }

    private static int direction(int d, int sign) {
        return Dim.groupTowards(d, sign);
    }
}
