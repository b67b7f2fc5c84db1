package io.torussm.torus2qos;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.conf.Torus2QosConf;
import io.torussm.torus2qos.discovery.Torus;
import java.util.Arrays;
import java.util.BitSet;

/**
 * The end ports of a torus in the order in which parallel cables are assigned to them: by slot of their switch,
 * then by {@code port_order}. An index into this order is a destination. Slot {@code s} owns the entries
 * {@code firstDestination[s]} to {@code firstDestination[s + 1] - 1}.
 */
final class TorusDestinations {
    /** By slot: its first destination. The last entry is the number of destinations. */
    final int[] firstDestination;

    /** By destination: the port number of the switch that leads to the end port; 0 for the switch itself. */
    final byte[] portNum;

    /** By destination: the base LID, 0 if the end port has no LID. */
    final int[] lid;

    /** By destination: the number of LIDs from the base LID on, a power of two; 0 without a LID. */
    final int[] lidCount;

    /**
     * By LID: slot of the switch that its end port is attached to, -1 if the LID is unused or the switch has no
     * slot. Length: top LID + 1.
     */
    final int[] slotOfLid;

    /** The LIDs at an odd distance from the base LID of their port. */
    final BitSet oddLids = new BitSet();

    TorusDestinations(Torus torus, Subnet subnet, Torus2QosConf conf) {
        int slots = torus.slots();
        firstDestination = new int[slots + 1];
        for (int slot = 0; slot < slots; slot++) {
            firstDestination[slot + 1] = firstDestination[slot] + torus.group(slot, Dim.LOCAL).length;
        }
        portNum = new byte[firstDestination[slots]];
        lid = new int[firstDestination[slots]];
        lidCount = new int[firstDestination[slots]];
        slotOfLid = new int[subnet.topLid() + 1];
        Arrays.fill(slotOfLid, -1);
        int[] rank = rank(conf);
        Fabric fabric = torus.fabric();
        for (int slot = 0; slot < slots; slot++) {
            int i = firstDestination[slot];
            for (int port : sortedByRank(torus.group(slot, Dim.LOCAL), rank)) {
                int sw = torus.switchOf(slot);
                int endport = port == 0 ? fabric.port(sw, 0) : fabric.peer(fabric.port(sw, port));
                portNum[i] = (byte) port;
                lid[i] = subnet.lid(endport);
                lidCount[i] = lid[i] == 0 ? 0 : 1 << subnet.lmc(endport);
                Arrays.fill(slotOfLid, lid[i], lid[i] + lidCount[i], slot);
                for (int offset = 1; offset < lidCount[i]; offset += 2) {
                    oddLids.set(lid[i] + offset);
                }
                i++;
            }
        }
    }

    /** Checks whether each LID that both subnets use has the same parity of its distance from the base LID in both. */
    boolean hasSameOddLids(TorusDestinations other) {
        for (int lid = 0; lid < Math.min(slotOfLid.length, other.slotOfLid.length); lid++) {
            if (slotOfLid[lid] >= 0 && other.slotOfLid[lid] >= 0 && oddLids.get(lid) != other.oddLids.get(lid)) {
                return false;
            }
        }
        return true;
    }

    /** Checks whether a slot has the same end ports, with the same LIDs, as a slot of other destinations. */
    boolean hasSameDestinationsAt(int slot, TorusDestinations other, int otherSlot) {
        int from = firstDestination[slot];
        int to = firstDestination[slot + 1];
        int otherFrom = other.firstDestination[otherSlot];
        int otherTo = other.firstDestination[otherSlot + 1];
        return Arrays.equals(portNum, from, to, other.portNum, otherFrom, otherTo)
                && Arrays.equals(lid, from, to, other.lid, otherFrom, otherTo)
                && Arrays.equals(lidCount, from, to, other.lidCount, otherFrom, otherTo);
    }

    /**
     * Returns the rank {@code [port number]} in {@code port_order}, from 0 on; unnamed port numbers share the last
     * rank.
     */
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

    /**
     * Returns port numbers sorted by rank. The sort is stable. It is an insertion sort because a switch has few
     * ports.
     */
    private static int[] sortedByRank(int[] ports, int[] rank) {
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
