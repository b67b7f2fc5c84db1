package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The order in which destinations choose among ports. Destinations that the operator lists come first, then
 * hosts, then switches. Switches are sorted by their number of hosts, descending, then as in OpenSM; hosts by
 * their switch, then by port number.
 */
final class DestinationOrder {
    private DestinationOrder() {}

    /**
     * Returns the end ports that have LIDs and are switches or attached to one, each once.
     *
     * @param listed port GUIDs that come first
     */
    static int[] of(Subnet subnet, Links links, List<Long> listed) {
        Fabric fabric = subnet.fabric();
        Map<Long, Integer> ranks = new HashMap<>();
        listed.forEach(guid -> ranks.putIfAbsent(guid, ranks.size()));
        IntStream hosts = IntStream.of(links.order())
                .boxed()
                .sorted(Comparator.comparingInt(sw -> -hostPorts(fabric, sw)))
                .flatMapToInt(sw -> IntStream.rangeClosed(1, fabric.numPorts(sw))
                        .map(portNum -> fabric.peer(fabric.port(sw, portNum)))
                        .filter(far -> isHost(fabric, far)));
        IntStream switches = IntStream.range(0, fabric.switchCount())
                .map(sw -> fabric.port(sw, 0))
                .boxed()
                .sorted(Comparator.comparing(port -> Links.sortKey(fabric.portGuid(port)), Long::compareUnsigned))
                .mapToInt(port -> port);
        return IntStream.concat(hosts, switches)
                .filter(port -> subnet.lid(port) != 0)
                .boxed()
                .sorted(Comparator.comparingInt(port -> ranks.getOrDefault(fabric.portGuid(port), ranks.size())))
                .mapToInt(port -> port)
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
