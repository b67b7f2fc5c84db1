package io.torussm.sim.model;

import io.torussm.mad.vport.VPortModifier;

/**
 * The virtual ports of a port, and the variants of agents that no public source excludes. Immutable.
 *
 * @param count vports after power-up, with vport 0; 0 if the device has none
 * @param cap VPortCap, at least {@code count}
 * @param lids LIDs of vports other than vport 0; one that requires a LID rejects ARMED and ACTIVE without it
 * @param modifier place of vport and block in the AttributeModifier of GUID and P_Key tables
 * @param noVPort LIDByVPortIndex of a vport that uses the LID of the physical port
 * @param activation Sets that take a vport to ACTIVE
 * @param trap number of the trap for a changed vport; 0 for none
 * @param isEnabled VirtualizationEnable after power-up
 */
public record VPortModel(
        int count,
        int cap,
        VPortLids lids,
        VPortModifier modifier,
        int noVPort,
        VPortActivation activation,
        int trap,
        boolean isEnabled) {
    /** No vports. */
    public static final VPortModel NONE = new VPortModel(
            0, 0, VPortLids.SHARED, VPortModifier.VPORT_IN_UPPER_HALF, 0, VPortActivation.BY_ARMED, 0, false);

    /** LIDs of vports. */
    public enum VPortLids {
        /** That of the physical port. */
        SHARED,
        /** LIDRequired: each vport gets its own. */
        OWN,
        /** Each vport names the vport before it, which also names one: a contradiction from vport 2 on. */
        CHAINED
    }

    /** Sets that take a vport from INITIALIZE to ACTIVE. */
    public enum VPortActivation {
        /** To ARMED, then to ACTIVE. */
        BY_ARMED,
        /** To ACTIVE; a Set to ARMED is rejected. */
        DIRECT
    }

    /** Rejects a value out of its range. */
    public VPortModel {
        if (count < 0 || count > cap || cap > 0xffff) {
            throw new IllegalArgumentException("vports are 0 to VPortCap, which is at most 65535, not " + count);
        }
    }

    /** Returns vports as the inferred facts have them: disabled, with shared LIDs and trap 1146. */
    public static VPortModel of(int count) {
        return new VPortModel(
                count,
                Math.max(count, 128),
                VPortLids.SHARED,
                VPortModifier.VPORT_IN_UPPER_HALF,
                0,
                VPortActivation.BY_ARMED,
                1146,
                false);
    }

    /** Returns a copy with another number of vports; VPortCap is raised to it if it is lower. */
    public VPortModel withCount(int newCount) {
        return new VPortModel(newCount, Math.max(newCount, cap), lids, modifier, noVPort, activation, trap, isEnabled);
    }

    /** Returns a copy with other LIDs. */
    public VPortModel with(VPortLids newLids) {
        return new VPortModel(count, cap, newLids, modifier, noVPort, activation, trap, isEnabled);
    }

    /** Returns a copy with another order of the AttributeModifier. */
    public VPortModel with(VPortModifier newOrder) {
        return new VPortModel(count, cap, lids, newOrder, noVPort, activation, trap, isEnabled);
    }

    /** Returns a copy with another LIDByVPortIndex of a vport that uses the LID of the physical port. */
    public VPortModel withNoVPort(int index) {
        return new VPortModel(count, cap, lids, modifier, index, activation, trap, isEnabled);
    }

    /** Returns a copy with another reaction to Sets to ACTIVE. */
    public VPortModel with(VPortActivation newActivation) {
        return new VPortModel(count, cap, lids, modifier, noVPort, newActivation, trap, isEnabled);
    }

    /** Returns a copy with another number of the trap for a changed vport; 0 for none. */
    public VPortModel withTrap(int number) {
        return new VPortModel(count, cap, lids, modifier, noVPort, activation, number, isEnabled);
    }

    /** Returns a copy with virtualization on after power-up. */
    public VPortModel enabled() {
        return new VPortModel(count, cap, lids, modifier, noVPort, activation, trap, true);
    }

    /** Returns a copy with virtualization off after power-up. */
    public VPortModel disabled() {
        return new VPortModel(count, cap, lids, modifier, noVPort, activation, trap, false);
    }
}
