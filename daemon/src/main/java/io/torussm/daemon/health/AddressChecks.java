package io.torussm.daemon.health;

import io.torussm.daemon.health.Check.Verdict;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.mad.smp.PortInfo;
import io.torussm.subnet.Subnet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The checks of LIDs and node names. */
final class AddressChecks {
    private static final int MAX_NAMED = 4;

    private final Subnet subnet;
    private final Fabric fabric;

    AddressChecks(Subnet subnet) {
        this.subnet = subnet;
        fabric = subnet.fabric();
    }

    List<Check> all() {
        return List.of(
                Check.of("LIDs", Verdict.BAD, "each end port has its assigned LID", lids()),
                Check.of("names", Verdict.WARNING, "no two nodes have the same name", names()));
    }

    private List<String> lids() {
        List<String> faults = new ArrayList<>();
        for (int port = 0; port < fabric.portCount(); port++) {
            PortInfo info = fabric.portInfo(port);
            if (fabric.isEndport(port) && info != null) {
                int lid = subnet.lid(port);
                if (lid == 0) {
                    faults.add(fabric.portName(port) + " has no LID");
                } else if (info.lid() != lid || info.lmc() != subnet.lmc(port)) {
                    faults.add(fabric.portName(port) + " has LID " + info.lid() + ", LMC " + info.lmc()
                            + ", and should have " + lid + ", LMC " + subnet.lmc(port));
                }
            }
        }
        return faults;
    }

    private List<String> names() {
        Map<String, List<Integer>> byName = IntStream.range(0, fabric.nodeCount())
                .boxed()
                .collect(Collectors.groupingBy(node -> fabric.nodeName(node), TreeMap::new, Collectors.toList()));
        return byName.entrySet().stream()
                .filter(entry -> entry.getKey().isEmpty() || entry.getValue().size() > 1)
                .map(entry -> (entry.getKey().isEmpty() ? "no name" : "\"" + entry.getKey() + "\"") + ": "
                        + guids(entry.getValue()))
                .toList();
    }

    private String guids(List<Integer> nodes) {
        String first = nodes.stream()
                .limit(MAX_NAMED)
                .map(node -> Guid.format(fabric.nodeGuid(node)))
                .collect(Collectors.joining(", "));
        return first + (nodes.size() > MAX_NAMED ? " and " + (nodes.size() - MAX_NAMED) + " more" : "");
    }
}
