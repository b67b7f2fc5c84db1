package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import java.util.Arrays;

/**
 * The traffic of multicast groups on a tree that may still grow. At every switch, packets that came in by one
 * edge of the tree leave by all others. The switch's own end ports send by all edges.
 *
 * <p>A group takes the cable {@code MLID mod n} of an edge with n cables. So some group takes both cable i of
 * n and cable j of m if and only if i and j are equal modulo the greatest common divisor of n and m.
 */
public final class TreeSlUsage {
    private static final int[] NO_LINKS = {};

    private final Channels channels;
    private final int slMask;

    /** By switch: links of the tree that leave it, all cables of all its edges. */
    private final int[][] links;

    /** By link of the tree: the index of its cable among those of the edge, and the number of these cables. */
    private final int[] cable;

    private final int[] cables;

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
        cable = new int[channels.linkTo.length];
        cables = new int[channels.linkTo.length];
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
     * @param ports port indexes of its cables at the parent, in the order in which groups take them; {@link
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
        cable[link] = index;
        cables[link] = count;
    }

    /** Removes an edge. */
    public void remove(int parent, int child) {
        links[parent] = without(parent, child);
        links[child] = without(child, parent);
    }

    private int[] without(int sw, int to) {
        return Arrays.stream(links[sw])
                .filter(link -> channels.linkTo[link] != to)
                .toArray();
    }

    /** Checks whether some group takes both links, which belong to different edges. */
    private boolean together(int a, int b) {
        return cables[a] == 1 || cables[b] == 1 || (cable[a] - cable[b]) % gcd(cables[a], cables[b]) == 0;
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    /** Returns the links of the tree that leave a switch. Callers must not write them. */
    public int[] links(int sw) {
        return links[sw];
    }

    /** Returns the VLs of packets of all SLs on a link of the tree (bit n: VL n). */
    int held(int sw, int link) {
        int vls = 0;
        for (int rest = slMask; rest != 0; rest &= rest - 1) {
            vls |= held(sw, link, Integer.numberOfTrailingZeros(rest));
        }
        return vls;
    }

    /**
     * Passes on the dependencies of packets on a link of the tree. Returns whether the sink accepted all of
     * them.
     */
    public boolean dependencies(int sw, int link, DependencySink sink) {
        int to = channels.linkTo[link];
        for (int rest = slMask; rest != 0; rest &= rest - 1) {
            int sl = Integer.numberOfTrailingZeros(rest);
            int held = held(sw, link, sl);
            for (int next : links[to]) {
                int out = next - channels.firstLink[to];
                if (channels.linkTo[next] != sw
                        && together(link, next)
                        && !sink.acceptAll(link, held, next, channels.vls(to, channels.linkClass[link], out, sl))) {
                    return false;
                }
            }
        }
        return true;
    }

    /**
     * Returns the VLs of packets with an SL on a link: from the switch's own end ports and from the other
     * edges of the tree.
     */
    private int held(int sw, int link, int sl) {
        int out = link - channels.firstLink[sw];
        int vls = 0;
        for (int local : channels.localClasses[sw]) {
            vls |= channels.vls(sw, local, out, sl);
        }
        for (int other : links[sw]) {
            if (channels.linkTo[other] != channels.linkTo[link] && together(other, link)) {
                int port = channels.outPort[channels.firstOut[sw] + other - channels.firstLink[sw]];
                vls |= channels.vls(sw, channels.classOfPort[port], out, sl);
            }
        }
        return vls;
    }
}
