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
 * End ports in the order in which they are routed: hosts, then routers, then ports 0 of switches, each in the
 * order of port GUIDs; and the lane of each, which they are dealt to in that order of GUIDs, one after the
 * other. All LIDs of a port are in one lane.
 */
final class NueDestinations {
    private final Subnet subnet;
    private final int[] ports;

    /** By LID; {@link Fabric#NONE} for none. */
    private final byte[] lanes;

    /**
     * Assigns destinations to lanes.
     *
     * @param count number of lanes, 1 to 15
     * @param includesSwitches true if ports 0 of switches are assigned like hosts; else all are in the first
     *     lane
     * @param earlier previous lane by port index; {@link Fabric#NONE} if it has none
     */
    NueDestinations(Subnet subnet, int count, boolean includesSwitches, IntUnaryOperator earlier) {
        this.subnet = subnet;
        Fabric fabric = subnet.fabric();
        int[] known = IntStream.range(0, fabric.portCount())
                .filter(port -> subnet.lid(port) != 0 && fabric.switchOf(port) != Fabric.NONE)
                .boxed()
                .sorted(Comparator.comparing(port -> Links.sortKey(fabric.portGuid(port)), Long::compareUnsigned))
                .mapToInt(port -> port)
                .toArray();
        lanes = new byte[subnet.topLid() + 1];
        Arrays.fill(lanes, (byte) Fabric.NONE);
        int dealt = deal(
                IntStream.of(known).filter(port -> kind(port) == 0 || (includesSwitches && kind(port) == 2)),
                0,
                count,
                earlier);
        deal(IntStream.of(known).filter(port -> kind(port) == 1), dealt, count, earlier);
        deal(IntStream.of(known).filter(port -> kind(port) == 2 && !includesSwitches), 0, 1, port -> 0);
        ports = IntStream.rangeClosed(0, 2)
                .flatMap(kind -> IntStream.of(known).filter(port -> kind(port) == kind))
                .toArray();
    }

    private int deal(IntStream some, int first, int count, IntUnaryOperator earlier) {
        int next = first;
        for (int port : some.toArray()) {
            int lane = earlier.applyAsInt(port);
            Arrays.fill(lanes, subnet.lid(port), subnet.lid(port) + (1 << subnet.lmc(port)), (byte)
                    (lane == Fabric.NONE ? next % count : lane));
            next++;
        }
        return next;
    }

    /** Returns 0 for a port of a CA, 1 for that of a router, 2 for that of a switch. */
    private int kind(int port) {
        int node = subnet.fabric().nodeOf(port);
        boolean isRouter = subnet.fabric().node(node).info().nodeType() == NodeInfo.ROUTER;
        return subnet.fabric().isSwitch(node) ? 2 : isRouter ? 1 : 0;
    }

    /** Returns port indexes, in the order in which they are routed. */
    int[] ports() {
        return ports;
    }

    /** Returns the lanes by LID; {@link Fabric#NONE} for LIDs that no port with a switch has. Must not be written. */
    byte[] lanes() {
        return lanes;
    }
}
