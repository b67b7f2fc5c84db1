package io.torussm.torus2qos.planning;

import io.torussm.fabric.Fabric;
import java.util.List;
import java.util.Optional;

/**
 * The work on the cables of a fabric that turns it into an intended torus.
 *
 * @param moves ends of cables to unplug and where to plug them in; unplug all before plugging in any
 * @param absent ports between which a cable must be laid
 * @param surplus cables that join no neighbours and are needed nowhere, by one of their ports
 * @param empty positions without a switch
 * @param unplaced switches without a position
 */
public record CablingPlan(
        List<Move> moves, List<Link> absent, List<Integer> surplus, List<String> empty, List<Integer> unplaced) {

    /** The number of a port that has to be found yet. */
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
     * @param place place of the switch, such as {@code (2,1,0)}
     * @param portNum {@link #ANY_PORT} if the switch has no port to spare that is known
     */
    public record PlannedEnd(String place, int sw, int portNum) {
        /** Returns the name for operators. */
        public String name(Fabric fabric) {
            return place + " " + fabric.name(sw) + " port " + (portNum == ANY_PORT ? "(any free)" : portNum);
        }
    }

    /** An end of a cable that goes from one port to another; the other end stays where it is, or is moved as well. */
    public record Move(PlannedEnd stays, PlannedEnd from, PlannedEnd to) {}

    /** A cable between two ends. */
    public record Link(PlannedEnd a, PlannedEnd b) {}

    /** Checks whether the fabric needs no work. */
    public boolean isGood() {
        return moves.isEmpty() && absent.isEmpty() && surplus.isEmpty() && empty.isEmpty() && unplaced.isEmpty();
    }

    /**
     * The outcome of a comparison.
     *
     * @param plan empty if the fabric is too far from the torus
     * @param reason the reason why there is no plan; else empty
     */
    public record ProposedCabling(Optional<CablingPlan> plan, String reason) {}

    /** Compares a fabric with the torus that it should be. */
    public static ProposedCabling compare(Fabric fabric, TorusShape intended) {
        TorusGraph graph = new TorusGraph(fabric);
        Optional<Embedding> found =
                graph.switchCount() < 2 ? Optional.empty() : new TorusRecognition(graph).best(intended);
        if (found.isEmpty()) {
            return new ProposedCabling(
                    Optional.empty(),
                    "no switch has lines of the lengths that a \"" + intended.confLine() + "\" has; is the size right? "
                            + "torus-sm suggest-conf shows the shape of the fabric");
        }
        if (Mismatch.isNoTorus(found.get())) {
            return new ProposedCabling(
                    Optional.empty(), Mismatch.describe(found.get()) + "; that is too much to tell cables to move");
        }
        return new ProposedCabling(
                Optional.of(new TorusCableMoves(new DirectionPorts(found.get()).oriented()).plan()), "");
    }
}
