package io.torussm.torus2qos.planning;

import io.torussm.fabric.Fabric;
import java.util.List;
import java.util.Optional;

/**
 * The changes of cables that turn a fabric into an intended torus. A switch is its index in the fabric.
 *
 * @param moves ends of cables to unplug, each with its new port; all must be unplugged before the first is
 *     plugged in
 * @param absent ports between which a cable must be laid
 * @param surplus cables that no pair of neighbours needs, each by the index of one of its ports
 * @param empty coordinates without a switch, such as {@code (2,1,0)}
 * @param unplaced switches without a position
 */
public record CablingPlan(
        List<Move> moves, List<Link> absent, List<Integer> surplus, List<String> empty, List<Integer> unplaced) {

    /** The port number of an end for which any free port of the switch can be used. */
    public static final int ANY_PORT = -1;

    public CablingPlan {
        moves = List.copyOf(moves);
        absent = List.copyOf(absent);
        surplus = List.copyOf(surplus);
        empty = List.copyOf(empty);
        unplaced = List.copyOf(unplaced);
    }

    /**
     * One end of a cable.
     *
     * @param place coordinates of the switch, such as {@code (2,1,0)}
     * @param portNum port number; {@link #ANY_PORT} if no free port of the switch is known
     */
    public record PlannedEnd(String place, int sw, int portNum) {
        /** Returns the name for operators. */
        public String name(Fabric fabric) {
            return place + " " + fabric.name(sw) + " port " + (portNum == ANY_PORT ? "(any free)" : portNum);
        }
    }

    /**
     * A move of one end of a cable.
     *
     * @param fixedEnd the other end; it may be moved by a separate move
     * @param oldEnd present port
     * @param newEnd new port
     */
    public record Move(PlannedEnd fixedEnd, PlannedEnd oldEnd, PlannedEnd newEnd) {}

    /** A cable to lay between two ends. */
    public record Link(PlannedEnd a, PlannedEnd b) {}

    /** Checks whether the fabric needs no changes. */
    public boolean isFulfilled() {
        return moves.isEmpty() && absent.isEmpty() && surplus.isEmpty() && empty.isEmpty() && unplaced.isEmpty();
    }

    /**
     * The outcome of a comparison.
     *
     * @param plan plan; empty if the fabric differs too much from the torus
     * @param reason reason why there is no plan; empty if there is a plan
     */
    public record ProposedCabling(Optional<CablingPlan> plan, String reason) {}

    /** Compares a fabric with an intended torus. */
    public static ProposedCabling compare(Fabric fabric, TorusShape intended) {
        TorusGraph graph = new TorusGraph(fabric);
        Optional<Embedding> embedding =
                graph.switchCount() < 2 ? Optional.empty() : new TorusRecognition(graph).best(intended);
        if (embedding.isEmpty()) {
            return new ProposedCabling(
                    Optional.empty(),
                    "no switch has lines of the lengths that a \"" + intended.confLine() + "\" has; is the size right? "
                            + "torus-sm suggest-conf shows the shape of the fabric");
        }
        if (Mismatch.isNoTorus(embedding.get())) {
            return new ProposedCabling(
                    Optional.empty(), Mismatch.describe(embedding.get()) + "; that is too much to tell cables to move");
        }
        return new ProposedCabling(
                Optional.of(new TorusCableMoves(new DirectionPorts(embedding.get()).oriented()).plan()), "");
    }
}
