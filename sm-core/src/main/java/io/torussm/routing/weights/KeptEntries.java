package io.torussm.routing.weights;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;

/**
 * The entries of active forwarding tables whose path to their LID is complete: all its cables are present. Not
 * thread-safe.
 */
public final class KeptEntries {
    private final Subnet subnet;
    private final Links links;
    private final byte[][] activeLfts;

    /** By switch: the LID that was last followed from it. */
    private final int[] lastLid;

    /** By switch: true if packets to that LID arrive. */
    private final boolean[] isWhole;

    /**
     * Creates the entries of active tables.
     *
     * @param earlier tables {@code [switch][LID]}; an empty row for a switch without a table
     */
    public KeptEntries(Subnet subnet, Links links, byte[][] earlier) {
        this.subnet = subnet;
        this.links = links;
        this.activeLfts = earlier;
        lastLid = new int[earlier.length];
        isWhole = new boolean[earlier.length];
    }

    /** Returns an object without kept entries. */
    public static KeptEntries none(Subnet subnet, Links links) {
        return new KeptEntries(subnet, links, new byte[subnet.fabric().switchCount()][0]);
    }

    /** Copies the kept entries of a LID into new tables {@code [switch][LID]}. */
    void copy(int lid, byte[][] lfts) {
        for (int sw = 0; sw < activeLfts.length; sw++) {
            if (isWhole(sw, lid)) {
                lfts[sw][lid] = activeLfts[sw][lid];
            }
        }
    }

    /**
     * Checks whether the path from a switch to a LID is complete. For speed, call it for all switches of one LID
     * before the next LID, because results of one LID are remembered.
     */
    public boolean isWhole(int sw, int lid) {
        if (lastLid[sw] != lid) {
            lastLid[sw] = lid;
            isWhole[sw] = false;
            int port = lid < activeLfts[sw].length ? activeLfts[sw][lid] & 0xff : 0xff;
            if (sw == subnet.switchOfLid(lid)) {
                isWhole[sw] = port == subnet.deliveryPort(lid);
            } else if (port <= links.fabric().numPorts(sw)) {
                int next = links.farSwitch(links.fabric().port(sw, port));
                isWhole[sw] = next != Fabric.NONE && isWhole(next, lid);
            }
        }
        return isWhole[sw];
    }
}
