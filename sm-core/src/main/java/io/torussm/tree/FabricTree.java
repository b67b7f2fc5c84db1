package io.torussm.tree;

import io.torussm.fabric.Fabric;
import io.torussm.fabric.FabricBuilder;
import io.torussm.fabric.NodePort;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A fabric as a tree: the level, group and number of each switch, the direction of each cable, and the faults
 * of the cabling. Of a fabric that is no tree it says the shape alone. Immutable. Switches and ports have the
 * indexes of the fabric that it was made of.
 */
public final class FabricTree {
    /** The level of a switch that no cable connects to the tree, and of all switches of a fabric that is no tree. */
    public static final int NO_LEVEL = -1;

    private final SwitchGraph graph;
    private final boolean isTree;
    private final double confidence;
    private final int[] level;
    private final int[] group;
    private final int[] number;
    private final List<TreeFault> faults;
    private final int[] missing;
    private final Set<Long> roots;
    private final Map<Long, Known> before;

    /** Found when it is first asked for, by any thread: all find the same. */
    private volatile @Nullable FabricShape shape;

    private volatile @Nullable WholeShape whole;

    /** Where a cable leads, seen from one of its ends. */
    public enum Direction {
        /** To a host, to an aggregation node, or nowhere. */
        NONE,
        /** To the next higher level. */
        UP,
        /** To the next lower level. */
        DOWN,
        /** To a switch of the same level, or further than to the next one. */
        WRONG
    }

    private FabricTree(FabricTree other, List<TreeFault> faults) {
        graph = other.graph;
        isTree = other.isTree;
        confidence = other.confidence;
        level = other.level;
        group = other.group;
        number = other.number;
        this.faults = List.copyOf(faults);
        missing = other.missing;
        roots = other.roots;
        before = other.before;
    }

    /** @param isNamed true if the operator or an earlier look at the fabric says that it is a tree */
    private FabricTree(
            SwitchGraph graph, TreeLevels levels, boolean isNamed, Set<Long> roots, Map<Long, Known> previous) {
        this.graph = graph;
        this.roots = Collections.unmodifiableSet(new LinkedHashSet<>(roots));
        this.before = Collections.unmodifiableMap(new LinkedHashMap<>(previous));
        confidence = Math.max(0, 1 - levels.wrong() - levels.above());
        isTree = graph.size() > 0
                && levels.isTree()
                && (graph.size() == 1 || graph.cables() > 0)
                && (isNamed || !isGridRather(graph, levels.levels()));
        level = levels.levels().clone();
        if (!isTree) {
            Arrays.fill(level, NO_LEVEL);
        }
        group = TreeGroups.of(graph, level);
        number = TreeNumbers.of(graph.fabric, level, previous);
        TreeCabling cabling = new TreeCabling(graph, level);
        faults = isTree ? cabling.faults() : List.of();
        missing = isTree ? cabling.missing() : new int[level.length];
    }

    /**
     * The remembered place of a switch, which stays while others are lost.
     *
     * @param level 0 for leaves
     * @param number among the switches of its level; {@link #NO_LEVEL} if it is not known
     */
    public record Known(int level, int number) {}

    /** The shape of the graph with lost cables. */
    private record WholeShape(List<List<Long>> lost, FabricShape shape) {}

    /** Returns the tree of a fabric of which nothing else is known. */
    public static FabricTree of(Fabric fabric) {
        return of(fabric, Set.of(), Map.of());
    }

    /**
     * Returns the tree of a fabric.
     *
     * @param roots GUIDs that stand for switches at the top, see {@link NamedSwitches}; may be empty, lack
     *     some or name absent ones
     * @param previous places by node GUID from a time when the tree was complete; may be empty
     */
    public static FabricTree of(Fabric fabric, Set<Long> roots, Map<Long, Known> previous) {
        SwitchGraph graph = new SwitchGraph(fabric);
        Map<Long, Integer> levels = new HashMap<>();
        previous.forEach((guid, known) -> levels.put(guid, known.level));
        BitSet top = top(fabric, roots);
        boolean isNamed = !top.isEmpty()
                || IntStream.range(0, graph.size()).mapToLong(fabric::nodeGuid).anyMatch(previous::containsKey);
        return new FabricTree(graph, TreeLevels.best(graph, top, levels), isNamed, roots, previous);
    }

    /**
     * Checks whether a graph whose cables suit a tree is rather a line, a grid or a cube. A grid of even rings
     * of which few hosts are up has levels, too. It is a tree if half of its leaves have hosts and the switches
     * above have few, and if it has two levels, or is a line with hosts at two places or more.
     */
    private static boolean isGridRather(SwitchGraph graph, int[] level) {
        int[] leaves =
                IntStream.range(0, level.length).filter(sw -> level[sw] == 0).toArray();
        long used = Arrays.stream(leaves).filter(sw -> graph.hosts[sw] > 0).count();
        boolean hasHostsOfTree = 2 * used >= leaves.length
                && IntStream.range(0, level.length)
                        .allMatch(sw -> level[sw] == 0 || 2 * graph.hosts[sw] <= graph.mostHosts());
        boolean isFlat = Arrays.stream(level).max().orElse(0) < 2;
        ShapeNames names = ShapeNames.of(graph, List.of());
        return !(hasHostsOfTree && (isFlat || (used > 1 && names.isLine()))) && names.isGridOrCube();
    }

    private static BitSet top(Fabric fabric, Set<Long> roots) {
        BitSet top = new BitSet();
        if (!roots.isEmpty()) {
            NamedSwitches switches = new NamedSwitches(fabric);
            roots.forEach(guid -> switches.of(guid).forEach(top::set));
        }
        return top;
    }

    /**
     * Returns the tree of the same fabric as it is now. Switches keep level and number, unless the operator
     * names other roots.
     *
     * @param newer GUIDs that stand for switches at the top
     */
    public FabricTree after(Fabric currentFabric, Set<Long> newer) {
        return of(currentFabric, newer, newer.equals(roots) ? known() : Map.of());
    }

    /**
     * Returns this tree without the faults that only follow from lost cables. A cable that was right does
     * not become wrong when others are lost.
     *
     * @param lost both ends of each lost cable; absent switches are left out
     * @param earlier tree of the same subnet; null if this is the first look
     */
    public FabricTree lacking(Map<NodePort, NodePort> lost, @Nullable FabricTree earlier) {
        if (faults.stream().noneMatch(fault -> fault.kind().isWrongCable())) {
            return this;
        }
        Fabric wholeFabric = with(lost);
        Set<Integer> wrong = new HashSet<>();
        new TreeCabling(new SwitchGraph(wholeFabric), level).faults().forEach(fault -> wrong.add(fault.port()));
        return new FabricTree(
                this,
                faults.stream()
                        .filter(fault -> !fault.kind().isWrongCable()
                                || wrong.contains(fault.port())
                                || (earlier != null && !earlier.isRight(graph.fabric, fault)))
                        .toList());
    }

    private Fabric with(Map<NodePort, NodePort> lost) {
        FabricBuilder builder = FabricBuilder.of(graph.fabric);
        lost.forEach((near, far) -> {
            if (isFree(near) && isFree(far)) {
                builder.link(near.nodeGuid(), near.portNum(), far.nodeGuid(), far.portNum());
            }
        });
        return builder.build();
    }

    /** Checks whether there is such a port of a switch, without a cable. */
    private boolean isFree(NodePort end) {
        int sw = graph.fabric.nodeByGuid(end.nodeGuid());
        return sw != Fabric.NONE
                && graph.fabric.isSwitch(sw)
                && end.portNum() <= graph.fabric.numPorts(sw)
                && graph.fabric.peer(graph.fabric.port(sw, end.portNum())) == Fabric.NONE;
    }

    /** Checks whether a cable of another fabric was here at the same ports, and was not wrong. */
    private boolean isRight(Fabric other, TreeFault fault) {
        int sw = graph.fabric.nodeByGuid(other.nodeGuid(fault.sw()));
        int portNum = other.portNum(fault.port());
        int port =
                sw == Fabric.NONE || portNum > graph.fabric.numPorts(sw) ? Fabric.NONE : graph.fabric.port(sw, portNum);
        int far = port == Fabric.NONE ? Fabric.NONE : graph.fabric.peer(port);
        return far != Fabric.NONE
                && graph.fabric.nodePort(far).equals(other.nodePort(fault.far()))
                && faults.stream().noneMatch(each -> each.kind().isWrongCable() && each.port() == port);
    }

    /** Returns the GUIDs that stand for switches at the top as the operator says, also of absent ones. */
    public Set<Long> roots() {
        return roots;
    }

    /** Checks whether a node is one that reduces data within switches (SHARP), and no host. */
    public static boolean isAggregationNode(Fabric fabric, int node) {
        return !fabric.isSwitch(node) && !SwitchGraph.isHost(fabric, fabric.port(node, 0));
    }

    /** Returns the fabric that this is the tree of. */
    public Fabric fabric() {
        return graph.fabric;
    }

    /** Returns the kind of graph. If it is no tree, the first call costs a search from each of up to 4,096 switches. */
    public FabricShape shape() {
        FabricShape found = shape;
        if (found == null) {
            found = isTree ? FabricShape.TREE : ShapeNames.of(graph, List.of()).other();
            shape = found;
        }
        return found;
    }

    /**
     * Returns the kind of graph that an irregular one was before it lost cables. The first call for a list of cables
     * costs as much as that of {@link #shape}.
     *
     * @param lost cables by the node GUIDs of their two switches, which may be lost, too
     */
    public FabricShape shapeWith(List<List<Long>> lost) {
        WholeShape found = whole;
        if (found == null || !found.lost.equals(lost)) {
            found = new WholeShape(lost, ShapeNames.of(graph, lost).other());
            whole = found;
        }
        return found.shape;
    }

    /** Checks whether the fabric is a tree; if not there are no levels, no groups and no faults. */
    public boolean isTree() {
        return isTree;
    }

    /** Checks whether the fabric is a tree of at least two levels. */
    public boolean hasLevels() {
        return isTree && levels() > 1;
    }

    /**
     * Returns the share of cables and hosts that agree with the levels found, 0 to 1, also if those were too
     * few for a tree.
     */
    public double confidence() {
        return confidence;
    }

    /** Returns the number of levels; 0 if the fabric is no tree. */
    public int levels() {
        return Arrays.stream(level).max().orElse(NO_LEVEL) + 1;
    }

    /** Returns the level of a switch: 0 for leaves, {@link #NO_LEVEL} if it has none. */
    public int level(int sw) {
        return level[sw];
    }

    /** Returns the last level of an absent switch by its node GUID; {@link #NO_LEVEL} if it never had one. */
    int levelBefore(long nodeGuid) {
        Known known = before.get(nodeGuid);
        return known == null || !isTree ? NO_LEVEL : known.level;
    }

    /** Returns the switches of a level, in ascending order of their numbers. */
    public int[] at(int wanted) {
        return IntStream.range(0, level.length)
                .filter(sw -> level[sw] == wanted)
                .boxed()
                .sorted((a, b) -> Integer.compare(number[a], number[b]))
                .mapToInt(sw -> sw)
                .toArray();
    }

    /** Returns the switches of the lowest level. */
    public int[] leaves() {
        return at(0);
    }

    /** Returns the switches of the highest level; of a tree of one level, its leaves. */
    public int[] spines() {
        return isTree() ? at(levels() - 1) : new int[0];
    }

    /** Returns the group (pod) of a switch, from 0; {@link #NO_LEVEL} for spines and for switches without a level. */
    public int group(int sw) {
        return group[sw];
    }

    /** Returns the number of groups: of parts that are connected by spines alone. */
    public int groups() {
        return Arrays.stream(group).max().orElse(NO_LEVEL) + 1;
    }

    /**
     * Returns the number of a switch among those of its level; stays while others are lost; {@link #NO_LEVEL}
     * if it has none.
     */
    public int number(int sw) {
        return number[sw];
    }

    /** Returns the place of a switch for people, such as "leaf 12" or "spine 3"; empty if it has none. */
    public String place(int sw) {
        if (level[sw] == NO_LEVEL) {
            return "";
        }
        return levelName(level[sw]) + " " + number[sw];
    }

    /** Returns the place of the switch with a node GUID, also if it is absent now; empty if it never had one. */
    public String place(long nodeGuid) {
        int node = graph.fabric.nodeByGuid(nodeGuid);
        if (node != Fabric.NONE) {
            return graph.fabric.isSwitch(node) ? place(node) : "";
        }
        Known absent = before.get(nodeGuid);
        if (absent == null || !isTree) {
            return "";
        }
        return levelName(absent.level) + (absent.number == NO_LEVEL ? "" : " " + absent.number);
    }

    /**
     * Returns the word for the switches of a level: "leaf", "spine", or "middle" between both; with more than
     * three levels "level1".
     */
    public String levelName(int of) {
        if (of == 0) {
            return "leaf";
        }
        if (of == levels() - 1) {
            return "spine";
        }
        return levels() == 3 ? "middle" : "level" + of;
    }

    /** Returns the direction of the cable at a port index, seen from there. */
    public Direction direction(int port) {
        int node = graph.fabric.nodeOf(port);
        int far = graph.fabric.peer(port);
        int other = far == Fabric.NONE ? Fabric.NONE : graph.fabric.nodeOf(far);
        if (!isTree() || other == Fabric.NONE || !graph.fabric.isSwitch(node) || !graph.fabric.isSwitch(other)) {
            return Direction.NONE;
        }
        return switch (level[other] - level[node]) {
            case 1 -> Direction.UP;
            case -1 -> Direction.DOWN;
            default -> Direction.WRONG;
        };
    }

    /** Returns the cables of a switch to the next higher level. */
    public int uplinks(int sw) {
        return count(sw, Direction.UP);
    }

    /** Returns the cables of a switch to the next lower level. */
    public int downlinks(int sw) {
        return count(sw, Direction.DOWN);
    }

    private int count(int sw, Direction direction) {
        return (int) Arrays.stream(graph.ports[sw])
                .filter(port -> direction(port) == direction)
                .count();
    }

    /** Returns the cables to the next higher level that switches like this one have and it lacks. */
    public int missingUplinks(int sw) {
        return missing[sw];
    }

    /** Returns the hosts on a switch, without aggregation nodes. */
    public int hosts(int sw) {
        return graph.hosts[sw];
    }

    /**
     * Returns the cables that lead down from a switch, to hosts too, for each cable up; infinite without a
     * cable up, 0 for spines.
     */
    public double oversubscription(int sw) {
        if (level[sw] == NO_LEVEL || level[sw] == levels() - 1) {
            return 0;
        }
        return (double) (hosts(sw) + downlinks(sw)) / uplinks(sw);
    }

    /** Returns the number of cables between switches. */
    public int cables() {
        return graph.cables();
    }

    /** Returns the faults of the cabling, the wrong cables first. */
    public List<TreeFault> faults() {
        return faults;
    }

    /** Returns the places of the switches, by node GUID, together with the remembered places of absent ones. */
    public Map<Long, Known> known() {
        Map<Long, Known> known = new HashMap<>(before);
        for (int sw = 0; sw < level.length; sw++) {
            if (level[sw] != NO_LEVEL) {
                known.put(graph.fabric.nodeGuid(sw), new Known(level[sw], number[sw]));
            }
        }
        return known;
    }

    /** Checks whether the other has the same levels and numbers in the same fabric. */
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof FabricTree tree
                && tree.graph.fabric.equals(graph.fabric)
                && Arrays.equals(tree.level, level)
                && Arrays.equals(tree.number, number);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(level) + Arrays.hashCode(number);
    }
}
