package io.torussm.routing.weights;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;

/**
 * Entries of earlier forwarding tables that still lead to their LID, since all cables on the way are there.
 * Not for several threads.
 */
public final class KeptEntries {
    private final Subnet subnet;
    private final Links links;
    private final byte[][] earlier;

    /** By switch: the LID that was last followed from there, and whether its packets arrive. */
    private final int[] followed;

    private final boolean[] isWhole;

    /**
     * Creates the entries of some tables.
     *
     * @param earlier by switch; empty where there are none
     */
    public KeptEntries(Subnet subnet, Links links, byte[][] earlier) {
        this.subnet = subnet;
        this.links = links;
        this.earlier = earlier;
        followed = new int[earlier.length];
        isWhole = new boolean[earlier.length];
    }

    /** Returns a value without kept entries. */
    public static KeptEntries none(Subnet subnet, Links links) {
        return new KeptEntries(subnet, links, new byte[subnet.fabric().switchCount()][0]);
    }

    /** Copies the kept entries of a LID. */
    void copy(int lid, byte[][] lfts) {
        for (int sw = 0; sw < earlier.length; sw++) {
            if (isWhole(sw, lid)) {
                lfts[sw][lid] = earlier[sw][lid];
            }
        }
    }

    /**
     * Checks whether a switch still reaches a LID. To be called for all switches of one LID before the next
     * LID.
     */
    public boolean isWhole(int sw, int lid) {
        if (followed[sw] != lid) {
            followed[sw] = lid;
            isWhole[sw] = false;
            int port = lid < earlier[sw].length ? earlier[sw][lid] & 0xff : 0xff;
            if (sw == subnet.switchOfLid(lid)) {
                isWhole[sw] = port == subnet.deliveryPort(lid);
            } else if (port <= links.fabric().numPorts(sw)) {
                int next = links.behind(links.fabric().port(sw, port));
                isWhole[sw] = next != Fabric.NONE && isWhole(next, lid);
            }
        }
        return isWhole[sw];
    }
}
