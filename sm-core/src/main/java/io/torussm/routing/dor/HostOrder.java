package io.torussm.routing.dor;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.Comparator;
import java.util.stream.IntStream;

/**
 * The order in which hosts choose among parallel cables: by switch, those with the most hosts first and then by GUID as
 * OpenSM sorts it (the last byte counts most); within a switch by port number.
 */
final class HostOrder {
    private HostOrder() {}

    /** End ports of CAs and routers that have LIDs and hang on switches. */
    static int[] of(Subnet subnet) {
        Fabric fabric = subnet.fabric();
        return IntStream.range(0, fabric.switchCount())
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(sw -> -hostPorts(fabric, sw))
                        .thenComparing(sw -> Long.reverseBytes(fabric.nodeGuid(sw)), Long::compareUnsigned))
                .flatMapToInt(sw -> IntStream.rangeClosed(1, fabric.numPorts(sw))
                        .map(portNum -> fabric.peer(fabric.port(sw, portNum)))
                        .filter(far -> isHost(fabric, far) && subnet.lid(far) != 0))
                .toArray();
    }

    private static int hostPorts(Fabric fabric, int sw) {
        return (int) IntStream.rangeClosed(1, fabric.numPorts(sw))
                .filter(portNum -> isHost(fabric, fabric.peer(fabric.port(sw, portNum))))
                .count();
    }

    private static boolean isHost(Fabric fabric, int port) {
        return port != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(port));
    }
}
