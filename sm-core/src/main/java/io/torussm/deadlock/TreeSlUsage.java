package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import java.util.Arrays;

/**
 * The traffic of multicast groups on a tree to which edges may be added. At every switch, packets that arrive on one
 * edge of the tree leave on all other edges. Packets of the switch's own end ports leave on all edges.
 *
 * <p>A group uses the cable {@code MLID mod n} of an edge with n cables. So some group uses both cable i of an edge
 * with n cables and cable j of an edge with m cables if and only if i and j are equal modulo the greatest common
 * divisor of n and m (Chinese remainder theorem).
 */
public final class TreeSlUsage {
    private static final int[] NO_LINKS = {};

    private final Channels channels;
    private final int slMask;

    /** [switch] links of the tree that leave the switch: all cables of all its edges. */
    private final int[][] links;

    /** [link] index of its cable among the cables of the edge; valid for links of the tree. */
    private final int[] cableIndex;

    /** [link] number of cables of the edge; valid for links of the tree. */
    private final int[] cableCount;

    /**
     * Creates a tree without edges.
     *
     * @param slMask SLs that groups may have (bit n: SL n)
     */
    public TreeSlUsage(Channels channels, int slMask) {
        this.channels = channels;
        this.slMask = slMask;
        links = new int[channels.switchCount][];
        Arrays.fill(links, NO_LINKS);
        cableIndex = new int[channels.linkTo.length];
        cableCount = new int[channels.linkTo.length];
    }

    /** Creates the traffic of a whole tree. */
    public TreeSlUsage(Channels channels, int slMask, MulticastTree tree) {
        this(channels, slMask);
        for (int sw = 0; sw < channels.switchCount; sw++) {
            if (tree.spans(sw) && sw != tree.root()) {
                int[] ports = new int[tree.cableCount(sw)];
                for (int i = 0; i < ports.length; i++) {
                    ports[i] = tree.portAtParent(sw, i);
                }
                add(tree.parent(sw), sw, ports);
            }
        }
    }

    /**
     * Adds an edge.
     *
     * @param ports port indexes of the edge's cables at the parent, by MLID modulo the number of cables; {@link
     *     Fabric#NONE} for a cable that is lost
     */
    public void add(int parent, int child, int[] ports) {
        for (int i = 0; i < ports.length; i++) {
            if (ports[i] != Fabric.NONE) {
                int up = channels.fabric.peer(ports[i]);
                add(parent, channels.link(parent, channels.fabric.portNum(ports[i])), i, ports.length);
                add(child, channels.link(child, channels.fabric.portNum(up)), i, ports.length);
            }
        }
    }

    private void add(int sw, int link, int index, int count) {
        int[] more = Arrays.copyOf(links[sw], links[sw].length + 1);
        more[links[sw].length] = link;
        links[sw] = more;
        cableIndex[link] = index;
        cableCount[link] = count;
    }

    /** Removes an edge. */
    public void remove(int parent, int child) {
        links[parent] = linksExcept(parent, child);
        links[child] = linksExcept(child, parent);
    }

    private int[] linksExcept(int sw, int to) {
        return Arrays.stream(links[sw])
                .filter(link -> channels.linkTo[link] != to)
                .toArray();
    }

    /** Checks whether some group uses both of two links, which belong to different edges. */
    private boolean haveCommonGroup(int a, int b) {
        return cableCount[a] == 1
                || cableCount[b] == 1
                || (cableIndex[a] - cableIndex[b]) % gcd(cableCount[a], cableCount[b]) == 0;
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** Returns the links of the tree that leave a switch. Callers must not write them. */
    public int[] links(int sw) {
        return links[sw];
    }

    /**
     * Returns the VLs of packets of all SLs on a link of the tree (bit n: VL n).
     *
     * @param sw the switch that the link leaves
     */
    int held(int sw, int link) {
        int vls = 0;
        for (int rest = slMask; rest != 0; rest &= rest - 1) {
            vls |= held(sw, link, Integer.numberOfTrailingZeros(rest));
        }
        return vls;
    }

    /**
     * Enumerates the dependencies of packets on a link of the tree.
     *
     * @param sw the switch that the link leaves
     * @return true if the sink accepted all dependencies, false if it ended the enumeration
     */
    public boolean dependencies(int sw, int link, DependencySink sink) {
        int to = channels.linkTo[link];
        for (int rest = slMask; rest != 0; rest &= rest - 1) {
            int sl = Integer.numberOfTrailingZeros(rest);
            int held = held(sw, link, sl);
            for (int next : links[to]) {
                int out = next - channels.firstLink[to];
                if (channels.linkTo[next] != sw
                        && haveCommonGroup(link, next)
                        && !sink.acceptAll(link, held, next, channels.vls(to, channels.linkClass[link], out, sl))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns the VLs of packets with one SL on a link of the tree (bit n: VL n). The packets come from the switch's
     * own end ports and from the other edges of the tree.
     */
    private int held(int sw, int link, int sl) {
        int out = link - channels.firstLink[sw];
        int vls = 0;
        for (int local : channels.localClasses[sw]) {
            vls |= channels.vls(sw, local, out, sl);
        }
        for (int other : links[sw]) {
            if (channels.linkTo[other] != channels.linkTo[link] && haveCommonGroup(other, link)) {
                int port = channels.outPort[channels.firstOut[sw] + other - channels.firstLink[sw]];
                vls |= channels.vls(sw, channels.classOfPort[port], out, sl);
            }
        }
        return vls;
    }
}
