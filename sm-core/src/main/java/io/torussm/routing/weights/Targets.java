package io.torussm.routing.weights;

import io.torussm.fabric.Fabric;
import io.torussm.routing.balance.GuidFile;
import io.torussm.routing.balance.Links;
import io.torussm.subnet.Subnet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The order in which destinations are routed: hosts of the first file, then of the second file, then all other
 * hosts, then ports 0 of switches. Hosts are sorted by their switch, the switch with the most LIDs first, then
 * by port number.
 */
final class Targets {
    private final Subnet subnet;
    private final Fabric fabric;
    private final int[] loads;
    private final int[] ports;

    Targets(Subnet subnet, Links links, List<GuidFile> files) {
        this.subnet = subnet;
        fabric = subnet.fabric();
        loads = new int[fabric.switchCount()];
        for (int lid = 1; lid <= subnet.topLid(); lid++) {
            int sw = subnet.switchOfLid(lid);
            if (sw != Fabric.NONE) {
                loads[sw]++;
            }
        }
        int[] switches = IntStream.of(links.order())
                .boxed()
                .sorted(Comparator.comparingInt(sw -> -loads[sw]))
                .mapToInt(sw -> sw)
                .toArray();
        Set<Integer> ordered = new LinkedHashSet<>();
        for (GuidFile file : files) {
            Set<Long> guids =
                    file.lines().stream().map(GuidFile.Line::guid).collect(Collectors.toCollection(HashSet::new));
            hosts(switches)
                    .filter(port -> guids.contains(fabric.portGuid(port)))
                    .forEach(ordered::add);
        }
        hosts(switches).forEach(ordered::add);
        IntStream.of(switches)
                .map(sw -> fabric.port(sw, 0))
                .filter(port -> subnet.lid(port) != 0)
                .forEach(ordered::add);
        ports = ordered.stream().mapToInt(port -> port).toArray();
    }

    private IntStream hosts(int[] switches) {
        return IntStream.of(switches)
                .flatMap(sw -> IntStream.rangeClosed(1, fabric.numPorts(sw))
                        .map(portNum -> fabric.peer(fabric.port(sw, portNum))))
                .filter(port -> port != Fabric.NONE && !fabric.isSwitch(fabric.nodeOf(port)) && subnet.lid(port) != 0);
    }

    /** Returns by switch the number of LIDs of its port 0 and of its hosts. */
    int[] loads() {
        return loads;
    }

    /** Returns the port indexes in the order in which they are routed. */
    int[] ports() {
        return ports;
    }
}
