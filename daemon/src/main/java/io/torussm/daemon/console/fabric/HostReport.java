package io.torussm.daemon.console.fabric;

import io.torussm.daemon.console.answer.Facts;
import io.torussm.daemon.console.answer.PortFacts;
import io.torussm.daemon.console.answer.VPortText;
import io.torussm.daemon.console.sm.ServiceCommands;
import io.torussm.daemon.control.CountedPort;
import io.torussm.daemon.control.SmControl;
import io.torussm.daemon.health.HealthReport;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Guid;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.PKeys;
import io.torussm.perf.PortFault;
import io.torussm.view.CableHistory;
import io.torussm.view.FabricState;
import io.torussm.view.PlacedSubnet;
import io.torussm.view.PublishedView;
import io.torussm.vport.VPortTable;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** An evaluation of hosts by the state of their ports. A report reads one state of the fabric. */
final class HostReport {
    private final SmControl control;
    private final FabricState state;
    private final PlacedSubnet placed;
    private final @Nullable PublishedView view;
    private final VPortTable vports;
    private final Map<Long, List<String>> groups = new HashMap<>();
    private final Map<Long, Integer> cableFailures = new HashMap<>();

    /**
     * A port of a host with a link or a LID.
     *
     * @param pKeys P_Keys of its table, as {@code 0xffff}
     * @param groups MLIDs of its multicast groups, as {@code 0xc000}
     * @param toSm path to the port of the SM in words; empty while no subnet is active
     * @param errors errors that indicate a bad link; null if its counters are not read
     * @param faults counters over their limits
     * @param downs failures of its cable within a day
     * @param problems faults of this port, each a sentence without a full stop
     */
    record Port(
            PortFacts port,
            List<String> pKeys,
            List<String> groups,
            String toSm,
            @Nullable Long errors,
            List<String> faults,
            int downs,
            List<String> problems) {
        private List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add("port " + port.port() + ": " + (port.state() == null ? "not read" : port.state())
                    + (port.peer() == null ? ", no link" : ", " + port.link() + ", cabled to " + port.peer())
                    + (port.led() == null ? "" : ", led to " + port.led()));
            lines.add("  GUID " + port.portGuid() + ", LID " + port.lid() + ", LMC " + port.lmc());
            lines.add("  P_Keys " + listText(pKeys) + "; groups " + listText(groups));
            if (!toSm.isEmpty()) {
                lines.add("  to the SM: " + toSm);
            }
            if (port.vports() != null) {
                lines.add("  virtual ports " + VPortText.of(port.vports()));
            }
            lines.add("  errors " + (errors == null ? "not read (perfmgr = true)" : String.valueOf(errors))
                    + ", cable failures within a day " + downs);
            return lines;
        }

        private static String listText(List<String> words) {
            return words.isEmpty() ? "none" : String.join(" ", words);
        }
    }

    /**
     * A host.
     *
     * @param isGood true if no port has a problem
     * @param problems problems of all ports, the first one in the verdict
     */
    record Host(String name, String nodeGuid, boolean isGood, List<String> problems, List<Port> ports)
            implements Facts {
        @Override
        public List<String> lines() {
            List<String> lines = new ArrayList<>();
            lines.add(name + ", node GUID " + nodeGuid + ": " + (isGood ? "good" : problems.size() + " found"));
            problems.forEach(problem -> lines.add("  " + problem));
            ports.forEach(port -> lines.addAll(port.lines()));
            return lines;
        }
    }

    HostReport(SmControl control, FabricState state, PlacedSubnet placed) {
        this.control = control;
        this.state = state;
        this.placed = placed;
        view = state.view();
        vports = control.vports();
        MulticastView multicast = control.multicast();
        for (MulticastGroup group : multicast.groups()) {
            String mlid = ServiceCommands.mlid(group);
            group.members()
                    .forEach(member -> groups.computeIfAbsent(member.portGid().guid(), guid -> new ArrayList<>())
                            .add(mlid));
        }
        for (CableHistory.Cable cable :
                control.cableHistory().cables(Instant.now().minus(HealthReport.FLAPPING_TIME))) {
            cableFailures.merge(cable.near().port().portGuid(), cable.failures(), Integer::sum);
            cableFailures.merge(cable.far().port().portGuid(), cable.failures(), Integer::sum);
        }
    }

    /** Returns the reports on all hosts, by name. */
    List<Host> hosts() {
        Fabric fabric = placed.fabric();
        return IntStream.range(0, fabric.nodeCount())
                .filter(node -> !fabric.isSwitch(node))
                .mapToObj(this::host)
                .sorted(Comparator.comparing(Host::name).thenComparing(Host::nodeGuid))
                .toList();
    }

    /** Returns the report on a host by its node index. */
    Host host(int node) {
        Fabric fabric = placed.fabric();
        List<Port> ports = IntStream.rangeClosed(1, fabric.numPorts(node))
                .map(portNum -> fabric.port(node, portNum))
                .filter(fabric::isEndport)
                .mapToObj(this::portReport)
                .toList();
        List<String> problems =
                ports.stream().flatMap(port -> port.problems().stream()).toList();
        return new Host(
                PortFacts.name(fabric, node), Guid.format(fabric.nodeGuid(node)), problems.isEmpty(), problems, ports);
    }

    private Port portReport(int port) {
        Fabric fabric = placed.fabric();
        PortFacts facts = PortFacts.of(state, placed, port, vports);
        long guid = fabric.portGuid(port);
        CountedPort counters = CountedPort.of(placed, control.counters(), port);
        List<String> faults = counters == null
                ? List.of()
                : counters.faults().stream().map(PortFault::text).toList();
        List<String> problems = new ArrayList<>();
        String name = "port " + facts.port() + " ";
        if (facts.state() != null && !facts.state().equals("ACTIVE")) {
            problems.add(name + "is " + facts.state());
        }
        if (facts.lid() == 0) {
            problems.add(name + "has no LID");
        }
        List<String> pKeys = List.of();
        String toSm = "";
        if (view != null && isSamePort(view, facts.lid(), guid)) {
            pKeys = view.partitions().keys(view.subnet().portOfLid(facts.lid())).stream()
                    .mapToObj(PKeys::format)
                    .toList();
            ExplainPath.Explanation path = new ExplainPath(view, state, null)
                    .explain(facts.lid(), view.subnet().smLid(), 0);
            toSm = text(path);
            if (!path.isGood()) {
                problems.add(name + "has no path to the SM: " + String.join("; ", path.notes()));
            }
        } else if (view != null && facts.lid() != 0) {
            problems.add(name + "is not in the active subnet");
        }
        faults.forEach(fault -> problems.add(name + "is over a limit: " + fault));
        int down = cableFailures.getOrDefault(guid, 0);
        if (down >= HealthReport.FLAPS) {
            problems.add(name + "flaps: its cable failed " + down + " times within a day");
        }
        return new Port(
                facts,
                pKeys,
                groups.getOrDefault(guid, List.of()),
                toSm,
                counters == null ? null : counters.errors(),
                faults,
                down,
                problems);
    }

    /** Checks whether a LID of the last discovery is that of the same port in the active subnet. */
    private static boolean isSamePort(PublishedView view, int lid, long guid) {
        int port = lid > 0 && lid <= view.subnet().topLid() ? view.subnet().portOfLid(lid) : Fabric.NONE;
        return port != Fabric.NONE && view.subnet().fabric().portGuid(port) == guid;
    }

    private static String text(ExplainPath.Explanation path) {
        String sl = path.levels().isEmpty() ? "" : "SL " + path.levels().get(0).sl() + ", ";
        return sl + String.join("; ", path.notes());
    }
}
