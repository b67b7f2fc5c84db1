package io.torussm.routing.nue;

import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import java.util.Comparator;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The end ports in the order in which they are routed, with their lanes. Ports of CAs come first, then ports of
 * routers, then ports 0 of switches, each in the order of port GUIDs ({@link Links#sortKey}). Lanes are assigned
 * in turn in the order of GUIDs. All LIDs of a port are in one lane.
 */
final class NueDestinations {
    private final Subnet subnet;
    private final int[] ports;

    /** The lane by LID; {@link Fabric#NONE} for a LID without a lane. */
    private final byte[] lanes;

    /**
     * Assigns destinations to lanes.
     *
     * @param count number of lanes, 1 to 15
     * @param includesSwitches true if ports 0 of switches are assigned like hosts; false if all are in the first
     *     lane
     * @param earlier previous lane by port index; {@link Fabric#NONE} for a port without a previous lane
     */
    NueDestinations(Subnet subnet, int count, boolean includesSwitches, IntUnaryOperator earlier) {
        this.subnet = subnet;
        Fabric fabric = subnet.fabric();
        int[] sorted = IntStream.range(0, fabric.portCount())
                .filter(port -> subnet.lid(port) != 0 && fabric.switchOf(port) != Fabric.NONE)
                .boxed()
                .sorted(Comparator.comparing(port -> Links.sortKey(fabric.portGuid(port)), Long::compareUnsigned))
                .mapToInt(port -> port)
                .toArray();
        lanes = new byte[subnet.topLid() + 1];
        Arrays.fill(lanes, (byte) Fabric.NONE);
        int dealt = assignLanes(
                IntStream.of(sorted).filter(port -> kind(port) == 0 || (includesSwitches && kind(port) == 2)),
                0,
                count,
                earlier);
        assignLanes(IntStream.of(sorted).filter(port -> kind(port) == 1), dealt, count, earlier);
        assignLanes(IntStream.of(sorted).filter(port -> kind(port) == 2 && !includesSwitches), 0, 1, port -> 0);
        ports = IntStream.rangeClosed(0, 2)
                .flatMap(kind -> IntStream.of(sorted).filter(port -> kind(port) == kind))
                .toArray();
    }

    /**
     * Assigns lanes to ports: the previous lane, otherwise the next lane in turn.
     *
     * @param first number of ports that were assigned before
     * @param count number of lanes
     * @return number of ports that are assigned
     */
    private int assignLanes(IntStream portsToAssign, int first, int count, IntUnaryOperator earlier) {
        int next = first;
        for (int port : portsToAssign.toArray()) {
            int lane = earlier.applyAsInt(port);
            Arrays.fill(lanes, subnet.lid(port), subnet.lid(port) + (1 << subnet.lmc(port)), (byte)
                    (lane == Fabric.NONE ? next % count : lane));
            next++;
        }
        return next;
    }

    /** Returns 0 for a port of a CA, 1 for a port of a router, 2 for a port of a switch. */
    private int kind(int port) {
        int node = subnet.fabric().nodeOf(port);
        boolean isRouter = subnet.fabric().node(node).info().nodeType() == NodeInfo.ROUTER;
        return subnet.fabric().isSwitch(node) ? 2 : isRouter ? 1 : 0;
    }

    /** Returns the port indexes in the order in which they are routed. */
    int[] ports() {
        return ports;
    }

    /** Returns the lane by LID; {@link Fabric#NONE} for a LID of no end port at a switch. Must not be written. */
    byte[] lanes() {
        return lanes;
    }
}
