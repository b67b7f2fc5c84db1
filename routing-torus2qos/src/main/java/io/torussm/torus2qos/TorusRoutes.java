package io.torussm.torus2qos;

import io.torussm.event.Finding;
import io.torussm.event.SmEvent;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.FabricFilter;
import io.torussm.torus2qos.discovery.Torus;
import io.torussm.torus2qos.discovery.TorusCheck;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The unicast forwarding tables of a torus: x first, then y, then z. {@link LidPaths} chooses the torus for LIDs
 * at an even and at an odd distance from their base LID.
 *
 * <p>The output group depends on the switch, the destination's switch and, if ties are split, the destination's
 * side ({@link Torus#side}). Apart from the side, the destination port only selects one of several parallel
 * cables. Every switch has two counters for each direction, one for switches and one for end ports of CAs and
 * routers. They assign destinations, in the order of {@link TorusDestinations}, to the cables in turn. All LIDs
 * of an end port take the same cable.
 *
 * <p>The switches are independent, so ranges of them are filled in parallel; the result does not depend on the
 * number of threads. If every direction has one cable, the order of destinations has no effect. Then whole runs
 * of LIDs with the same side and the same x coordinate are filled together.
 */
final class TorusRoutes {
    private final Torus torus;
    private final boolean avoidsCuts;
    private final TorusDestinations destinations;

    /** Hops {@code [side of the destination][dimension]}; both sides share the tables if no way depends on sides. */
    private final LineTable[][] lines = new LineTable[2][Dim.COUNT];

    /** Coordinates {@code [dimension][slot]}. */
    private final char[][] coordinateOfSlot = new char[Dim.COUNT][];

    /** Coordinates {@code [dimension][LID]} of the destination's switch; the radix if the LID is unused. */
    private final char[][] coordinateOfLid = new char[Dim.COUNT][];

    /** By LID: the side, 0 or 1; 0 if no way depends on sides, or the LID is unused. */
    private final byte[] sideOfLid;

    /** Runs of LIDs with the same x and side: the first LID of each run, then the number of LIDs. */
    private final int[] runs;

    /**
     * Makes the routes of a torus.
     *
     * @param avoidsCuts true if packets may leave a cut line by another dimension to reach its other part
     */
    TorusRoutes(Torus torus, TorusDestinations destinations, boolean avoidsCuts) {
        this.torus = torus;
        this.avoidsCuts = avoidsCuts;
        this.destinations = destinations;
        int[] slotOfLid = destinations.slotOfLid;
        for (int d = 0; d < Dim.COUNT; d++) {
            lines[0][d] = new LineTable(torus, d, 0);
            lines[1][d] = torus.hasSides() ? new LineTable(torus, d, 1) : lines[0][d];
            coordinateOfSlot[d] = new char[torus.slots()];
            for (int slot = 0; slot < torus.slots(); slot++) {
                coordinateOfSlot[d][slot] = (char) torus.coordinate(slot, d);
            }
            coordinateOfLid[d] = new char[slotOfLid.length];
            for (int lid = 0; lid < slotOfLid.length; lid++) {
                coordinateOfLid[d][lid] =
                        slotOfLid[lid] < 0 ? (char) torus.radix(d) : coordinateOfSlot[d][slotOfLid[lid]];
            }
        }
        sideOfLid = new byte[slotOfLid.length];
        int slotsWithSides = torus.hasSides() ? torus.slots() : 0;
        for (int slot = 0; slot < slotsWithSides; slot++) {
            for (int i = destinations.firstDestination[slot]; i < destinations.firstDestination[slot + 1]; i++) {
                fill(sideOfLid, i, (byte) torus.side(slot, destinations.portNum[i]));
            }
        }
        runs = runs();
    }

    /**
     * Returns the group through which a packet leaves a slot for a destination; {@link LineTable#NO_HOP} if there is
     * no way.
     *
     * @param from slot of the switch at which the packet is
     * @param to slot of the destination's switch
     * @param side side of the destination, 0 or 1
     */
    int nextGroup(int from, int to, int side) {
        LineTable[] linesOfSide = lines[side];
        for (int d = 0; d < Dim.COUNT; d++) {
            char coordinate = coordinateOfSlot[d][to];
            if (coordinate != coordinateOfSlot[d][from]) {
                byte group = linesOfSide[d].hop(from, coordinate);
                if (group != LineTable.NO_HOP || (!avoidsCuts && linesOfSide[d].isCut(from, coordinate))) {
                    return group;
                }
            }
        }
        return LineTable.NO_HOP;
    }

    /**
     * Returns a finding for each ordered pair of placed switches without a path; at most {@link TorusCheck#MAX_LISTED}.
     */
    List<Finding> unroutable() {
        List<Finding> findings = new ArrayList<>();
        if (Arrays.stream(lines).flatMap(Arrays::stream).allMatch(LineTable::isComplete)) {
            return findings;
        }
        for (int from = 0; from < torus.slots(); from++) {
            int last = hasAllHops(from) ? 0 : torus.slots();
            for (int to = 0; to < last && findings.size() < TorusCheck.MAX_LISTED; to++) {
                if (from != to && !hasWay(from, to)) {
                    findings.add(
                            SmEvent.TORUS_BROKEN.finding("no way from ", torus.device(from), " to " + torus.name(to)));
                }
            }
        }
        return findings;
    }

    private boolean hasWay(int from, int to) {
        return nextGroup(from, to, 0) != LineTable.NO_HOP && nextGroup(from, to, 1) != LineTable.NO_HOP;
    }

    /**
     * Returns the table of a switch of the fabric, by LID: the output port. If the switch was not placed, every
     * entry is "no path".
     */
    byte[] table(int sw) {
        byte[] table = new byte[destinations.slotOfLid.length];
        int slot = torus.slotOfSwitch(sw);
        if (slot < 0) {
            Arrays.fill(table, LinearForwardingTable.NO_PATH_ENTRY);
        } else if (isPlain(slot)) {
            fillByLid(slot, table);
        } else {
            Arrays.fill(table, LinearForwardingTable.NO_PATH_ENTRY);
            fillByDestination(slot, table);
        }
        return table;
    }

    /**
     * Checks whether each direction of a slot has at most one cable, and every coordinate is reachable from the
     * slot.
     */
    private boolean isPlain(int slot) {
        for (int group = 0; group < Dim.LOCAL; group++) {
            if (torus.group(slot, group).length > 1) {
                return false;
            }
        }
        return hasAllHops(slot);
    }

    /** Checks whether every coordinate of every dimension is reachable from a slot, for both sides of destinations. */
    private boolean hasAllHops(int slot) {
        boolean hasAll = true;
        for (int d = 0; d < Dim.COUNT; d++) {
            hasAll &= lines[0][d].isComplete(slot) && lines[1][d].isComplete(slot);
        }
        return hasAll;
    }

    /** Returns the number of table entries: the top LID + 1. */
    int lidCount() {
        return sideOfLid.length;
    }

    /** Checks whether a LID has the same coordinates and the same side as in previous routes. */
    boolean hasSamePlace(int lid, TorusRoutes previous) {
        boolean isThere = sideOfLid[lid] == previous.sideOfLid[lid];
        for (int d = 0; d < Dim.COUNT; d++) {
            isThere &= coordinateOfLid[d][lid] == previous.coordinateOfLid[d][lid];
        }
        return isThere;
    }

    /**
     * Returns the switch of this fabric with the node GUID of a switch of another fabric; negative if it is absent.
     */
    int counterpart(TorusRoutes other, int sw) {
        return FabricFilter.switchByGuid(torus.fabric(), other.torus.fabric().nodeGuid(sw));
    }

    /**
     * Checks whether a switch has the same position, ways, cables and end ports as in previous routes, and at most
     * one cable in each direction.
     *
     * @param oldSw the switch in the fabric of the previous routes
     */
    boolean hasSameTable(int sw, TorusRoutes previous, int oldSw) {
        int slot = torus.slotOfSwitch(sw);
        int oldSlot = previous.torus.slotOfSwitch(oldSw);
        if (slot < 0 || oldSlot < 0) {
            return false;
        }
        for (int d = 0; d < Dim.COUNT; d++) {
            if (coordinateOfSlot[d][slot] != previous.coordinateOfSlot[d][oldSlot]
                    || !lines[0][d].hasSameRowAs(slot, previous.lines[0][d], oldSlot)
                    || !lines[1][d].hasSameRowAs(slot, previous.lines[1][d], oldSlot)) {
                return false;
            }
        }
        for (int group = 0; group < Dim.LOCAL; group++) {
            if (!Arrays.equals(torus.group(slot, group), previous.torus.group(oldSlot, group))) {
                return false;
            }
        }
        return destinations.hasSameDestinationsAt(slot, previous.destinations, oldSlot) && isPlain(slot);
    }

    /**
     * Sets the entries of LIDs in a table. The LIDs must not be attached to the switch, and the switch must have at
     * most one cable in each direction.
     */
    void fill(int sw, int[] lids, byte[] table) {
        int slot = torus.slotOfSwitch(sw);
        byte[][][] ports = {portsByCoordinate(slot, 0), portsByCoordinate(slot, 1)};
        for (int lid : lids) {
            byte[][] outOfSide = ports[sideOfLid[lid]];
            int d = 0;
            while (d + 1 < Dim.COUNT && coordinateOfLid[d][lid] == coordinateOfSlot[d][slot]) {
                d++;
            }
            table[lid] = outOfSide[d][coordinateOfLid[d][lid]];
        }
    }

    /** Fills a table run by run. All LIDs of a run with another x share the output port. */
    private void fillByLid(int slot, byte[] table) {
        byte[][][] ports = {portsByCoordinate(slot, 0), portsByCoordinate(slot, 1)};
        int x = coordinateOfSlot[0][slot];
        int y = coordinateOfSlot[1][slot];
        char[] xOfLid = coordinateOfLid[0];
        char[] yOfLid = coordinateOfLid[1];
        char[] zOfLid = coordinateOfLid[2];
        for (int run = 0; run + 1 < runs.length; run++) {
            int from = runs[run];
            int to = runs[run + 1];
            byte[][] outOfSide = ports[sideOfLid[from]];
            if (xOfLid[from] != x) {
                Arrays.fill(table, from, to, outOfSide[0][xOfLid[from]]);
                continue;
            }
            for (int lid = from; lid < to; lid++) {
                table[lid] = yOfLid[lid] != y ? outOfSide[1][yOfLid[lid]] : outOfSide[2][zOfLid[lid]];
            }
        }
        fillLocal(slot, table);
    }

    /**
     * Returns output ports {@code [dimension][coordinate]}. The entry is "no path" for the switch's own coordinate,
     * and for the coordinate {@code radix} of unused LIDs.
     */
    private byte[][] portsByCoordinate(int slot, int side) {
        byte[][] ports = new byte[Dim.COUNT][];
        for (int d = 0; d < Dim.COUNT; d++) {
            ports[d] = new byte[torus.radix(d) + 1];
            Arrays.fill(ports[d], LinearForwardingTable.NO_PATH_ENTRY);
            for (int to = 0; to < torus.radix(d); to++) {
                if (to != coordinateOfSlot[d][slot]) {
                    ports[d][to] = (byte) torus.group(slot, lines[side][d].hop(slot, to))[0];
                }
            }
        }
        return ports;
    }

    private void fillLocal(int slot, byte[] table) {
        for (int i = destinations.firstDestination[slot]; i < destinations.firstDestination[slot + 1]; i++) {
            fill(table, i, destinations.portNum[i]);
        }
    }

    /** Fills a table destination by destination, so that the cables of each direction are assigned in turn. */
    private void fillByDestination(int slot, byte[] table) {
        int[] first = destinations.firstDestination;
        int[] next = new int[2 * Dim.LOCAL];
        for (int to = 0; to < torus.slots(); to++) {
            for (int i = first[to]; i < first[to + 1] && to != slot; i++) {
                int group = nextGroup(slot, to, sideOfLid[destinations.lid[i]]);
                if (group == LineTable.NO_HOP) {
                    continue;
                }
                int[] ports = torus.group(slot, group);
                int counter = 2 * group + (destinations.portNum[i] == 0 ? 0 : 1);
                int cable = next[counter];
                next[counter] = cable + 1 == ports.length ? 0 : cable + 1;
                fill(table, i, (byte) ports[cable]);
            }
        }
        fillLocal(slot, table);
    }

    /** Sets the entries of all LIDs of a destination. */
    private void fill(byte[] table, int destination, byte port) {
        int base = destinations.lid[destination];
        int end = base + destinations.lidCount[destination];
        for (int lid = base; lid < end; lid++) {
            table[lid] = port;
        }
    }

    private int[] runs() {
        char[] xOfLid = coordinateOfLid[0];
        int[] runs = new int[xOfLid.length + 1];
        int count = 0;
        for (int lid = 0; lid < xOfLid.length; lid++) {
            if (lid == 0 || xOfLid[lid] != xOfLid[lid - 1] || sideOfLid[lid] != sideOfLid[lid - 1]) {
                runs[count++] = lid;
            }
        }
        runs[count++] = xOfLid.length;
        return Arrays.copyOf(runs, count);
    }
}
