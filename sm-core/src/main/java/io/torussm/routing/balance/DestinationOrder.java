package io.torussm.routing.balance;

import io.torussm.fabric.Fabric;
import io.torussm.subnet.Subnet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The order in which destinations choose ports in {@link BalancedTables}, as in OpenSM. Destinations that the
 * operator lists come first, then hosts, then switches. Hosts are sorted by the number of hosts on their switch,
 * descending, then by the sort key of the switch ({@link Links#sortKey}), then by port number. Switches are
 * sorted by their sort key.
 */
final class DestinationOrder {
    private DestinationOrder() {}

    /**
     * Returns the indexes of the end ports that have a LID and are ports 0 of switches or attached to a switch, each
     * once.
     *
     * @param listed port GUIDs that come first, in order
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
