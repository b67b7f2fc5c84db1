package io.torussm.routing.balance;

import io.torussm.conf.ConfLines;
import io.torussm.event.Finding;
import io.torussm.fabric.Fabric;
import io.torussm.mad.smp.NodeInfo;
import io.torussm.routing.EngineConfig;
import io.torussm.routing.EngineSetting;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The operator's settings for the distribution of destinations over ports, common to all engines that use
 * {@link BalancedTables}.
 */
public final class Balancing {
    private static final int LAST_WEIGHT = 255;
    private static final EngineSetting SEARCH_ORDER = EngineSetting.file(
            "port_search_ordering_file", "a switch on each line, and the ports to search before its others");
    private static final EngineSetting ROUTED_FIRST = EngineSetting.file(
            "guid_routing_order_file", "the port GUIDs to route before all others, one on each line");
    private static final EngineSetting IGNORED_PORTS = EngineSetting.file(
            "port_prof_ignore_file", "ports whose routes do not count, a switch and a port on each line");
    private static final EngineSetting WEIGHTS = EngineSetting.file(
            "hop_weights_file", "cables that count as several hops: a switch, a port and the hops on each line");
    private static final EngineSetting SCATTER =
            EngineSetting.number("scatter_ports", "seed of a random choice among equal ports; 0: no random choice");
    private static final EngineSetting KEEPS_FIRST = EngineSetting.flag(
            "guid_routing_order_no_scatter", "scatter_ports does not apply to the ports of guid_routing_order_file");
    private static final EngineSetting SHIFTS = EngineSetting.flag(
            "port_shifting", "begin with another port for each destination, so that equal ports carry equal shares");
    private static final EngineSetting COUNTS_SWITCHES =
            EngineSetting.flag("port_profile_switch_nodes", "count routes to switches like routes to hosts");

    /** All settings of this class. */
    public static final List<EngineSetting> SETTINGS =
            List.of(SEARCH_ORDER, ROUTED_FIRST, IGNORED_PORTS, WEIGHTS, SCATTER, KEEPS_FIRST, SHIFTS, COUNTS_SWITCHES);

    private final GuidFile searched;
    private final GuidFile routedFirst;
    private final GuidFile ignored;
    private final GuidFile weights;

    /** The seed of {@code scatter_ports}; 0 for no random choice. */
    final int seed;

    /** The value of {@code guid_routing_order_no_scatter}. */
    final boolean keepsFirst;

    /** The value of {@code port_shifting}. */
    final boolean shifts;

    /** The value of {@code port_profile_switch_nodes}. */
    final boolean countsSwitches;

    /** Reads the settings and their files. */
    public Balancing(EngineConfig config) {
        searched = new GuidFile(config, SEARCH_ORDER.key(), Balancing::portsProblem);
        routedFirst = new GuidFile(config, ROUTED_FIRST.key(), GuidFile.GUID_ALONE);
        ignored = new GuidFile(config, IGNORED_PORTS.key(), words -> numbersProblem(words, 1));
        weights = new GuidFile(config, WEIGHTS.key(), words -> numbersProblem(words, 2));
        seed = config.number(SCATTER.key());
        keepsFirst = config.flag(KEEPS_FIRST.key());
        shifts = config.flag(SHIFTS.key());
        countsSwitches = config.flag(COUNTS_SWITCHES.key());
    }

    /** Returns the fault of a list of port numbers, as the end of a finding; empty if the list is correct. */
    private static String portsProblem(List<String> words) {
        Set<Long> ports = new HashSet<>();
        for (String word : words) {
            long port = ConfLines.number(word).orElse(0);
            if (port < 1 || port > NodeInfo.MAX_PORT_NUM) {
                return ConfLines.quote(word) + " is no port; write numbers from 1 to " + NodeInfo.MAX_PORT_NUM
                        + " after the GUID";
            } else if (!ports.add(port)) {
                return "port " + port + " is listed twice; remove it once";
            }
        }
        return "";
    }

    private static String numbersProblem(List<String> words, int count) {
        if (words.size() != count) {
            return "write " + (count == 1 ? "a port" : "a port and how many hops it counts for") + " after the GUID";
        }
        String port = GuidFile.problem(words.get(0), "port", 1, NodeInfo.MAX_PORT_NUM);
        return count == 1 || !port.isEmpty() ? port : GuidFile.problem(words.get(1), "number of hops", 1, LAST_WEIGHT);
    }

    /** Returns the errors of the files that can be found without a fabric. */
    public List<Finding> findings() {
        List<Finding> findings = new ArrayList<>();
        Stream.of(searched, routedFirst, ignored, weights).forEach(file -> findings.addAll(file.findings()));
        findings.addAll(duplicates());
        return findings;
    }

    /** Returns an error for each switch that {@code port_search_ordering_file} lists twice. */
    private List<Finding> duplicates() {
        Map<Long, String> lineOfSwitch = new HashMap<>();
        List<Finding> findings = new ArrayList<>();
        for (GuidFile.Line line : searched.lines()) {
            String previous = lineOfSwitch.putIfAbsent(line.guid(), line.where());
            if (previous != null) {
                findings.add(Finding.error(line.where() + "this switch was given already, see " + previous
                        + "remove one of the two lines"));
            }
        }
        return findings;
    }

    /** Returns all errors of the files, including each listed port that a present switch does not have. */
    public List<Finding> findings(Fabric fabric) {
        List<Finding> findings = new ArrayList<>(findings());
        for (GuidFile.Line line : searched.lines()) {
            line.numbers().forEach(port -> check(fabric, line, port, findings));
        }
        Stream.of(ignored, weights)
                .flatMap(file -> file.lines().stream())
                .forEach(line -> check(fabric, line, line.numbers().get(0), findings));
        return findings;
    }

    private static void check(Fabric fabric, GuidFile.Line line, long port, List<Finding> findings) {
        int sw = switchOf(fabric, line);
        if (sw != Fabric.NONE && port > fabric.numPorts(sw)) {
            findings.add(Finding.error(line.where() + fabric.name(sw) + " has no port " + port
                    + "; list ports from 1 to " + fabric.numPorts(sw)));
        }
    }

    private static int switchOf(Fabric fabric, GuidFile.Line line) {
        int node = fabric.nodeByGuid(line.guid());
        return node != Fabric.NONE && fabric.isSwitch(node) ? node : Fabric.NONE;
    }

    /**
     * Returns port numbers {@code [switch]} in the order of the search: port 0, the listed ports, then the other
     * ports in ascending order.
     */
    int[][] searched(Fabric fabric) {
        int[][] ports = new int[fabric.switchCount()][];
        Arrays.setAll(ports, sw -> IntStream.rangeClosed(0, fabric.numPorts(sw)).toArray());
        for (GuidFile.Line line : searched.lines()) {
            int sw = switchOf(fabric, line);
            if (sw != Fabric.NONE) {
                IntStream listed = line.numbers().stream().mapToInt(Long::intValue);
                ports[sw] = IntStream.concat(IntStream.concat(IntStream.of(0), listed), Arrays.stream(ports[sw]))
                        .distinct()
                        .toArray();
            }
        }
        return ports;
    }

    /** Returns the GUIDs of the ports that choose first, in order. */
    List<Long> routedFirst() {
        return routedFirst.lines().stream().map(GuidFile.Line::guid).distinct().toList();
    }

    /** Returns by port index whether routes over the port are not counted. */
    boolean[] ignored(Fabric fabric) {
        boolean[] isIgnored = new boolean[fabric.portCount()];
        for (GuidFile.Line line : ignored.lines()) {
            int sw = switchOf(fabric, line);
            if (sw != Fabric.NONE) {
                isIgnored[fabric.port(sw, line.numbers().get(0).intValue())] = true;
            }
        }
        return isIgnored;
    }

    /**
     * Returns by port index the number of hops, 1 to 255, that the cable counts for packets that leave through the
     * port.
     */
    public int[] weights(Fabric fabric) {
        int[] hops = new int[fabric.portCount()];
        Arrays.fill(hops, 1);
        for (GuidFile.Line line : weights.lines()) {
            int sw = switchOf(fabric, line);
            if (sw != Fabric.NONE) {
                hops[fabric.port(sw, line.numbers().get(0).intValue())] =
                        line.numbers().get(1).intValue();
            }
        }
        return hops;
    }
}
