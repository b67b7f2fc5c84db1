package io.torussm.torus2qos;

import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Torus;
import java.util.Arrays;
import java.util.BitSet;

/**
 * Where to go along one dimension: for a switch and a coordinate to reach, the group to leave by. Three such tables
 * answer every routing question to destinations of one side with at most three look-ups.
 */
final class LineTable {
    /** No way in this dimension. */
    static final byte NO_HOP = -1;

    /** The way to a switch to which the line is cut in both directions. */
    private static final byte CUT = -2;

    private final int radix;
    private final byte[] hops;

    /** Slots from which there is no way to some coordinate. */
    private final BitSet incomplete = new BitSet();

    /**
     * Creates the ways along a dimension.
     *
     * @param side side of the destinations that the table is for; see {@link Torus#side}
     */
    LineTable(Torus torus, int d, int side) {
        radix = torus.radix(d);
        hops = new byte[torus.slots() * radix];
        byte[] shortWays = new byte[radix * radix];
        for (int i = 0; i < shortWays.length; i++) {
            int preferred = direction(d, torus.shortWay(d).prefer(i / radix, i % radix, side));
            shortWays[i] = i / radix == i % radix ? NO_HOP : (byte) preferred;
        }
        for (int start = 0; start < torus.positions(); start++) {
            if (torus.coordinateAt(start, d) == 0) {
                line(torus, d, start, shortWays);
            }
        }
    }

    /** Fills in a line of switches: along one without gaps all go the short way. */
    private void line(Torus torus, int d, int start, byte[] shortWays) {
        boolean isWhole = true;
        for (int i = 0; i < radix && isWhole; i++) {
            int slot = torus.slotAt(torus.with(start, d, i));
            isWhole = slot >= 0
                    && torus.group(slot, Dim.minus(d)).length > 0
                    && torus.group(slot, Dim.plus(d)).length > 0;
        }
        for (int from = 0; from < radix; from++) {
            int slot = torus.slotAt(torus.with(start, d, from));
            if (isWhole) {
                System.arraycopy(shortWays, from * radix, hops, slot * radix, radix);
                continue;
            }
            for (int to = 0; to < radix && slot >= 0; to++) {
                byte group = from == to ? NO_HOP : hop(torus, d, slot, to, shortWays[from * radix + to]);
                hops[slot * radix + to] = group;
                if (from != to && group < 0) {
                    incomplete.set(slot);
                }
            }
        }
    }

    /**
     * Returns the group by which to leave a slot for a coordinate, {@link #NO_HOP} if there is no way or it is
     * there.
     */
    byte hop(int slot, int coordinate) {
        return (byte) Math.max(NO_HOP, hops[slot * radix + coordinate]);
    }

    /** Checks whether a slot has the same hops as a slot in another table. */
    boolean hasRowOf(int slot, LineTable other, int otherSlot) {
        return radix == other.radix
                && Arrays.equals(
                        hops, slot * radix, (slot + 1) * radix, other.hops, otherSlot * radix, (otherSlot + 1) * radix);
    }

    /** Checks whether there is no way to a coordinate although a switch is there. */
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
     * Returns the hop in this dimension. If the switch at which the packet should turn is there, the hop is
     * along the line: the short way or, if that is broken, the other. If that switch is missing, the hop is
     * towards it by the short way as far as there are cables, so that the packet turns early. In z there is
     * no such hop, since no packet may turn after z.
     */
    private static byte hop(Torus torus, int d, int slot, int to, int preferred) {
        int turn = torus.slotAt(torus.with(torus.positionOf(slot), d, to));
        if (turn >= 0) {
            return reach(torus, slot, turn, preferred);
        }
        return d == 2 || torus.neighbour(slot, preferred) < 0 ? NO_HOP : (byte) preferred;
    }

    private static byte reach(Torus torus, int from, int to, int preferred) {
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
        return Dim.towards(d, sign);
    }
}
