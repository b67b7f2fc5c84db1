package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The paths from each switch to each LID by the forwarding tables. All hosts of a switch and its port 0 have the
 * same path to a LID. Immutable.
 */
final class Paths {
    private final Subnet subnet;
    private final SwitchChannels channels;
    private final byte[][] lfts;
    private final int[] targets;
    /** By switch: the number of LIDs of its hosts. */
    private final int[] hostLids;

    private final int[] sources;
    private final int[] lids;

    /**
     * Collects the paths of a subnet.
     *
     * @param lfts tables {@code [switch][LID]}, with a path from each switch to each LID
     * @param targets port indexes of end ports, in the order in which they were routed
     */
    Paths(Subnet subnet, SwitchChannels channels, byte[][] lfts, int[] targets) {
        this.subnet = subnet;
        this.channels = channels;
        this.lfts = lfts;
        this.targets = targets;
        lids = IntStream.of(targets)
                .flatMap(port -> IntStream.range(subnet.lid(port), subnet.lid(port) + (1 << subnet.lmc(port))))
                .toArray();
        Fabric fabric = subnet.fabric();
        hostLids = new int[fabric.switchCount()];
        IntStream.of(targets)
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port)))
                .forEach(port -> hostLids[fabric.switchOf(port)] += 1 << subnet.lmc(port));
        int own = subnet.switchOfLid(subnet.smLid());
        IntStream withHosts = IntStream.of(targets).map(fabric::switchOf).filter(sw -> hostLids[sw] > 0);
        IntStream others = IntStream.concat(IntStream.of(own), IntStream.range(0, hostLids.length))
                .filter(sw -> sw != Fabric.NONE && hostLids[sw] == 0);
        sources = IntStream.concat(withHosts, others).distinct().toArray();
    }

    Subnet subnet() {
        return subnet;
    }

    SwitchChannels channels() {
        return channels;
    }

    /** Returns the port indexes of end ports with LIDs, in the order in which they were routed. */
    int[] targets() {
        return targets;
    }

    /** Returns all LIDs, in the order in which they were routed. */
    int[] lids() {
        return lids;
    }

    /**
     * Returns all switches: switches with hosts in the order in which their hosts were routed, then the other
     * switches, the switch of the SM first.
     */
    int[] sources() {
        return sources;
    }

    /** Returns the number of LIDs of hosts on a switch, which is the weight of a path from this switch. */
    int hostLids(int sw) {
        return hostLids[sw];
    }

    /** Returns the channel by which packets to a LID leave a switch, which must not be the switch of the LID. */
    int next(int sw, int lid) {
        return channels.channelAt(sw, lfts[sw][lid] & 0xff);
    }

    /** Checks whether packets to a LID leave a switch by a channel. */
    boolean leadsInto(int sw, int lid, int channel) {
        return (lfts[sw][lid] & 0xff) == subnet.fabric().portNum(channels.port(channel));
    }

    /**
     * Writes the channels of the path from a switch to a LID, in order.
     *
     * @param into receives the channels; its length must be at least the number of switches
     * @return the number of channels
     */
    int writePath(int sw, int lid, int[] into) {
        int count = 0;
        int end = subnet.switchOfLid(lid);
        for (int current = sw; current != end; current = channels.target(into[count++])) {
            into[count] = next(current, lid);
        }
        return count;
    }

    /** Returns a table {@code [switch][LID]} filled with {@link Fabric#NONE}. */
    byte[][] newTable() {
        byte[][] table = new byte[lfts.length][subnet.topLid() + 1];
        for (byte[] row : table) {
            Arrays.fill(row, (byte) Fabric.NONE);
        }
        return table;
    }

    /**
     * Returns a copy of lanes that contains only paths from switches with hosts.
     *
     * @param laneOf lanes {@code [switch][LID]}
     * @param cleared lane whose paths are left out; {@link Fabric#NONE} to leave out no lane
     */
    byte[][] hostLanes(byte[][] laneOf, int cleared) {
        byte[][] lanes = newTable();
        for (int sw = 0; sw < lanes.length; sw++) {
            for (int lid = 0; lid < lanes[sw].length; lid++) {
                boolean isLeft = hostLids[sw] > 0 && laneOf[sw][lid] != cleared;
                lanes[sw][lid] = isLeft ? laneOf[sw][lid] : (byte) Fabric.NONE;
            }
        }
        return lanes;
    }
}
