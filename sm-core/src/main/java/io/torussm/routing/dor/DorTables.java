package io.torussm.routing.dor;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.Arrays;

/** Fills the forwarding tables, switch by switch. One use. */
final class DorTables {
    private static final byte NO_PATH = (byte) 0xff;

    private final Subnet subnet;
    private final Fabric fabric;
    private final FirstNeighbours first;

    /** By switch: its ports in the order in which they are searched. */
    private final int[][] searched;

    /** End ports in the order in which they are forwarded. */
    private final int[] destinations;

    /** LIDs that an end port has at most. */
    private final int offsets;

    DorTables(Subnet subnet, FirstNeighbours first, int[][] searched, int[] destinations) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.first = first;
        this.searched = searched;
        this.destinations = destinations;
        offsets = 1 << Arrays.stream(destinations).map(subnet::lmc).max().orElse(0);
    }

    byte[][] all() {
        byte[][] lfts = new byte[fabric.switchCount()][];
        for (int sw = 0; sw < lfts.length; sw++) {
            lfts[sw] = new Table(sw).fill();
        }
        return lfts;
    }

    /** The table of one switch. */
    private final class Table {
        private final int sw;
        private final byte[] lft = new byte[subnet.topLid() + 1];

        /** By port number: LIDs of hosts that leave there. */
        private final int[] load;

        /** By port number: the switch behind it. */
        private final int[] behind;

        Table(int sw) {
            this.sw = sw;
            load = new int[fabric.numPorts(sw) + 1];
            behind = new int[load.length];
            Arrays.fill(lft, NO_PATH);
            Arrays.setAll(
                    behind, portNum -> portNum == 0 ? Fabric.NONE : FirstNeighbours.neighbour(fabric, sw, portNum));
        }

        byte[] fill() {
            for (int offset = 0; offset < offsets; offset++) {
                for (int endport : destinations) {
                    int chosen = forward(endport, offset);
                    if (chosen > 0 && !fabric.isSwitch(fabric.nodeOf(endport))) {
                        load[chosen]++;
                    }
                }
            }
            return lft;
        }

        /** Makes the entry of one LID; returns the port number, 0 if there is no other switch to go to, and no host. */
        private int forward(int endport, int offset) {
            if (offset >= 1 << subnet.lmc(endport)) {
                return 0;
            }
            int lid = subnet.lid(endport) + offset;
            int to = fabric.switchOf(endport);
            if (to == sw) {
                boolean isOwn = fabric.isSwitch(fabric.nodeOf(endport));
                lft[lid] = (byte) (isOwn ? 0 : fabric.portNum(fabric.peer(endport)));
                return 0;
            }
            int chosen = choose(first.port(sw, to), lid - offset, offset);
            lft[lid] = chosen == 0 ? NO_PATH : (byte) chosen;
            return chosen;
        }

        /** The cable to the neighbour behind a port that a LID takes; 0 if there is no such port. */
        private int choose(int firstPort, int baseLid, int offset) {
            int best = firstPort;
            int fewest = uses(baseLid, offset, firstPort);
            for (int portNum : searched[sw]) {
                boolean isParallel = firstPort != 0 && behind[portNum] == behind[firstPort];
                if (isParallel && portNum != firstPort && load[portNum] <= load[best]) {
                    int uses = uses(baseLid, offset, portNum);
                    if (load[portNum] < load[best] || uses < fewest) {
                        best = portNum;
                        fewest = Math.min(fewest, uses);
                    }
                }
            }
            return best;
        }

        /** LIDs of the same end port, before an offset, that leave by a port. */
        private int uses(int baseLid, int offset, int portNum) {
            int uses = 0;
            for (int lid = baseLid; lid < baseLid + offset; lid++) {
                uses += (lft[lid] & 0xff) == portNum ? 1 : 0;
            }
            return uses;
        }
    }
}
