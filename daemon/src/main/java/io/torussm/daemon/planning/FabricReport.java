package io.torussm.daemon.planning;

import io.torussm.daemon.planning.WhatIf.Outcome;
import io.torussm.deadlock.Certificate;
import io.torussm.deadlock.DeadlockChecker;
import io.torussm.deadlock.chain.RoutingChain.ChainResult;
import io.torussm.deadlock.sl.SlVerdicts;
import io.torussm.fabric.Fabric;
import io.torussm.routing.MulticastTree;
import io.torussm.routing.PathEnds;
import io.torussm.routing.Plan;
import io.torussm.routing.RoutingOptions;
import io.torussm.routing.statistics.PathStatistics;
import io.torussm.torus2qos.TorusMap;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The report on a routed fabric. Pairs are ordered pairs of host ports, or of switches if there are no hosts.
 * The load of a cable is the number of paths over it, one way.
 *
 * @param switches number of switches in the fabric
 * @param hosts number of ports of channel adapters and routers
 * @param cables number of cables between switches
 * @param proof verdict of the deadlock check, in words
 * @param pairs number of pairs with a path
 * @param meanHops mean number of cables between switches on a path
 * @param pairsByHops number of pairs by the number of cables between switches on their path
 * @param loads loads by dimension; one load of all cables if the engine is not torus-2QoS
 * @param mostLoaded directions of cables with the highest load
 * @param pairsBySl number of pairs by their SL at the first QoS level
 * @param vls VLs in use between switches, multicast included
 * @param sls verdicts for hosts that choose other SLs than the plan expects
 */
public record FabricReport(
        int switches,
        int hosts,
        int cables,
        String proof,
        long pairs,
        double meanHops,
        Map<Integer, Long> pairsByHops,
        List<Load> loads,
        List<CableLoad> mostLoaded,
        Map<Integer, Long> pairsBySl,
        List<Integer> vls,
        SlVerdicts sls) {
    private static final String NAMES = "xyz";
    private static final int MAX_LISTED = 5;

    /**
     * The load of the cables of a dimension, in paths. The two directions of a cable are counted separately.
     *
     * @param dimension name of the dimension
     * @param directions number of directions of cables
     * @param min load of the least loaded direction
     * @param mean mean load of a direction
     * @param max load of the busiest direction
     */
    public record Load(String dimension, int directions, int min, double mean, int max) {}

    /**
     * The load of one direction of a cable.
     *
     * @param from name of the port by which packets leave
     * @param to name of the port at the other end
     * @param paths number of paths
     */
    public record CableLoad(String from, String to, int paths) {}

    /**
     * The losses that a dimension tolerates.
     *
     * @param dimension name of the dimension
     * @param rings number of rings, or of lines without a wrap
     * @param interrupted number of rings that already lack a switch or all cables between two neighbours
     * @param losingAnyCable number of rings that can lose any one of their cables
     * @param losingAnySwitch number of rings that can lose any one of their switches
     */
    public record Spare(String dimension, int rings, int interrupted, int losingAnyCable, int losingAnySwitch) {}

    /**
     * Returns the report on a routed fabric.
     *
     * @param result accepted result of a routing chain
     * @param options options of that routing
     */
    public static FabricReport of(ChainResult result, RoutingOptions options) {
        Plan plan = Objects.requireNonNull(result.plan());
        Fabric fabric = plan.subnet().fabric();
        PathEnds ends = new PathEnds(plan.subnet());
        PathStatistics paths = PathStatistics.of(plan, ends);
        int[] cablePorts = IntStream.range(0, fabric.portCount())
                .filter(port -> joinsSwitches(fabric, port))
                .toArray();
        return new FabricReport(
                fabric.switchCount(),
                (int) IntStream.range(0, fabric.portCount())
                        .filter(port -> fabric.isEndport(port) && !fabric.isSwitch(fabric.nodeOf(port)))
                        .count(),
                cablePorts.length / 2,
                Objects.requireNonNull(result.verdict()).text(),
                paths.pairs(),
                paths.meanHops(),
                paths.byHops(),
                loads(TorusMap.of(plan), cablePorts, paths.loads()),
                IntStream.of(cablePorts)
                        .boxed()
                        .sorted(Comparator.comparingInt((Integer port) -> -paths.loads()[port]))
                        .limit(MAX_LISTED)
                        .map(port -> new CableLoad(
                                Failure.portName(plan, port),
                                Failure.portName(plan, fabric.peer(port)),
                                paths.loads()[port]))
                        .toList(),
                paths.bySl(),
                result.verdict() instanceof Certificate certificate ? vls(certificate, cablePorts) : List.of(),
                sls(plan, result.multicast(), options));
    }

    /** Returns the verdicts for hosts that choose other SLs, computed on all processors. */
    public static SlVerdicts sls(Plan plan, @Nullable MulticastTree multicast, RoutingOptions options) {
        return SlVerdicts.of(
                plan,
                multicast,
                options,
                new DeadlockChecker(Runtime.getRuntime().availableProcessors()));
    }

    static boolean joinsSwitches(Fabric fabric, int port) {
        int far = fabric.peer(port);
        return far != Fabric.NONE
                && far != port
                && fabric.isSwitch(fabric.nodeOf(port))
                && fabric.isSwitch(fabric.nodeOf(far));
    }

    private static List<Load> loads(Optional<TorusMap> map, int[] cablePorts, int[] loads) {
        Map<String, List<Integer>> byDimension = new TreeMap<>();
        for (int port : cablePorts) {
            int d = map.map(torus -> torus.dimension(port)).orElse(TorusMap.DIMENSIONS);
            String name = d < TorusMap.DIMENSIONS ? NAMES.substring(d, d + 1) : map.isEmpty() ? "all" : "none";
            byDimension.computeIfAbsent(name, key -> new ArrayList<>()).add(loads[port]);
        }
        return byDimension.entrySet().stream()
                .map(each -> {
                    var all =
                            each.getValue().stream().mapToInt(Integer::intValue).summaryStatistics();
                    return new Load(each.getKey(), (int) all.getCount(), all.getMin(), all.getAverage(), all.getMax());
                })
                .toList();
    }

    private static List<Integer> vls(Certificate certificate, int[] cablePorts) {
        return IntStream.range(0, 16)
                .filter(vl -> IntStream.of(cablePorts).anyMatch(port -> certificate.number(port, vl) != Fabric.NONE))
                .boxed()
                .toList();
    }

    /** Returns the lines for people. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(switches + " switches, " + hosts + " host ports, " + cables + " cables between switches");
        lines.add(proof);
        lines.add("");
        lines.add(String.format(Locale.ROOT, "hops between switches: mean %.2f", meanHops));
        lines.add(String.format(Locale.ROOT, "  %-6s%14s", "hops", "pairs"));
        pairsByHops.forEach((hops, count) -> lines.add(String.format(Locale.ROOT, "  %-6d%14d", hops, count)));
        if (cables > 0) {
            addLoads(lines);
        }
        lines.add("");
        lines.add("SLs of the first QoS level, by pairs: " + pairsBySl);
        lines.add("VLs in use between switches: " + vls);
        lines.add("");
        lines.addAll(sls.lines());
        return lines;
    }

    private void addLoads(List<String> lines) {
        lines.add("");
        lines.add("paths over a cable, one way");
        lines.add(String.format(
                Locale.ROOT,
                "  %-10s%11s%10s%12s%10s",
                loads.stream().anyMatch(load -> NAMES.contains(load.dimension)) ? "dimension" : "cables",
                "directions",
                "min",
                "mean",
                "max"));
        loads.forEach(load -> lines.add(String.format(
                Locale.ROOT,
                "  %-10s%11d%10d%12.1f%10d",
                load.dimension,
                load.directions,
                load.min,
                load.mean,
                load.max)));
        lines.add("most loaded:");
        mostLoaded.forEach(cable -> lines.add("  " + cable.paths + "  " + cable.from + " to " + cable.to));
    }

    /**
     * Returns, for each dimension, the losses after which the engine routes the rest without a last resort. Empty if
     * the engine is not torus-2QoS.
     *
     * @param switchLosses outcomes of the loss of each switch, by switch index
     * @param cables the loss of each cable
     * @param cableLosses outcomes of these, by index in {@code cables}
     */
    public static List<Spare> spare(
            Plan plan, List<Outcome> switchLosses, List<Failure> cables, List<Outcome> cableLosses) {
        Set<Integer> fatalSwitches = new HashSet<>();
        Set<Integer> fatalPorts = new HashSet<>();
        Fabric fabric = plan.subnet().fabric();
        for (int sw = 0; sw < switchLosses.size(); sw++) {
            if (!switchLosses.get(sw).isWhole()) {
                fatalSwitches.add(sw);
            }
        }
        for (int i = 0; i < cables.size(); i++) {
            if (!cableLosses.get(i).isWhole()) {
                int port = cables.get(i).cables().get(0);
                fatalPorts.add(port);
                fatalPorts.add(fabric.peer(port));
            }
        }
        return TorusMap.of(plan)
                .map(torus -> IntStream.range(0, TorusMap.DIMENSIONS)
                        .filter(d -> torus.radix(d) > 1)
                        .mapToObj(d -> spare(fabric, torus, d, fatalSwitches, fatalPorts))
                        .toList())
                .orElse(List.of());
    }

    private static Spare spare(
            Fabric fabric, TorusMap torus, int d, Set<Integer> fatalSwitches, Set<Integer> fatalPorts) {
        int rings = 0;
        int interrupted = 0;
        int losingCables = 0;
        int losingSwitches = 0;
        for (int start = 0; start < torus.positions(); start++) {
            if (torus.coordinate(start, d) != 0) {
                continue;
            }
            int first = start;
            int[] ring = IntStream.range(0, torus.radix(d))
                    .map(i -> torus.withCoordinate(first, d, i))
                    .toArray();
            rings++;
            interrupted +=
                    IntStream.of(ring).allMatch(at -> torus.switchAt(at) != TorusMap.NONE && torus.cables(at, d) != 0)
                            ? 0
                            : 1;
            losingSwitches += IntStream.of(ring).noneMatch(at -> fatalSwitches.contains(torus.switchAt(at))) ? 1 : 0;
            losingCables += IntStream.of(ring).noneMatch(at -> IntStream.of(torus.plusPorts(at, d))
                            .anyMatch(portNum -> fatalPorts.contains(fabric.port(torus.switchAt(at), portNum))))
                    ? 1
                    : 0;
        }
        return new Spare(NAMES.substring(d, d + 1), rings, interrupted, losingCables, losingSwitches);
    }

    /** Returns the tolerated losses for people, with the failures that would stop routing. */
    public static List<String> spareLines(List<Spare> spare, List<Outcome> losses) {
        List<String> lines = new ArrayList<>();
        lines.add(spare.isEmpty() ? "tolerated losses" : "tolerated losses of each dimension");
        if (!spare.isEmpty()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "  %-10s%8s%13s%20s%20s",
                    "dimension",
                    "rings",
                    "interrupted",
                    "can lose any cable",
                    "can lose any switch"));
        }
        spare.forEach(each -> lines.add(String.format(
                Locale.ROOT,
                "  %-10s%8d%13d%20d%20d",
                each.dimension,
                each.rings,
                each.interrupted,
                each.losingAnyCable,
                each.losingAnySwitch)));
        List<Outcome> fatal = losses.stream().filter(loss -> !loss.isRouted()).toList();
        if (losses.isEmpty()) {
            lines.add("nothing between its ends: there is no switch, and the loss of the one cable parts the hosts");
            return lines;
        }
        lines.add(
                fatal.isEmpty()
                        ? "no single failure of " + losses.size() + " stops routing"
                        : fatal.size() + " of " + losses.size() + " single failures stop routing:");
        lines.addAll(LossReasons.lines(fatal));
        List<Outcome> rerouted = losses.stream()
                .filter(loss -> loss.isRouted() && !loss.isWhole())
                .toList();
        if (!rerouted.isEmpty()) {
            lines.add("after " + rerouted.size() + " of " + losses.size()
                    + " single failures the first engine refuses, and the rest is routed in another way:");
            lines.addAll(LossReasons.lines(rerouted));
        }
        return lines;
    }
}
