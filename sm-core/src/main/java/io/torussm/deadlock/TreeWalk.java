package io.torussm.deadlock;

import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;

/**
 * A tracer of packets of multicast groups on a tree, hop by hop. Slow and simple, because it verifies the numbers of a
 * {@link Certificate} independently of the walk that found them.
 */
final class TreeWalk {
    private final Channels channels;
    private final MulticastTree tree;
    private final Certificate certificate;

    TreeWalk(Channels channels, MulticastTree tree, Certificate certificate) {
        this.channels = channels;
        this.tree = tree;
        this.certificate = certificate;
    }

    /**
     * Checks whether the numbers of channels ascend on every path over the tree. End ports of every switch send. A
     * switch outside the tree has no links of the tree, unless the tree is malformed.
     *
     * @param slMask SLs that groups may have (bit n: SL n)
     */
    boolean leadsUpward(int slMask) {
        for (int from = 0; from < channels.switchCount; from++) {
            for (int local : channels.localClasses[from]) {
                for (int rest = slMask; rest != 0; rest &= rest - 1) {
                    if (!leadsUpward(new Packet(from, Fabric.NONE, local, Integer.numberOfTrailingZeros(rest), -1))) {
                        return false;
                    }
                }
            }
        }
        return true;
    }

    /**
     * A packet at a switch.
     *
     * @param link the link by which the packet arrived, {@link Fabric#NONE} if an end port at the switch sent it
     * @param ingress ingress class, numbered over all switches
     * @param highest highest number of the channels of the path up to this switch, -1 before the first channel
     */
    private record Packet(int sw, int link, int ingress, int sl, int highest) {}

    private boolean leadsUpward(Packet packet) {
        int sw = packet.sw;
        for (int link = channels.firstLink[sw]; link < channels.firstLink[sw + 1]; link++) {
            if (!isNextHop(packet, link)) {
                continue;
            }
            int port = channels.linkPort(link);
            int highest = packet.highest;
            int out = link - channels.firstLink[sw];
            for (int vls = channels.vls(sw, packet.ingress, out, packet.sl); vls != 0; vls &= vls - 1) {
                int number = certificate.number(port, Integer.numberOfTrailingZeros(vls));
                if (number <= packet.highest) {
                    return false;
                }
                highest = Math.max(highest, number);
            }
            if (!leadsUpward(new Packet(channels.linkTo[link], link, channels.linkClass[link], packet.sl, highest))) {
                return false;
            }
        }
        return true;
    }

    /**
     * Checks whether some group uses a link as the next hop of a packet. The link belongs to another edge of the tree,
     * and some MLID uses its cable and the cable of the previous hop. A group uses the cable {@code MLID mod n} of an
     * edge with n cables.
     */
    private boolean isNextHop(Packet packet, int link) {
        int cable = cable(link);
        if (cable == Fabric.NONE || packet.link == Fabric.NONE) {
            return cable != Fabric.NONE;
        }
        int lastCable = cable(packet.link);
        int cables = tree.cableCount(child(link));
        int lastCables = tree.cableCount(child(packet.link));
        for (int mlid = lastCable; mlid < lastCables * cables; mlid += lastCables) {
            if (mlid % cables == cable) {
                return channels.linkTo[link] != channels.linkSwitch(packet.link);
            }
        }
        return false;
    }

    /**
     * Returns the child switch of the tree edge between the two ends of a link, {@link Fabric#NONE} if the ends are not
     * parent and child.
     */
    private int child(int link) {
        int sw = channels.linkSwitch(link);
        int to = channels.linkTo[link];
        return tree.parent(to) == sw ? to : tree.parent(sw) == to ? sw : Fabric.NONE;
    }

    /** Returns the index of a link among the cables of its tree edge, {@link Fabric#NONE} if no edge uses the link. */
    private int cable(int link) {
        int child = child(link);
        int port = channels.linkPort(link);
        for (int cable = 0; child != Fabric.NONE && cable < tree.cableCount(child); cable++) {
            int down = tree.portAtParent(child, cable);
            if (down != Fabric.NONE && (port == down || port == channels.fabric.peer(down))) {
                return cable;
            }
        }
        return Fabric.NONE;
    }
}
