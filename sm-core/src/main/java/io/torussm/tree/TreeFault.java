package io.torussm.tree;

import io.torussm.fabric.Fabric;

/**
 * A fault of the cabling of a tree.
 *
 * @param kind kind of fault
 * @param sw switch of the fault; for a cable, the switch at {@code port}
 * @param port port index at one end of a wrong cable, at the lower switch if levels differ; for a missing cable,
 *     the port of {@code sw} that lacks the cable; {@link Fabric#NONE} if it is unknown
 * @param far port index at the other end of a wrong cable; for a missing cable, the port at which it should end;
 *     {@link Fabric#NONE} if it is unknown
 * @param targetSwitch switch to which a missing cable should lead; {@link Fabric#NONE} if it is unknown, and for other
 *     faults
 * @param move correction of a wrong cable; {@link Move#NONE} if it is unknown, and for other faults
 * @param count number of missing cables to {@code targetSwitch}, or of hosts on a switch above the leaves; otherwise 1
 */
public record TreeFault(FaultType kind, int sw, int port, int far, int targetSwitch, Move move, int count) {
    /** Kinds of faults. */
    public enum FaultType {
        /** A cable joins two switches of the same level. */
        WITHIN_LEVEL,
        /** A cable joins switches whose levels are two or more apart. */
        SKIPS_LEVEL,
        /**
         * A cable leads up to a switch to which no similar switch has a cable, and a cable to another switch is
         * missing.
         */
        WRONG_SWITCH,
        /** A switch above the leaves has hosts other than aggregation nodes. */
        HOSTS_ABOVE,
        /** A switch has fewer cables up than similar switches. */
        MISSING_UPLINK;

        /** Checks whether a fault of this kind is a cable that joins the wrong ports. */
        public boolean isWrongCable() {
            return this == WITHIN_LEVEL || this == SKIPS_LEVEL || this == WRONG_SWITCH;
        }
    }

    /**
     * The probable correction of a wrong cable.
     *
     * @param end port index of the end that stays; {@link Fabric#NONE} if no correction is known
     * @param to port index to which the other end belongs; {@link Fabric#NONE} if only the switch is known
     * @param toSwitch switch to which the other end belongs
     * @param exchanged port index at an end of another wrong cable with which this cable is exchanged; {@link
     *     Fabric#NONE} if no cable is exchanged
     */
    public record Move(int end, int to, int toSwitch, int exchanged) {
        /** No correction is known. */
        public static final Move NONE = new Move(Fabric.NONE, Fabric.NONE, Fabric.NONE, Fabric.NONE);
    }
}
