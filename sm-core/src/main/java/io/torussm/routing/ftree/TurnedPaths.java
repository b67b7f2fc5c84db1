package io.torussm.routing.ftree;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.LinearForwardingTable;
import io.torussm.routing.balance.Ranks;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The paths that go down to one switch and up again there, for destinations to which some switches have no other
 * path. All turns are at one switch, because turns at several switches could close a credit loop.
 */
final class TurnedPaths {
    /** Maximum number of switches that are tried. */
    private static final int MAX_CANDIDATES = 64;

    private final Subnet subnet;
    private final Fabric fabric;
    private final FatTree tree;

    TurnedPaths(Subnet subnet, FatTree tree) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.tree = tree;
    }

    /**
     * Returns copies of tables with additional paths over a switch, for pairs without a path.
     *
     * @param lfts tables {@code [switch][LID]}: output port
     * @param over switch at which the additional paths turn
     * @param from switches at which they begin
     * @param lids LIDs to which they lead
     */
    byte[][] withTurnAt(byte[][] lfts, int over, BitSet from, int[] lids) {
        byte[][] extended = Arrays.stream(lfts).map(byte[]::clone).toArray(byte[][]::new);
        int toTurn = subnet.lid(fabric.port(over, 0));
        for (int sw = from.nextSetBit(0); sw >= 0; sw = from.nextSetBit(sw + 1)) {
            for (int lid : lids) {
                if (!leads(lfts, sw, lid) && leads(lfts, over, lid)) {
                    extended[sw][lid] = lfts[sw][toTurn];
                }
            }
        }
        return extended;
    }

    /** A switch at which packets turn, and the tables with these paths. */
    record Turn(int over, byte[][] lfts) {}

    /**
     * Searches for a switch over which all switches reach all I/O nodes, from the top of the tree down.
     *
     * @param reverse maximum number of hops up after the turn
     * @param isFree returns whether tables are free of credit loops
     * @return null if no candidate leads to such paths
     */
    @Nullable
    Turn toServers(byte[][] lfts, int reverse, Predicate<byte[][]> isFree) {
        int[] lids = Arrays.stream(tree.hosts.hostPorts())
                .filter(port -> tree.hosts.isIoNode(port) && tree.ranks.of(fabric.switchOf(port)) != Ranks.UNREACHABLE)
                .flatMap(port -> HostPorts.lids(subnet, port))
                .toArray();
        BitSet ranked = new BitSet();
        IntStream.range(0, lfts.length)
                .filter(sw -> tree.ranks.of(sw) != Ranks.UNREACHABLE)
                .forEach(ranked::set);
        int[] candidates = ranked.stream()
                .boxed()
                .filter(sw -> Arrays.stream(lids).allMatch(lid -> leads(lfts, sw, lid)))
                .sorted(Comparator.<Integer>comparingInt(tree.ranks::of).thenComparingInt(sw -> tree.position[sw]))
                .limit(MAX_CANDIDATES)
                .mapToInt(sw -> sw)
                .toArray();
        for (int over : candidates) {
            byte[][] extended = withTurnAt(lfts, over, ranked, lids);
            boolean isGood = Arrays.stream(lids)
                    .allMatch(lid -> ranked.stream().allMatch(sw -> reverseHops(extended, sw, lid) <= reverse));
            if (isGood && isFree.test(extended)) {
                return new Turn(over, extended);
            }
        }
        return null;
    }

    /**
     * Searches for a switch over which all switches with hosts reach all hosts, from the leaves up.
     *
     * @param carriers switches with hosts
     * @param lids LIDs to which some of the carriers have no path
     * @param isFree returns whether tables are free of credit loops
     * @return null if no candidate leads to such paths
     */
    @Nullable
    Turn forAll(byte[][] lfts, int[] carriers, int[] lids, Predicate<byte[][]> isFree) {
        BitSet switches = new BitSet();
        switches.set(0, lfts.length);
        int[] candidates = switches.stream()
                .filter(sw -> tree.ranks.of(sw) != Ranks.UNREACHABLE)
                .filter(sw -> Arrays.stream(lids).allMatch(lid -> leads(lfts, sw, lid)))
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(sw -> -tree.ranks.of(sw))
                        .thenComparingInt(sw -> tree.position[sw]))
                .limit(MAX_CANDIDATES)
                .mapToInt(sw -> sw)
                .toArray();
        for (int over : candidates) {
            byte[][] extended = withTurnAt(lfts, over, switches, lids);
            boolean isGood = Arrays.stream(lids).allMatch(lid -> Arrays.stream(carriers)
                    .allMatch(sw -> reverseHops(extended, sw, lid) < Integer.MAX_VALUE));
            if (isGood && isFree.test(extended)) {
                return new Turn(over, extended);
            }
        }
        return null;
    }

    /**
     * Returns the number of hops up after a hop down on the path to a LID; {@link Integer#MAX_VALUE} without a path.
     */
    private int reverseHops(byte[][] lfts, int from, int lid) {
        int hops = 0;
        boolean isDown = false;
        int sw = from;
        for (int remaining = lfts.length; sw != subnet.switchOfLid(lid); remaining--) {
            int next = remaining > 0 && leads(lfts, sw, lid)
                    ? tree.links.farSwitch(fabric.port(sw, lfts[sw][lid] & 0xff))
                    : Fabric.NONE;
            if (next == Fabric.NONE) {
                return Integer.MAX_VALUE;
            }
            isDown |= tree.ranks.of(next) > tree.ranks.of(sw);
            hops += isDown && tree.ranks.of(next) < tree.ranks.of(sw) ? 1 : 0;
            sw = next;
        }
        return hops;
    }

    private static boolean leads(byte[][] lfts, int sw, int lid) {
        return lfts[sw][lid] != LinearForwardingTable.NO_PATH_ENTRY;
    }
}
