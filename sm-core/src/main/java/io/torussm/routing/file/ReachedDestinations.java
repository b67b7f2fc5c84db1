package io.torussm.routing.file;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.BitSet;

/** The pairs of switches that tables from a file connect. For each LID, each entry is followed once. */
final class ReachedDestinations {
    /**
     * States of a switch for a LID: not followed, on the current walk, its packets are lost, or its packets arrive.
     */
    private static final byte UNKNOWN = 0;

    private static final byte ON_THE_WAY = 1;
    private static final byte LOST = 2;
    private static final byte REACHED = 3;

    private final Fabric fabric;
    private final Links links;
    private final byte[][] lfts;

    /** By switch: the destination switches to some LID of which its packets are lost. */
    private final BitSet[] switchesWithoutPath;

    /** Follows tables {@code [switch][LID]}. */
    ReachedDestinations(Subnet subnet, Links links, byte[][] lfts) {
        this.fabric = subnet.fabric();
        this.links = links;
        this.lfts = lfts;
        switchesWithoutPath = new BitSet[lfts.length];
        Arrays.setAll(switchesWithoutPath, sw -> new BitSet());
        byte[] state = new byte[lfts.length];
        int[] way = new int[lfts.length];
        for (int port = 0; port < fabric.portCount(); port++) {
            int to = fabric.isEndport(port) && subnet.lid(port) != 0 ? fabric.switchOf(port) : Fabric.NONE;
            for (int lid = subnet.lid(port);
                    to != Fabric.NONE && lid < subnet.lid(port) + (1 << subnet.lmc(port));
                    lid++) {
                Arrays.fill(state, UNKNOWN);
                for (int sw = 0; sw < lfts.length; sw++) {
                    if (follow(sw, lid, port, state, way) == LOST) {
                        switchesWithoutPath[sw].set(to);
                    }
                }
            }
        }
    }

    /** Checks whether packets from one switch reach all LIDs at another switch. */
    boolean leads(int from, int to) {
        return !switchesWithoutPath[from].get(to);
    }

    /** Follows the entries from a switch, sets the states of all switches on the walk, and returns their state. */
    private byte follow(int from, int lid, int endport, byte[] state, int[] walk) {
        int length = 0;
        int sw = from;
        byte result = UNKNOWN;
        while (result == UNKNOWN) {
            if (state[sw] != UNKNOWN) {
                result = state[sw] == ON_THE_WAY ? LOST : state[sw];
                break;
            }
            state[sw] = ON_THE_WAY;
            walk[length++] = sw;
            int portNum = lfts[sw][lid] & 0xff;
            boolean isPort = portNum <= fabric.numPorts(sw);
            int next = isPort && portNum > 0 ? links.farSwitch(fabric.port(sw, portNum)) : Fabric.NONE;
            if (next == Fabric.NONE) {
                result = isPort && arrives(fabric.port(sw, portNum), endport) ? REACHED : LOST;
            } else {
                sw = next;
            }
        }
        for (int i = 0; i < length; i++) {
            state[walk[i]] = result;
        }
        return result;
    }

    /** Checks whether a port of a switch is an end port, or the other end of its cable. */
    private boolean arrives(int port, int endport) {
        return port == endport || fabric.peer(port) == endport;
    }
}
