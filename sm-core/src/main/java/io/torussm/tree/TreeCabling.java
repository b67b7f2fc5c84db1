package io.torussm.tree;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The comparison of the cables of a tree with the cables that a regular tree has. Immutable after construction. */
final class TreeCabling {
    /**
     * The maximum share of deviating cables of a level that are faults. If more deviate, the tree is built this way.
     */
    private static final double MAX_FAULT_SHARE = 0.15;

    private final SwitchGraph graph;
    private final Fabric fabric;
    private final int[] level;
    private final int top;
    private final SiblingSwitches siblings;
    /** The missing cables up. */
    private final List<MissingCable> missingCables = new ArrayList<>();
    /** The cables that are certainly wrong. */
    private final List<TreeFault> wrongCables = new ArrayList<>();

    /**
     * Cables up that siblings do not have, of switches that lack no cable. They are wrong only if an exchange with
     * another cable corrects both.
     */
    private final List<TreeFault> suspects = new ArrayList<>();

    TreeCabling(SwitchGraph graph, int[] level) {
        this.graph = graph;
        this.fabric = graph.fabric;
        this.level = level;
        top = Arrays.stream(level).max().orElse(FabricTree.NO_LEVEL);
        siblings = new SiblingSwitches(graph, level);
        IntStream.range(0, top).forEach(this::compare);
        findWrongLevels();
    }

    /**
     * Returns the wrong cables with their corrections, then the switches above leaves with hosts, then the missing
     * cables by switch.
     */
    List<TreeFault> faults() {
        List<TreeFault> faults =
                new ArrayList<>(new CableMoves(fabric, wrongCables, suspects, missingCables).withCorrections());
        for (int sw = 0; sw < level.length; sw++) {
            if (level[sw] > 0 && graph.hosts[sw] > 0) {
                faults.add(new TreeFault(
                        TreeFault.FaultType.HOSTS_ABOVE,
                        sw,
                        Fabric.NONE,
                        Fabric.NONE,
                        Fabric.NONE,
                        TreeFault.Move.NONE,
                        graph.hosts[sw]));
            }
        }
        missingCables.forEach(cable -> faults.add(new TreeFault(
                TreeFault.FaultType.MISSING_UPLINK,
                cable.sw(),
                cable.port(),
                cable.far(),
                cable.targetSwitch(),
                TreeFault.Move.NONE,
                1)));
        return List.copyOf(faults);
    }

    /** Returns the number of missing cables up by switch. */
    int[] missing() {
        int[] missing = new int[level.length];
        missingCables.forEach(cable -> missing[cable.sw()]++);
        return missing;
    }

    /** Compares the switches of a level with their siblings. */
    private void compare(int rowLevel) {
        int[] row = IntStream.range(0, level.length)
                .filter(sw -> level[sw] == rowLevel)
                .toArray();
        List<MissingCable> rowLacks = new ArrayList<>();
        List<TreeFault> rowWrong = new ArrayList<>();
        List<TreeFault> rowSuspects = new ArrayList<>();
        int cables = 0;
        int usual = usualUplinks(row);
        for (int sw : row) {
            SiblingSwitches.SiblingDifference expected = siblings.difference(sw);
            int uplinks = siblings.uplinks(sw).length;
            cables += uplinks;
            List<MissingCable> lacks = expected.isKnown()
                    ? expected.missing()
                    : IntStream.range(uplinks, usual)
                            .mapToObj(any -> new MissingCable(sw, Fabric.NONE, Fabric.NONE, Fabric.NONE))
                            .toList();
            rowLacks.addAll(lacks);
            List<TreeFault> extra = expected.extra().stream()
                    .map(port -> wrong(TreeFault.FaultType.WRONG_SWITCH, port))
                    .toList();
            int certain = Math.min(extra.size(), lacks.size());
            rowWrong.addAll(extra.subList(0, certain));
            rowSuspects.addAll(extra.subList(certain, extra.size()));
        }
        if (rowLacks.size() <= MAX_FAULT_SHARE * (cables + rowLacks.size())) {
            missingCables.addAll(rowLacks);
            wrongCables.addAll(rowWrong);
            suspects.addAll(rowSuspects.size() <= MAX_FAULT_SHARE * cables ? rowSuspects : List.of());
        }
    }

    /** Returns the number of cables up that at least three quarters of some switches have; 0 without such a number. */
    private int usualUplinks(int[] row) {
        int[] counts = Arrays.stream(row)
                .map(sw -> siblings.uplinks(sw).length)
                .sorted()
                .toArray();
        int middle = counts[counts.length / 2];
        long equal = Arrays.stream(counts).filter(count -> count == middle).count();
        return 4 * equal >= 3L * counts.length ? middle : 0;
    }

    private TreeFault wrong(TreeFault.FaultType kind, int port) {
        return new TreeFault(kind, fabric.nodeOf(port), port, fabric.peer(port), Fabric.NONE, TreeFault.Move.NONE, 1);
    }

    /**
     * Adds cables within levels and over levels to the wrong cables, unless so many cables of a level deviate that
     * the tree is built this way. A cable that joins two separate parts is no fault.
     */
    private void findWrongLevels() {
        int[] cablesOfLevel = new int[top + 1];
        List<List<TreeFault>> byLevel = new ArrayList<>();
        IntStream.rangeClosed(0, top).forEach(any -> byLevel.add(new ArrayList<>()));
        for (int sw = 0; sw < level.length; sw++) {
            for (int i = 0; i < graph.ports[sw].length && level[sw] >= 0; i++) {
                int port = graph.ports[sw][i];
                int distance = level[graph.peers[sw][i]] - level[sw];
                cablesOfLevel[level[sw]]++;
                if (distance > 1) {
                    byLevel.get(level[sw]).add(wrong(TreeFault.FaultType.SKIPS_LEVEL, port));
                } else if (distance == 0 && port < fabric.peer(port)) {
                    byLevel.get(level[sw]).add(wrong(TreeFault.FaultType.WITHIN_LEVEL, port));
                }
            }
        }
        SeparateParts parts = SeparateParts.of(graph, level);
        byLevel.forEach(faults -> faults.removeIf(fault -> parts.areJoined(fault.sw(), fabric.nodeOf(fault.far()))));
        for (int rowLevel = 0; rowLevel <= top; rowLevel++) {
            if (byLevel.get(rowLevel).size() <= Math.max(1, MAX_FAULT_SHARE * cablesOfLevel[rowLevel])) {
                wrongCables.addAll(byLevel.get(rowLevel));
            }
        }
    }
}
