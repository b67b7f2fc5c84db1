package io.torussm.tree;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/** The cables of a tree, compared with those that their regularity asks for. Immutable once made. */
final class TreeCabling {
    /** A larger share of such cables of a level is how the tree is built, and no fault. */
    private static final double BY_DESIGN = 0.15;

    private final SwitchGraph graph;
    private final Fabric fabric;
    private final int[] level;
    private final int top;
    private final SiblingSwitches siblings;
    private final List<MissingCable> lacking = new ArrayList<>();
    private final List<TreeFault> wrong = new ArrayList<>();

    /** Cables up that siblings lack, of switches that lack none: wrong only if they are exchanged with others. */
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
     * Returns the wrong cables with their probable mend, then hosts above leaves, then the missing cables by switch.
     */
    List<TreeFault> faults() {
        List<TreeFault> faults = new ArrayList<>(new CableMoves(fabric, wrong, suspects, lacking).meant());
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
        lacking.forEach(each -> faults.add(new TreeFault(
                TreeFault.FaultType.MISSING_UPLINK,
                each.sw(),
                each.port(),
                each.far(),
                each.wanted(),
                TreeFault.Move.NONE,
                1)));
        return List.copyOf(faults);
    }

    /** Returns the missing cables up by switch. */
    int[] missing() {
        int[] missing = new int[level.length];
        lacking.forEach(each -> missing[each.sw()]++);
        return missing;
    }

    private void compare(int at) {
        int[] row =
                IntStream.range(0, level.length).filter(sw -> level[sw] == at).toArray();
        List<MissingCable> rowLacks = new ArrayList<>();
        List<TreeFault> rowWrong = new ArrayList<>();
        List<TreeFault> rowSuspects = new ArrayList<>();
        int cables = 0;
        int usual = usualUplinks(row);
        for (int sw : row) {
            SiblingSwitches.Expected expected = siblings.expected(sw);
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
            int sure = Math.min(extra.size(), lacks.size());
            rowWrong.addAll(extra.subList(0, sure));
            rowSuspects.addAll(extra.subList(sure, extra.size()));
        }
        if (rowLacks.size() <= BY_DESIGN * (cables + rowLacks.size())) {
            lacking.addAll(rowLacks);
            wrong.addAll(rowWrong);
            suspects.addAll(rowSuspects.size() <= BY_DESIGN * cables ? rowSuspects : List.of());
        }
    }

    /** Returns how many cables up three quarters of switches have; 0 if there is no such number. */
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

    /** Finds cables within levels and over levels, unless so many of a level are such that it is built like that. */
    private void findWrongLevels() {
        int[] all = new int[top + 1];
        List<List<TreeFault>> byLevel = new ArrayList<>();
        IntStream.rangeClosed(0, top).forEach(any -> byLevel.add(new ArrayList<>()));
        for (int sw = 0; sw < level.length; sw++) {
            for (int i = 0; i < graph.ports[sw].length && level[sw] >= 0; i++) {
                int port = graph.ports[sw][i];
                int apart = level[graph.peers[sw][i]] - level[sw];
                all[level[sw]]++;
                if (apart > 1) {
                    byLevel.get(level[sw]).add(wrong(TreeFault.FaultType.SKIPS_LEVEL, port));
                } else if (apart == 0 && port < fabric.peer(port)) {
                    byLevel.get(level[sw]).add(wrong(TreeFault.FaultType.WITHIN_LEVEL, port));
                }
            }
        }
        SeparateParts parts = SeparateParts.of(graph, level);
        byLevel.forEach(each -> each.removeIf(fault -> parts.areJoined(fault.sw(), fabric.nodeOf(fault.far()))));
        for (int at = 0; at <= top; at++) {
            if (byLevel.get(at).size() <= Math.max(1, BY_DESIGN * all[at])) {
                wrong.addAll(byLevel.get(at));
            }
        }
    }
}
