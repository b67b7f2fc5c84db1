package io.torussm.tree;

import io.torussm.fabric.Fabric;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * The siblings of each switch: the switches of its level with cables to the same switches above. If most
 * siblings have a cable, the switch should have it, too.
 */
final class SiblingSwitches {
    private final SwitchGraph graph;
    private final Fabric fabric;
    /** The level by switch. */
    private final int[] level;

    /** {@code [switch]}: port indexes of cables to the next higher level. */
    private final int[][] up;

    SiblingSwitches(SwitchGraph graph, int[] level) {
        this.graph = graph;
        this.fabric = graph.fabric;
        this.level = level;
        up = new int[level.length][];
        for (int sw = 0; sw < level.length; sw++) {
            int own = sw;
            up[sw] = IntStream.range(0, graph.ports[sw].length)
                    .filter(i -> level[own] >= 0 && level[graph.peers[own][i]] == level[own] + 1)
                    .map(i -> graph.ports[own][i])
                    .toArray();
        }
    }

    /** Returns the port indexes of a switch whose cables lead to the next higher level. */
    int[] uplinks(int sw) {
        return up[sw];
    }

    /**
     * The difference between the cables up of a switch and those of its siblings.
     *
     * @param isKnown true if the switch has siblings
     * @param missing cables that most siblings have and the switch lacks
     * @param extra port indexes of cables that most siblings do not have
     */
    record SiblingDifference(boolean isKnown, List<MissingCable> missing, List<Integer> extra) {}

    /** Returns the difference between a switch and its siblings. */
    SiblingDifference difference(int sw) {
        List<Integer> alike = siblings(sw);
        if (alike.isEmpty()) {
            return new SiblingDifference(false, List.of(), List.of());
        }
        Map<Integer, Integer> own = targets(sw);
        List<Map<Integer, Integer>> siblingTargets =
                alike.stream().map(this::targets).toList();
        TreeSet<Integer> uppers = new TreeSet<>(own.keySet());
        siblingTargets.forEach(targets -> uppers.addAll(targets.keySet()));
        List<MissingCable> missing = new ArrayList<>();
        List<Integer> extra = new ArrayList<>();
        for (int upper : uppers) {
            int has = own.getOrDefault(upper, 0);
            int wants = mode(siblingTargets, upper, has);
            if (wants > has) {
                missing.addAll(missing(sw, upper, wants - has, alike));
            } else if (wants < has) {
                extra.addAll(surplusCables(sw, upper, has - wants, alike));
            }
        }
        return new SiblingDifference(true, missing, extra);
    }

    /**
     * Returns the siblings of a switch: the switches of its level that share more than half of the switches above;
     * without such switches, those that share exactly half.
     */
    private List<Integer> siblings(int sw) {
        Map<Integer, Integer> common = new HashMap<>();
        int[] uppers = targets(sw).keySet().stream().mapToInt(upper -> upper).toArray();
        for (int upper : uppers) {
            Arrays.stream(graph.peers[upper])
                    .filter(other -> other != sw && level[other] == level[sw])
                    .distinct()
                    .forEach(other -> common.merge(other, 1, Integer::sum));
        }
        List<Integer> similar = common.keySet().stream()
                .filter(other -> 2 * common.getOrDefault(other, 0) > uppers.length)
                .sorted()
                .toList();
        return similar.isEmpty()
                ? common.keySet().stream()
                        .filter(other -> 2 * common.getOrDefault(other, 0) == uppers.length)
                        .sorted()
                        .toList()
                : similar;
    }

    /** Returns the number of cables of a switch to each switch above, by switch. */
    private Map<Integer, Integer> targets(int sw) {
        Map<Integer, Integer> targets = new HashMap<>();
        for (int port : up[sw]) {
            targets.merge(target(port), 1, Integer::sum);
        }
        return targets;
    }

    private int target(int port) {
        return fabric.nodeOf(fabric.peer(port));
    }

    /**
     * Returns the most frequent number of cables of siblings to a switch above. Of equally frequent numbers, it is
     * that of the switch itself if it is among them, otherwise the largest.
     *
     * @param own number of cables of the switch itself
     */
    private static int mode(List<Map<Integer, Integer>> siblingTargets, int upper, int own) {
        Map<Integer, Integer> frequency = new HashMap<>();
        siblingTargets.forEach(targets -> frequency.merge(targets.getOrDefault(upper, 0), 1, Integer::sum));
        int max = frequency.values().stream().mapToInt(count -> count).max().orElse(0);
        return frequency.getOrDefault(own, 0) == max
                ? own
                : frequency.keySet().stream()
                        .filter(count -> frequency.getOrDefault(count, 0) == max)
                        .mapToInt(count -> count)
                        .max()
                        .orElse(own);
    }

    private List<MissingCable> missing(int sw, int upper, int count, List<Integer> alike) {
        int[] near = usualPorts(sw, upper, alike);
        int[] far = farPorts(sw, upper);
        return IntStream.range(0, count)
                .mapToObj(i -> new MissingCable(
                        sw, i < near.length ? near[i] : Fabric.NONE, upper, i < far.length ? far[i] : Fabric.NONE))
                .toList();
    }

    /**
     * Returns the ports of a switch without a cable to a switch above, although most siblings have one at the same
     * port number.
     */
    private int[] usualPorts(int sw, int upper, List<Integer> alike) {
        int[] votes = new int[fabric.numPorts(sw) + 1];
        for (int other : alike) {
            for (int port : up[other]) {
                if (target(port) == upper && fabric.portNum(port) < votes.length) {
                    votes[fabric.portNum(port)]++;
                }
            }
        }
        return IntStream.range(1, votes.length)
                .filter(portNum -> 2 * votes[portNum] > alike.size())
                .map(portNum -> fabric.port(sw, portNum))
                .filter(port -> fabric.peer(port) == Fabric.NONE || !leadsTo(port, upper))
                .toArray();
    }

    private boolean leadsTo(int port, int sw) {
        return fabric.nodeOf(fabric.peer(port)) == sw;
    }

    /**
     * Returns the ports of an upper switch to which a cable of a lower switch most probably belongs. They have the
     * port number that the lower switch uses at most of its other switches above. Without such a number, it is the
     * only port without a cable. Ports with a correct cable are excluded.
     */
    private int[] farPorts(int sw, int upper) {
        int[] votes = new int[fabric.numPorts(upper) + 1];
        long others = Arrays.stream(up[sw])
                .map(this::target)
                .filter(target -> target != upper)
                .distinct()
                .count();
        for (int port : up[sw]) {
            int far = fabric.peer(port);
            if (target(port) != upper && fabric.portNum(far) < votes.length) {
                votes[fabric.portNum(far)]++;
            }
        }
        int[] voted = IntStream.range(1, votes.length)
                .filter(portNum -> 2L * votes[portNum] > others)
                .map(portNum -> fabric.port(upper, portNum))
                .filter(port -> !isCorrect(port))
                .toArray();
        if (voted.length > 0) {
            return voted;
        }
        int[] free = IntStream.rangeClosed(1, fabric.numPorts(upper))
                .map(portNum -> fabric.port(upper, portNum))
                .filter(port -> fabric.peer(port) == Fabric.NONE)
                .toArray();
        return free.length == 1 ? free : new int[0];
    }

    /** Checks whether a port has a correct cable: it joins neighbouring levels, or leads to a host. */
    private boolean isCorrect(int port) {
        int far = fabric.peer(port);
        if (far == Fabric.NONE) {
            return false;
        }
        int other = fabric.nodeOf(far);
        return !fabric.isSwitch(other) || Math.abs(level[other] - level[fabric.nodeOf(port)]) == 1;
    }

    /**
     * Returns the surplus cables to an upper switch, by port index. Cables at ports that siblings use for another
     * switch come first.
     */
    private List<Integer> surplusCables(int sw, int upper, int count, List<Integer> alike) {
        return Arrays.stream(up[sw])
                .filter(port -> target(port) == upper)
                .boxed()
                .sorted((a, b) -> Long.compare(usedFor(b, upper, alike), usedFor(a, upper, alike)))
                .limit(count)
                .toList();
    }

    /** Returns the number of siblings that use the same port number for another upper switch. */
    private long usedFor(int port, int upper, List<Integer> alike) {
        return alike.stream()
                .flatMapToInt(other -> Arrays.stream(up[other]))
                .filter(siblingPort ->
                        fabric.portNum(siblingPort) == fabric.portNum(port) && target(siblingPort) != upper)
                .count();
    }
}
