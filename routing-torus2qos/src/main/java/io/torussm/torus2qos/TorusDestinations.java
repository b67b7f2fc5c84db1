package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.discovery.Torus;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The end ports of a torus in the order in which they draw from parallel cables: by slot of their switch, then by
 * {@code port_order}. Slot {@code s} owns the entries {@code first[s]} to {@code first[s + 1] - 1}.
 */
final class TorusDestinations {
    /** By slot, and the total at the end. */
    final int[] first;

    /** The port of the switch that leads to the end port; 0 for the switch itself. */
    final byte[] portNum;

    /** Base LID, 0 if it has none. */
    final int[] lid;

    /** LIDs from the base LID on, a power of two. */
    final int[] lidCount;

    /** By LID: slot of the switch that its end port is attached to, -1 if there is none. Length: top LID + 1. */
    final int[] slotOfLid;

    /** The LIDs at an odd distance from the base LID of their port. */
    final BitSet odd = new BitSet();

    TorusDestinations(Torus torus, Subnet subnet, Torus2QosConf conf) {
        int slots = torus.slots();
        first = new int[slots + 1];
        for (int slot = 0; slot < slots; slot++) {
            first[slot + 1] = first[slot] + torus.group(slot, Dim.LOCAL).length;
        }
        portNum = new byte[first[slots]];
        lid = new int[first[slots]];
        lidCount = new int[first[slots]];
        slotOfLid = new int[subnet.topLid() + 1];
        Arrays.fill(slotOfLid, -1);
        int[] rank = rank(conf);
        Fabric fabric = torus.fabric();
        for (int slot = 0; slot < slots; slot++) {
            int at = first[slot];
            for (int port : inOrder(torus.group(slot, Dim.LOCAL), rank)) {
                int sw = torus.switchOf(slot);
                int endport = port == 0 ? fabric.port(sw, 0) : fabric.peer(fabric.port(sw, port));
                portNum[at] = (byte) port;
                lid[at] = subnet.lid(endport);
                lidCount[at] = lid[at] == 0 ? 0 : 1 << subnet.lmc(endport);
                Arrays.fill(slotOfLid, lid[at], lid[at] + lidCount[at], slot);
                for (int offset = 1; offset < lidCount[at]; offset += 2) {
                    odd.set(lid[at] + offset);
                }
                at++;
            }
        }
    }

    /**
     * Checks whether each LID that is used in both is at an odd distance in both or at an even distance in
     * both.
     */
    boolean areOddAlike(TorusDestinations other) {
        for (int lid = 0; lid < Math.min(slotOfLid.length, other.slotOfLid.length); lid++) {
            if (slotOfLid[lid] >= 0 && other.slotOfLid[lid] >= 0 && odd.get(lid) != other.odd.get(lid)) {
                return false;
            }
        }
        return true;
    }

    /** Checks whether a slot has the same end ports, with the same LIDs, as a slot of other destinations. */
    boolean areSameAt(int slot, TorusDestinations other, int otherSlot) {
        int from = first[slot];
        int to = first[slot + 1];
        int otherFrom = other.first[otherSlot];
        int otherTo = other.first[otherSlot + 1];
        return Arrays.equals(portNum, from, to, other.portNum, otherFrom, otherTo)
                && Arrays.equals(lid, from, to, other.lid, otherFrom, otherTo)
                && Arrays.equals(lidCount, from, to, other.lidCount, otherFrom, otherTo);
    }

    private static int[] rank(Torus2QosConf conf) {
        int[] rank = new int[256];
        Arrays.fill(rank, Torus2QosConf.PORT_ORDER_LENGTH);
        for (int i = 0; i < Torus2QosConf.PORT_ORDER_LENGTH; i++) {
            if (conf.portOrder(i) < rank.length) {
                rank[conf.portOrder(i)] = i;
            }
        }
        return rank;
    }

    /** Returns ports sorted by rank. The sort is stable, and by insertion since there are few ports. */
    private static int[] inOrder(int[] ports, int[] rank) {
        int[] sorted = ports.clone();
        for (int i = 1; i < sorted.length; i++) {
            int port = sorted[i];
            int at = i;
            for (; at > 0 && rank[sorted[at - 1]] > rank[port]; at--) {
                sorted[at] = sorted[at - 1];
            }
            sorted[at] = port;
        }
        return sorted;
    }
}
