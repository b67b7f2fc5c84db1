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
 * A fabric as a tree: the level, group and number of each switch, the direction of each cable, and the faults of
 * the cabling. If the fabric is no tree, only its shape is known. Immutable. Switches and ports are indexes of
 * {@link #fabric}.
 */
public final class FabricTree {
    /** The level of a switch that no cable connects to the tree, and of all switches of a fabric that is no tree. */
    public static final int NO_LEVEL = -1;

    private final SwitchGraph graph;
    private final boolean isTree;
    private final double confidence;
    /** By switch: level, group and number in the level; {@link #NO_LEVEL} without a value. */
    private final int[] level;

    private final int[] group;
    private final int[] number;
    private final List<TreeFault> faults;
    private final int[] missingUplinks;
    private final Set<Long> roots;
    private final Map<Long, TreePlace> previousPlaces;

    /** Computed at the first use, by any thread; all threads compute the same value. */
    private volatile @Nullable FabricShape shape;

    private volatile @Nullable WholeShape wholeShape;

    /** The direction of a cable, seen from one of its ends. */
    public enum Direction {
        /** To a host or an aggregation node, or no cable. */
        NONE,
        /** To the next higher level. */
        UP,
        /** To the next lower level. */
        DOWN,
        /** To a switch of the same level, or over a level. */
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
        missingUplinks = other.missingUplinks;
        roots = other.roots;
        previousPlaces = other.previousPlaces;
    }

    /** @param isNamed true if the operator names roots, or a previous tree contains some of its switches */
    private FabricTree(
            SwitchGraph graph, TreeLevels levels, boolean isNamed, Set<Long> roots, Map<Long, TreePlace> previous) {
        this.graph = graph;
        this.roots = Collections.unmodifiableSet(new LinkedHashSet<>(roots));
        this.previousPlaces = Collections.unmodifiableMap(new LinkedHashMap<>(previous));
        confidence = Math.max(0, 1 - levels.wrongShare() - levels.hostsAboveShare());
        isTree = graph.size() > 0
                && levels.isTree()
                && (graph.size() == 1 || graph.cables() > 0)
                && (isNamed || !isGrid(graph, levels.levels()));
        level = levels.levels().clone();
        if (!isTree) {
            Arrays.fill(level, NO_LEVEL);
        }
        group = TreeGroups.of(graph, level);
        number = TreeNumbers.of(graph.fabric, level, previous);
        TreeCabling cabling = new TreeCabling(graph, level);
        faults = isTree ? cabling.faults() : List.of();
        missingUplinks = isTree ? cabling.missing() : new int[level.length];
    }

    /**
     * The remembered place of a switch, which stays while other switches are lost.
     *
     * @param level 0 for leaves
     * @param number number among the switches of its level; {@link #NO_LEVEL} if it is unknown
     */
    public record TreePlace(int level, int number) {}

    /** The shape of the graph with lost cables. */
    private record WholeShape(List<List<Long>> lost, FabricShape shape) {}

    /** Returns the tree of a fabric without roots and previous places. */
    public static FabricTree of(Fabric fabric) {
        return of(fabric, Set.of(), Map.of());
    }

    /**
     * Returns the tree of a fabric.
     *
     * @param roots GUIDs of switches at the top or of their hosts, see {@link NamedSwitches}; may be incomplete or
     *     name absent ones
     * @param previous places by node GUID from a time when the tree was complete; may be empty
     */
    public static FabricTree of(Fabric fabric, Set<Long> roots, Map<Long, TreePlace> previous) {
        SwitchGraph graph = new SwitchGraph(fabric);
        Map<Long, Integer> levels = new HashMap<>();
        previous.forEach((guid, known) -> levels.put(guid, known.level));
        BitSet top = top(fabric, roots);
        boolean isNamed = !top.isEmpty()
                || IntStream.range(0, graph.size()).mapToLong(fabric::nodeGuid).anyMatch(previous::containsKey);
        return new FabricTree(graph, TreeLevels.best(graph, top, levels), isNamed, roots, previous);
    }

    /**
     * Checks whether a graph with levels is a line, a grid or a cube rather than a tree. A grid of even rings that
     * is partly without hosts has levels, too. Such a graph is a tree only if at least half of its leaves have
     * hosts, and each other switch at most half as many hosts as the switch with the most. It must also have at most
     * two levels, or be a line with hosts on at least two leaves.
     */
    private static boolean isGrid(SwitchGraph graph, int[] level) {
        int[] leaves =
                IntStream.range(0, level.length).filter(sw -> level[sw] == 0).toArray();
        long used = Arrays.stream(leaves).filter(sw -> graph.hosts[sw] > 0).count();
        boolean hasHostsOfTree = 2 * used >= leaves.length
                && IntStream.range(0, level.length)
                        .allMatch(sw -> level[sw] == 0 || 2 * graph.hosts[sw] <= graph.maxHosts());
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
     * Returns the tree of a later state of the fabric. Switches keep level and number, unless the roots change.
     *
     * @param newer roots as for {@link #of(Fabric, Set, Map)}
     */
    public FabricTree after(Fabric currentFabric, Set<Long> newer) {
        return of(currentFabric, newer, newer.equals(roots) ? places() : Map.of());
    }

    /**
     * Returns this tree without faults that only result from lost cables: a correct cable does not become wrong when
     * other cables are lost.
     *
     * @param lost one end of each lost cable by its other end; ends at absent switches are ignored
     * @param earlier previous tree of the same subnet; null at the first discovery
     */
    public FabricTree withoutFaultsFromLosses(Map<NodePort, NodePort> lost, @Nullable FabricTree earlier) {
        if (faults.stream().noneMatch(fault -> fault.kind().isWrongCable())) {
            return this;
        }
        Fabric wholeFabric = restoredFabric(lost);
        Set<Integer> wrong = new HashSet<>();
        new TreeCabling(new SwitchGraph(wholeFabric), level).faults().forEach(fault -> wrong.add(fault.port()));
        return new FabricTree(
                this,
                faults.stream()
                        .filter(fault -> !fault.kind().isWrongCable()
                                || wrong.contains(fault.port())
                                || (earlier != null && !earlier.hasCorrectCable(graph.fabric, fault)))
                        .toList());
    }

    private Fabric restoredFabric(Map<NodePort, NodePort> lost) {
        FabricBuilder builder = FabricBuilder.of(graph.fabric);
        lost.forEach((near, far) -> {
            if (isFree(near) && isFree(far)) {
                builder.link(near.nodeGuid(), near.portNum(), far.nodeGuid(), far.portNum());
            }
        });
        return builder.build();
    }

    /** Checks whether a port of a switch exists and has no cable. */
    private boolean isFree(NodePort end) {
        int sw = graph.fabric.nodeByGuid(end.nodeGuid());
        return sw != Fabric.NONE
                && graph.fabric.isSwitch(sw)
                && end.portNum() <= graph.fabric.numPorts(sw)
                && graph.fabric.peer(graph.fabric.port(sw, end.portNum())) == Fabric.NONE;
    }

    /** Checks whether this tree has a cable of another fabric at the same ports, which is not wrong. */
    private boolean hasCorrectCable(Fabric other, TreeFault fault) {
        int sw = graph.fabric.nodeByGuid(other.nodeGuid(fault.sw()));
        int portNum = other.portNum(fault.port());
        int port =
                sw == Fabric.NONE || portNum > graph.fabric.numPorts(sw) ? Fabric.NONE : graph.fabric.port(sw, portNum);
        int far = port == Fabric.NONE ? Fabric.NONE : graph.fabric.peer(port);
        return far != Fabric.NONE
                && graph.fabric.nodePort(far).equals(other.nodePort(fault.far()))
                && faults.stream().noneMatch(known -> known.kind().isWrongCable() && known.port() == port);
    }

    /** Returns the GUIDs that the operator names as roots, also of absent devices. */
    public Set<Long> roots() {
        return roots;
    }

    /** Checks whether a node is an aggregation node, which reduces data within switches (SHARP), and no host. */
    public static boolean isAggregationNode(Fabric fabric, int node) {
        return !fabric.isSwitch(node) && !SwitchGraph.isHost(fabric, fabric.port(node, 0));
    }

    /** Returns the fabric of this tree. */
    public Fabric fabric() {
        return graph.fabric;
    }

    /** Returns the kind of graph. If it is no tree, the first call costs a search from each of up to 4,096 switches. */
    public FabricShape shape() {
        FabricShape computed = shape;
        if (computed == null) {
            computed =
                    isTree ? FabricShape.TREE : ShapeNames.of(graph, List.of()).shape();
            shape = computed;
        }
        return computed;
    }

    /**
     * Returns the kind of graph before cables were lost. The first call for a list of cables costs as much as {@link
     * #shape}.
     *
     * @param lost cables by the node GUIDs of their two switches, which may be lost, too
     */
    public FabricShape shapeWith(List<List<Long>> lost) {
        WholeShape computed = wholeShape;
        if (computed == null || !computed.lost.equals(lost)) {
            computed = new WholeShape(lost, ShapeNames.of(graph, lost).shape());
            wholeShape = computed;
        }
        return computed.shape;
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
     * Returns the share of cables and hosts that agree with the levels, 0 to 1, also if it is too small for a tree.
     */
    public double confidence() {
        return confidence;
    }

    /** Returns the number of levels; 0 if the fabric is no tree. */
    public int levels() {
        return Arrays.stream(level).max().orElse(NO_LEVEL) + 1;
    }

    /** Returns the level of a switch: 0 for leaves, {@link #NO_LEVEL} without one. */
    public int level(int sw) {
        return level[sw];
    }

    /** Returns the previous level of a switch by its node GUID; {@link #NO_LEVEL} without one. */
    int previousLevel(long nodeGuid) {
        TreePlace known = previousPlaces.get(nodeGuid);
        return known == null || !isTree ? NO_LEVEL : known.level;
    }

    /** Returns the switches of a level, in ascending order of their numbers. */
    public int[] switchesAt(int wanted) {
        return IntStream.range(0, level.length)
                .filter(sw -> level[sw] == wanted)
                .boxed()
                .sorted((a, b) -> Integer.compare(number[a], number[b]))
                .mapToInt(sw -> sw)
                .toArray();
    }

    /** Returns the switches of the lowest level. */
    public int[] leaves() {
        return switchesAt(0);
    }

    /** Returns the switches of the highest level; of a tree of one level, its leaves. */
    public int[] spines() {
        return isTree() ? switchesAt(levels() - 1) : new int[0];
    }

    /** Returns the group (pod) of a switch, from 0; {@link #NO_LEVEL} for spines and for switches without a level. */
    public int group(int sw) {
        return group[sw];
    }

    /** Returns the number of groups: parts that only spines connect. */
    public int groups() {
        return Arrays.stream(group).max().orElse(NO_LEVEL) + 1;
    }

    /**
     * Returns the number of a switch in its level, which stays while other switches are lost; {@link #NO_LEVEL}
     * without one.
     */
    public int number(int sw) {
        return number[sw];
    }

    /** Returns the place of a switch for operators, such as "leaf 12" or "spine 3"; empty without a level. */
    public String place(int sw) {
        if (level[sw] == NO_LEVEL) {
            return "";
        }
        return levelName(level[sw]) + " " + number[sw];
    }

    /** Returns the place of the switch with a node GUID, which may be absent; empty without a place. */
    public String place(long nodeGuid) {
        int node = graph.fabric.nodeByGuid(nodeGuid);
        if (node != Fabric.NONE) {
            return graph.fabric.isSwitch(node) ? place(node) : "";
        }
        TreePlace absent = previousPlaces.get(nodeGuid);
        if (absent == null || !isTree) {
            return "";
        }
        return levelName(absent.level) + (absent.number == NO_LEVEL ? "" : " " + absent.number);
    }

    /**
     * Returns the word for the switches of a level: "leaf", "spine", or "middle" between both; with more than
     * three levels "level1".
     */
    public String levelName(int levelIndex) {
        if (levelIndex == 0) {
            return "leaf";
        }
        if (levelIndex == levels() - 1) {
            return "spine";
        }
        return levels() == 3 ? "middle" : "level" + levelIndex;
    }

    /** Returns the direction of the cable at a port index, seen from this port. */
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

    /** Returns the number of cables of a switch to the next higher level. */
    public int uplinks(int sw) {
        return count(sw, Direction.UP);
    }

    /** Returns the number of cables of a switch to the next lower level. */
    public int downlinks(int sw) {
        return count(sw, Direction.DOWN);
    }

    private int count(int sw, Direction direction) {
        return (int) Arrays.stream(graph.ports[sw])
                .filter(port -> direction(port) == direction)
                .count();
    }

    /** Returns the number of cables to the next higher level that similar switches have and this switch lacks. */
    public int missingUplinks(int sw) {
        return missingUplinks[sw];
    }

    /** Returns the number of hosts on a switch, without aggregation nodes. */
    public int hosts(int sw) {
        return graph.hosts[sw];
    }

    /**
     * Returns the ratio of cables down (to hosts too) to cables up; infinite or NaN without a cable up, 0 for
     * spines.
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

    /** Returns the places of switches by node GUID, with the remembered places of absent switches. */
    public Map<Long, TreePlace> places() {
        Map<Long, TreePlace> known = new HashMap<>(previousPlaces);
        for (int sw = 0; sw < level.length; sw++) {
            if (level[sw] != NO_LEVEL) {
                known.put(graph.fabric.nodeGuid(sw), new TreePlace(level[sw], number[sw]));
            }
        }
        return known;
    }

    /** Checks whether another tree has the same levels and numbers in the same fabric. */
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
