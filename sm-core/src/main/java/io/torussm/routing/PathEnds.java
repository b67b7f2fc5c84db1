package io.torussm.routing;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.stream.IntStream;

/**
 * The ends between which analyses count paths: the end ports of hosts, each with its base LID. On a subnet
 * without hosts, the ends are ports 0 of switches.
 */
public final class PathEnds {
    private final Subnet subnet;
    private final int[] ports;
    /** By switch: the number of ends. */
    private final int[] endsOfSwitch;

    /** Collects the ends of a subnet. */
    public PathEnds(Subnet subnet) {
        this.subnet = subnet;
        Fabric fabric = subnet.fabric();
        int[] endports = IntStream.range(0, fabric.portCount())
                .filter(port -> fabric.isEndport(port) && isEnd(subnet, port))
                .toArray();
        int[] hosts = IntStream.of(endports)
                .filter(port -> !fabric.isSwitch(fabric.nodeOf(port)))
                .toArray();
        ports = hosts.length > 0 ? hosts : endports;
        endsOfSwitch = new int[fabric.switchCount()];
        for (int port : ports) {
            if (fabric.switchOf(port) != Fabric.NONE) {
                endsOfSwitch[fabric.switchOf(port)]++;
            }
        }
    }

    /**
     * Checks whether an end port can be an end: it has a LID, and is attached to a switch. On a fabric without
     * switches, it must have a cable.
     */
    public static boolean isEnd(Subnet subnet, int port) {
        Fabric fabric = subnet.fabric();
        boolean isJoined =
                fabric.switchCount() == 0 ? fabric.peer(port) != Fabric.NONE : fabric.switchOf(port) != Fabric.NONE;
        return isJoined && subnet.lid(port) != 0;
    }

    /** Returns the number of LIDs of all end ports that satisfy {@link #isEnd}. */
    public static int lidCount(Subnet subnet) {
        return (int) IntStream.rangeClosed(1, subnet.topLid())
                .map(subnet::portOfLid)
                .filter(port -> port != Fabric.NONE && isEnd(subnet, port))
                .count();
    }

    /** Returns the port indexes of the ends; must not be written. */
    public int[] ports() {
        return ports;
    }

    /**
     * Returns the switch of which an end is port 0, or to which the end is attached; {@link Fabric#NONE} on a fabric
     * without a switch.
     */
    public int switchOf(int port) {
        return subnet.fabric().switchOf(port);
    }

    /** Returns the base LID of an end. */
    public int lid(int port) {
        return subnet.lid(port);
    }

    /** Returns the number of ends at a switch: attached hosts, or the switch itself. */
    public int endCount(int sw) {
        return endsOfSwitch[sw];
    }

    /** Returns the node name of an end, for operators. */
    public String name(int port) {
        return subnet.fabric().nodeName(subnet.fabric().nodeOf(port));
    }
}
