package io.torussm.routing.dfsssp;

import io.torussm.fabric.Fabric;
import io.torussm.routing.lanes.SwitchChannels;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The paths from each switch to each LID by the forwarding tables. All hosts of a switch have the same path
 * to a LID, and so has its port 0. Immutable.
 */
final class Paths {
    private final Subnet subnet;
    private final SwitchChannels channels;
    private final byte[][] lfts;
    private final int[] targets;
    private final int[] hostLids;
    private final int[] sources;
    private final int[] lids;

    /**
     * Collects the paths of a subnet.
     *
     * @param lfts by switch; all lead to all LIDs
     * @param targets port indexes, in the order in which they were routed
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

    /** Returns port indexes that have LIDs, in the order in which they were routed. */
    int[] targets() {
        return targets;
    }

    /** Returns all LIDs, in that order. */
    int[] lids() {
        return lids;
    }

    /**
     * Returns all switches: switches with hosts in the order in which these were routed, then the others, the
     * SM's switch first.
     */
    int[] sources() {
        return sources;
    }

    /** Returns the number of LIDs of hosts on a switch: the weight of a path from there. */
    int hostLids(int sw) {
        return hostLids[sw];
    }

    /** Returns the channel by which packets to a LID leave a switch that is not its own. */
    int next(int sw, int lid) {
        return channels.at(sw, lfts[sw][lid] & 0xff);
    }

    /** Checks whether packets to a LID leave a switch by a channel. */
    boolean leadsInto(int sw, int lid, int channel) {
        return (lfts[sw][lid] & 0xff) == subnet.fabric().portNum(channels.port(channel));
    }

    /**
     * Returns the channels of a path.
     *
     * @param into with room for as many as there are switches
     * @return the number of channels
     */
    int trace(int sw, int lid, int[] into) {
        int count = 0;
        int end = subnet.switchOfLid(lid);
        for (int at = sw; at != end; at = channels.target(into[count++])) {
            into[count] = next(at, lid);
        }
        return count;
    }

    /** Returns a table by switch and LID, filled with {@link Fabric#NONE}. */
    byte[][] table() {
        byte[][] table = new byte[lfts.length][subnet.topLid() + 1];
        for (byte[] row : table) {
            Arrays.fill(row, (byte) Fabric.NONE);
        }
        return table;
    }

    /**
     * Returns the lanes of paths from switches with hosts, and of no others.
     *
     * @param cleared a lane that is left out; {@link Fabric#NONE} for none
     */
    byte[][] hostLanes(byte[][] laneOf, int cleared) {
        byte[][] lanes = table();
        for (int sw = 0; sw < lanes.length; sw++) {
            for (int lid = 0; lid < lanes[sw].length; lid++) {
                boolean isLeft = hostLids[sw] > 0 && laneOf[sw][lid] != cleared;
                lanes[sw][lid] = isLeft ? laneOf[sw][lid] : (byte) Fabric.NONE;
            }
        }
        return lanes;
    }
}
