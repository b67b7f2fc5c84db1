package io.torussm.torus2qos.planning;

import io.torussm.fabric.Fabric;
import io.torussm.torus2qos.planning.CablingPlan.Link;
import io.torussm.torus2qos.planning.CablingPlan.Move;
import io.torussm.torus2qos.planning.CablingPlan.PlannedEnd;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The plan with the fewest moves of cable ends. A wanted cable takes one move if a spare cable already has an
 * end at one of its two switches, otherwise two. So wanted and spare cables are matched: a maximum bipartite
 * matching of pairs with a common switch.
 */
final class TorusCableMoves {
    private static final int NONE = -1;

    private final Embedding embedding;
    private final Fabric fabric;
    private final DirectionPorts directions;
    private final List<RequiredCable> requiredCables = new ArrayList<>();

    /**
     * Cables between placed switches that join no neighbours, or exceed the usual number of parallel cables; by the
     * lower of their two port indexes.
     */
    private final List<Integer> spareCables = new ArrayList<>();

    /** Cables that are needed nowhere, by one of their port indexes. */
    private final List<Integer> surplus = new ArrayList<>();

    /** Indexes of ports without a cable, or whose cable is removed. */
    private final BitSet freePorts = new BitSet();

    /**
     * A cable that is missing, from a switch in the plus direction of a dimension.
     *
     * @param from switch index
     * @param to index of its neighbour
     * @param d dimension
     */
    private record RequiredCable(int from, int to, int d) {
        private boolean touches(int sw) {
            return from == sw || to == sw;
        }

        private int otherSwitch(int sw) {
            return sw == from ? to : from;
        }
    }

    /**
     * A move whose new port is not yet known.
     *
     * @param fixedPort port index of the end that stays
     * @param from port index of the end that moves
     * @param required the cable that results from the move
     * @param target switch to which the end moves
     */
    private record Step(int fixedPort, int from, RequiredCable required, int target) {}

    TorusCableMoves(Embedding embedding) {
        this.embedding = embedding;
        fabric = embedding.graph().fabric();
        directions = new DirectionPorts(embedding);
        findRequiredCables();
        findSpareCables();
    }

    private void findRequiredCables() {
        int parallel = typicalParallel();
        for (int position = 0; position < embedding.shape().positions(); position++) {
            for (int d = 0; d < TorusShape.DIMENSIONS; d++) {
                int next = embedding.shape().step(position, d, 1);
                int from = embedding.switchAt(position);
                int to = next < 0 ? NONE : embedding.switchAt(next);
                if (from != NONE && to != NONE) {
                    int[] ports = embedding.graph().ports(from, to);
                    for (int i = ports.length; i < parallel; i++) {
                        requiredCables.add(new RequiredCable(from, to, d));
                    }
                    addExcessCables(from, ports, parallel, d);
                }
            }
        }
    }

    /** Returns the most frequent number of cables between two neighbours. */
    private int typicalParallel() {
        TreeMap<Integer, Integer> count = new TreeMap<>();
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            for (int neighbour : embedding.graph().neighbours(sw)) {
                if (embedding.joinsNeighbours(sw, neighbour)) {
                    count.merge(embedding.graph().ports(sw, neighbour).length, 1, Integer::sum);
                }
            }
        }
        return count.entrySet().stream()
                .reduce((a, b) -> b.getValue() > a.getValue() ? b : a)
                .map(Map.Entry::getKey)
                .orElse(1);
    }

    /**
     * Adds the cables between two neighbours beyond the usual number as spare cables, first those that are not on
     * the usual port.
     *
     * @param ports port numbers of {@code from} with cables to the neighbour
     * @param parallel usual number of parallel cables
     */
    private void addExcessCables(int from, int[] ports, int parallel, int d) {
        IntStream.of(ports)
                .boxed()
                .sorted((a, b) -> Boolean.compare(isMajorityPort(a, d, 1), isMajorityPort(b, d, 1)))
                .limit(Math.max(0, ports.length - parallel))
                .forEach(portNum -> addSpare(fabric.port(from, portNum)));
    }

    private boolean isMajorityPort(int portNum, int d, int sign) {
        return directions.majorityPort(d, sign) == portNum;
    }

    private void addSpare(int port) {
        spareCables.add(Math.min(port, fabric.peer(port)));
    }

    private void findSpareCables() {
        for (int sw = 0; sw < fabric.switchCount(); sw++) {
            embedding.graph().cables(sw).forEach(port -> {
                int far = fabric.peer(port);
                if (port < far && !embedding.joinsNeighbours(fabric.nodeOf(port), fabric.nodeOf(far))) {
                    boolean isPlaced = embedding.positionOf(fabric.nodeOf(port)) != NONE
                            && embedding.positionOf(fabric.nodeOf(far)) != NONE;
                    (isPlaced ? spareCables : surplus).add(port);
                }
            });
            for (int portNum = 1; portNum <= fabric.numPorts(sw); portNum++) {
                if (fabric.peer(fabric.port(sw, portNum)) == Fabric.NONE) {
                    freePorts.set(fabric.port(sw, portNum));
                }
            }
        }
    }

    /** Returns the plan of the moves. */
    CablingPlan plan() {
        int[] spareOf = match();
        List<Step> steps = new ArrayList<>();
        boolean[] isUsed = new boolean[spareCables.size()];
        for (int i = 0; i < spareOf.length; i++) {
            if (spareOf[i] != NONE) {
                isUsed[spareOf[i]] = true;
                steps.add(step(spareCables.get(spareOf[i]), requiredCables.get(i)));
            }
        }
        List<RequiredCable> unmatched = new ArrayList<>();
        int next = 0;
        for (int i = 0; i < spareOf.length; i++) {
            while (next < isUsed.length && isUsed[next]) {
                next++;
            }
            if (spareOf[i] == NONE && next < isUsed.length) {
                isUsed[next] = true;
                addBothEnds(spareCables.get(next), requiredCables.get(i), steps);
            } else if (spareOf[i] == NONE) {
                unmatched.add(requiredCables.get(i));
            }
        }
        IntStream.range(0, isUsed.length).filter(i -> !isUsed[i]).forEach(i -> surplus.add(spareCables.get(i)));
        surplus.forEach(port -> {
            freePorts.set(port);
            freePorts.set(fabric.peer(port));
        });
        steps.forEach(step -> freePorts.set(step.from));
        return new CablingPlan(moves(steps), absent(unmatched), surplus, emptyPositions(), unplaced());
    }

    /**
     * Returns by wanted cable the index of a spare cable with an end at one of its switches; {@link #NONE} if no
     * spare cable remains. Spare cables whose end is on the usual port are matched first, so that this end can stay.
     */
    private int[] match() {
        int[] spareOf = new int[requiredCables.size()];
        int[] wantedOf = new int[spareCables.size()];
        Arrays.fill(spareOf, NONE);
        Arrays.fill(wantedOf, NONE);
        for (boolean isUsualOnly : new boolean[] {true, false}) {
            for (int i = 0; i < spareOf.length; i++) {
                if (spareOf[i] == NONE) {
                    augment(i, isUsualOnly, new BitSet(), spareOf, wantedOf);
                }
            }
        }
        return spareOf;
    }

    /**
     * Assigns a spare cable to a wanted cable by an augmenting path: if necessary, other wanted cables change to
     * other spare cables. Returns false if this is impossible.
     *
     * @param i index of the wanted cable
     * @param seen spare cables that this search already tried
     */
    private boolean augment(int i, boolean isUsualOnly, BitSet seen, int[] spareOf, int[] wantedOf) {
        for (int j = 0; j < wantedOf.length; j++) {
            if (!seen.get(j) && canStay(requiredCables.get(i), spareCables.get(j), isUsualOnly)) {
                seen.set(j);
                if (wantedOf[j] == NONE || augment(wantedOf[j], isUsualOnly, seen, spareOf, wantedOf)) {
                    spareOf[i] = j;
                    wantedOf[j] = i;
                    return true;
                }
            }
        }
        return false;
    }

    private boolean canStay(RequiredCable link, int cable, boolean isUsualOnly) {
        return canStayAt(link, cable, isUsualOnly) || canStayAt(link, fabric.peer(cable), isUsualOnly);
    }

    /**
     * Checks whether the end of a spare cable at a port can stay as an end of a wanted cable.
     *
     * @param isUsualOnly true if the port must be the usual port of the direction
     */
    private boolean canStayAt(RequiredCable link, int port, boolean isUsualOnly) {
        int sw = fabric.nodeOf(port);
        return link.touches(sw)
                && (!isUsualOnly || isMajorityPort(fabric.portNum(port), link.d, sw == link.from ? 1 : -1));
    }

    private Step step(int cable, RequiredCable link) {
        int far = fabric.peer(cable);
        boolean isFar = canStayAt(link, far, true) || !canStayAt(link, cable, false);
        int stays = isFar && !canStayAt(link, cable, true) ? far : cable;
        return new Step(stays, fabric.peer(stays), link, link.otherSwitch(fabric.nodeOf(stays)));
    }

    /** Adds two moves that bring a spare cable to the switches of a wanted cable with which it shares no switch. */
    private void addBothEnds(int cable, RequiredCable link, List<Step> steps) {
        int far = fabric.peer(cable);
        steps.add(new Step(far, cable, link, link.from));
        steps.add(new Step(cable, far, link, link.to));
    }

    private List<Move> moves(List<Step> steps) {
        int[] targets = new int[steps.size()];
        Arrays.fill(targets, NONE);
        // The usual port is reserved for the cable that belongs there; other cables take the remaining ports.
        for (boolean isUsualOnly : new boolean[] {true, false}) {
            for (int i = 0; i < targets.length; i++) {
                if (targets[i] == NONE) {
                    targets[i] = takePort(steps.get(i).required, steps.get(i).target, isUsualOnly);
                }
            }
        }
        List<Move> moves = new ArrayList<>();
        for (int i = 0; i < targets.length; i++) {
            Step step = steps.get(i);
            moves.add(new Move(end(step.fixedPort), end(step.from), end(step.target, targets[i])));
        }
        return moves;
    }

    /**
     * Takes a free port of a switch for a wanted cable, the usual port if it is free.
     *
     * @param isUsualOnly true to take no other port
     * @return index of the port; {@link #NONE} if no port was taken
     */
    private int takePort(RequiredCable link, int sw, boolean isUsualOnly) {
        int usual = directions.majorityPort(link.d, sw == link.from ? 1 : -1);
        int first = fabric.port(sw, 1);
        int last = fabric.port(sw, fabric.numPorts(sw));
        int port = usual <= fabric.numPorts(sw) && freePorts.get(fabric.port(sw, usual))
                ? fabric.port(sw, usual)
                : isUsualOnly ? NONE : freePorts.nextSetBit(first);
        if (port == NONE || port > last) {
            return NONE;
        }
        freePorts.clear(port);
        return port;
    }

    private List<Link> absent(List<RequiredCable> unmatched) {
        return unmatched.stream()
                .map(link -> new Link(
                        end(link.from, takePort(link, link.from, false)), end(link.to, takePort(link, link.to, false))))
                .toList();
    }

    private PlannedEnd end(int port) {
        return end(fabric.nodeOf(port), port);
    }

    private PlannedEnd end(int sw, int port) {
        return new PlannedEnd(
                embedding.shape().formatPosition(embedding.positionOf(sw)),
                sw,
                port == NONE ? CablingPlan.ANY_PORT : fabric.portNum(port));
    }

    private List<String> emptyPositions() {
        return IntStream.range(0, embedding.shape().positions())
                .filter(position -> embedding.switchAt(position) == NONE)
                .mapToObj(embedding.shape()::formatPosition)
                .toList();
    }

    private List<Integer> unplaced() {
        return IntStream.range(0, fabric.switchCount())
                .filter(sw -> embedding.positionOf(sw) == NONE)
                .boxed()
                .toList();
    }
}
