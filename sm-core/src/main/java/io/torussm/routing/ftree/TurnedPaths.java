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

/** Paths that go down to one switch and up again, for destinations to which some switches have no other. */
final class TurnedPaths {
    /** Switches that are tried. */
    private static final int TRIED = 64;

    private final Subnet subnet;
    private final Fabric fabric;
    private final FatTree tree;

    TurnedPaths(Subnet subnet, FatTree tree) {
        this.subnet = subnet;
        this.fabric = subnet.fabric();
        this.tree = tree;
    }

    /**
     * Adds paths over a switch to tables, where there are none.
     *
     * @param over the switch at which they turn
     * @param from switches that they begin at
     * @param lids LIDs that they lead to
     */
    byte[][] with(byte[][] lfts, int over, BitSet from, int[] lids) {
        byte[][] more = Arrays.stream(lfts).map(byte[]::clone).toArray(byte[][]::new);
        int toTurn = subnet.lid(fabric.port(over, 0));
        for (int sw = from.nextSetBit(0); sw >= 0; sw = from.nextSetBit(sw + 1)) {
            for (int lid : lids) {
                if (!leads(lfts, sw, lid) && leads(lfts, over, lid)) {
                    more[sw][lid] = lfts[sw][toTurn];
                }
            }
        }
        return more;
    }

    /** A switch at which packets to I/O nodes may turn, and the tables. */
    record Turn(int over, byte[][] lfts) {}

    /**
     * Looks for a switch over which all I/O nodes are reached from everywhere.
     *
     * @param reverse hops up after the turn, at most
     * @param isFree returns whether tables are free of credit loops
     * @return null if there is none
     */
    @Nullable
    Turn toServers(byte[][] lfts, int reverse, Predicate<byte[][]> isFree) {
        int[] lids = Arrays.stream(tree.hosts.all())
                .filter(port -> tree.hosts.serves(port) && tree.ranks.of(fabric.switchOf(port)) != Ranks.FAR)
                .flatMap(port -> HostPorts.lids(subnet, port))
                .toArray();
        BitSet all = new BitSet();
        IntStream.range(0, lfts.length)
                .filter(sw -> tree.ranks.of(sw) != Ranks.FAR)
                .forEach(all::set);
        int[] candidates = all.stream()
                .boxed()
                .filter(sw -> Arrays.stream(lids).allMatch(lid -> leads(lfts, sw, lid)))
                .sorted(Comparator.<Integer>comparingInt(tree.ranks::of).thenComparingInt(sw -> tree.place[sw]))
                .limit(TRIED)
                .mapToInt(sw -> sw)
                .toArray();
        for (int over : candidates) {
            byte[][] more = with(lfts, over, all, lids);
            boolean isGood = Arrays.stream(lids)
                    .allMatch(lid -> all.stream().allMatch(sw -> reverseHops(more, sw, lid) <= reverse));
            if (isGood && isFree.test(more)) {
                return new Turn(over, more);
            }
        }
        return null;
    }

    /**
     * Looks for a switch over which all hosts are reached from all switches with hosts, the lowest first.
     *
     * @param carriers switches with hosts
     * @param lids LIDs that some of them have no path to
     * @param isFree returns whether tables are free of credit loops
     * @return null if there is none
     */
    @Nullable
    Turn forAll(byte[][] lfts, int[] carriers, int[] lids, Predicate<byte[][]> isFree) {
        BitSet all = new BitSet();
        all.set(0, lfts.length);
        int[] candidates = all.stream()
                .filter(sw -> tree.ranks.of(sw) != Ranks.FAR)
                .filter(sw -> Arrays.stream(lids).allMatch(lid -> leads(lfts, sw, lid)))
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(sw -> -tree.ranks.of(sw))
                        .thenComparingInt(sw -> tree.place[sw]))
                .limit(TRIED)
                .mapToInt(sw -> sw)
                .toArray();
        for (int over : candidates) {
            byte[][] more = with(lfts, over, all, lids);
            boolean isGood = Arrays.stream(lids).allMatch(lid -> Arrays.stream(carriers)
                    .allMatch(sw -> reverseHops(more, sw, lid) < Integer.MAX_VALUE));
            if (isGood && isFree.test(more)) {
                return new Turn(over, more);
            }
        }
        return null;
    }

    /** Returns the hops up after a hop down on the way to a LID; very many if there is no way. */
    private int reverseHops(byte[][] lfts, int from, int lid) {
        int hops = 0;
        boolean isDown = false;
        int sw = from;
        for (int left = lfts.length; sw != subnet.switchOfLid(lid); left--) {
            int next = left > 0 && leads(lfts, sw, lid)
                    ? tree.links.behind(fabric.port(sw, lfts[sw][lid] & 0xff))
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
