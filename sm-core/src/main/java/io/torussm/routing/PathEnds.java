package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.stream.IntStream;

/**
 * The ends between which paths are counted: ports of hosts, by their base LIDs; switches, if there are no
 * hosts.
 */
public final class PathEnds {
    private final Subnet subnet;
    private final int[] ports;
    private final int[] endsOfSwitch;

    /** Collects the ends of a subnet: its hosts, or its switches if it has none. */
    public PathEnds(Subnet subnet) {
        this.subnet = subnet;
        Fabric fabric = subnet.fabric();
        int[] all = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && isOne(subnet, port))
                .toArray();
        int[] hosts = IntStream.of(all)
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port)))
                .toArray();
        ports = hosts.length > 0 ? hosts : all;
        endsOfSwitch = new int[fabric.switchCount()];
        for (int port : ports) {
            if (fabric.switchOf(port) != Fabric.NONE) {
                endsOfSwitch[fabric.switchOf(port)]++;
            }
        }
    }

    /**
     * Checks whether an end port has a LID, and is attached to a switch or, on a fabric without switches, to
     * the other host.
     */
    public static boolean isOne(Subnet subnet, int port) {
        Fabric fabric = subnet.fabric();
        boolean isJoined =
                fabric.switchCount() == 0 ? fabric.peer(port) != Fabric.NONE : fabric.switchOf(port) != Fabric.NONE;
        return isJoined && subnet.lid(port) != 0;
    }

    /** Returns how many LIDs such end ports have. */
    public static int lids(Subnet subnet) {
        return (int) IntStream.rangeClosed(1, subnet.topLid())
                .map(subnet::portOfLid)
                .filter(port -> port != Fabric.NONE && isOne(subnet, port))
                .count();
    }

    /** Returns port indexes. */
    public int[] ports() {
        return ports;
    }

    /** Returns the switch that an end is, or is attached to; {@link Fabric#NONE} on a fabric without a switch. */
    public int switchOf(int port) {
        return subnet.fabric().switchOf(port);
    }

    /** Returns the LID of an end. */
    public int lid(int port) {
        return subnet.lid(port);
    }

    /** Returns the number of ends at a switch: attached hosts, or the switch itself. */
    public int on(int sw) {
        return endsOfSwitch[sw];
    }

    /** Returns the name of an end, for people. */
    public String name(int port) {
        return subnet.fabric().nodeName(subnet.fabric().nodeOf(port));
    }
}
