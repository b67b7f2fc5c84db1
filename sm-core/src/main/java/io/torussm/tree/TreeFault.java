package io.torussm.tree;

import io.torussm.fabric.Fabric;

/**
 * A fault of the cabling of a tree.
 *
 * @param kind kind of fault
 * @param sw the switch that is concerned: of a cable, the one at {@code port}
 * @param port port index at one end of a wrong cable, the lower one if there is one; of a missing cable, the port of
 *     {@code sw} that lacks it; {@link Fabric#NONE} if it is not known
 * @param far port index at the other end of a wrong cable; of a missing one, the port where it should end; {@link
 *     Fabric#NONE} if it is not known
 * @param wanted for a missing cable, the switch that it should lead to; {@link Fabric#NONE} if it is not known
 * @param move for a wrong cable, its probable place
 * @param count count of missing cables to {@code wanted}, of hosts above the leaves; else 1
 */
public record TreeFault(FaultType kind, int sw, int port, int far, int wanted, Move move, int count) {
    /** Kinds of faults. */
    public enum FaultType {
        /** A cable joins two switches of the same level. */
        WITHIN_LEVEL,
        /** A cable joins switches whose levels are two or more apart. */
        SKIPS_LEVEL,
        /** A cable leads up to a switch that no similar switch has a cable to, and one to another switch is missing. */
        WRONG_SWITCH,
        /** A switch above the leaves has hosts, aggregation nodes apart. */
        HOSTS_ABOVE,
        /** A switch has fewer cables up than others like it. */
        MISSING_UPLINK;

        /** Checks whether a fault of this kind is a cable that joins the wrong ports. */
        public boolean isWrongCable() {
            return this == WITHIN_LEVEL || this == SKIPS_LEVEL || this == WRONG_SWITCH;
        }
    }

    /**
     * How a wrong cable was probably meant.
     *
     * @param end port index of the end that is right; {@link Fabric#NONE} if nothing is known
     * @param to port index where the other end belongs; {@link Fabric#NONE} if only the switch is known
     * @param toSwitch switch where the other end belongs
     * @param exchanged port index at an end of another wrong cable: the two are exchanged; {@link Fabric#NONE} if there
     *     is none
     */
    public record Move(int end, int to, int toSwitch, int exchanged) {
        /** Nothing is known. */
        public static final Move NONE = new Move(Fabric.NONE, Fabric.NONE, Fabric.NONE, Fabric.NONE);
    }
}
