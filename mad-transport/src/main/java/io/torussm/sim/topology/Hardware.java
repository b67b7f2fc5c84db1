package io.torussm.sim.topology;

import java.util.function.Consumer;

/**
 * The read-only registers of a device after power-up that the topology does not contain. Immutable.
 *
 * @param vlCap VLCap of all ports: 1 VL0, 2 VL0-1, 3 VL0-3, 4 VL0-7, 5 VL0-14
 * @param mtus MTUCap and NeighborMTU
 * @param vlArbitrationCap entries of each VL arbitration table, 1 to 64; parts 2 and 4 exist from 33 on
 * @param enforcesInbound InboundEnforcementCap of a switch
 * @param enforcesOutbound OutboundEnforcementCap of a switch
 * @param isReregistrationSupported CapabilityMask bit 25, IsClientReregistrationSupported, of channel adapters
 * @param sl2vlWildcards support by a switch of Sets of SL2VL tables for many ports
 * @param hasPortStateTable true if a switch announces and supports SwitchPortStateTable
 */
public record Hardware(
        int vlCap,
        Mtus mtus,
        int vlArbitrationCap,
        boolean enforcesInbound,
        boolean enforcesOutbound,
        boolean isReregistrationSupported,
        Sl2VlWildcards sl2vlWildcards,
        boolean hasPortStateTable) {
    /** Codes of an MTU in bytes. */
    public static final int MTU_256 = 1;

    public static final int MTU_2048 = 4;
    public static final int MTU_4096 = 5;

    /** Values of VLCap. */
    public static final int VL0 = 1;

    public static final int VL0_TO_3 = 3;
    public static final int VL0_TO_7 = 4;
    public static final int VL0_TO_14 = 5;

    /** Max entries of a table of either priority (IBA 7.6.9.2). */
    public static final int MAX_VL_ARBITRATION_CAP = 64;

    /** The default: QDR hardware, as ibsim simulates it. */
    public static final Hardware DEFAULT = new Hardware(
            VL0_TO_7, new Mtus(MTU_2048, MTU_2048, MTU_2048), 8, true, true, true, Sl2VlWildcards.ABSENT, false);

    /** The support of OptimizedSLtoVLMappingProgramming (SwitchInfo), and responses to wildcard Sets (IBA 14.2.5.8). */
    public enum Sl2VlWildcards {
        /** Wildcards are not announced, and are rejected. */
        ABSENT,
        /** Port masks are announced instead of wildcards, which are rejected. */
        MASKS,
        /** Wildcards are announced and executed. */
        EXECUTED,
        /** Wildcards are announced and rejected. */
        REFUSED,
        /** Wildcards are announced, but only the table of the ports in the lower bits is written. */
        IGNORED
    }

    /**
     * Codes of MTUs: 1 256, 2 512, 3 1024, 4 2048, 5 4096 bytes.
     *
     * @param cap MTUCap of all ports
     * @param neighbor NeighborMTU after power-up, cut to MTUCap
     * @param port0Neighbor NeighborMTU of port 0 of a switch after power-up, cut to MTUCap
     */
    public record Mtus(int cap, int neighbor, int port0Neighbor) {
        /** Rejects values out of range. */
        public Mtus {
            check("MTUCap", cap, MTU_256, MTU_4096);
            check("NeighborMTU", neighbor, MTU_256, MTU_4096);
            check("NeighborMTU of port 0", port0Neighbor, MTU_256, MTU_4096);
        }
    }

    /** Rejects values out of range. */
    public Hardware {
        check("VLCap", vlCap, VL0, VL0_TO_14);
        check("VL arbitration capacity", vlArbitrationCap, 1, MAX_VL_ARBITRATION_CAP);
    }

    private static void check(String noun, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(noun + " is " + min + " to " + max + ", not " + value);
        }
    }

    /** Returns a copy with another VLCap. */
    public Hardware withVls(int newVlCap) {
        return with(draft -> draft.vlCap = newVlCap);
    }

    /** Returns a copy with another MTUCap, and another NeighborMTU after power-up. */
    public Hardware withMtu(int cap, int neighbor) {
        return with(draft -> draft.mtus = new Mtus(cap, neighbor, mtus.port0Neighbor));
    }

    /** Returns a copy with another NeighborMTU of port 0 after power-up. */
    public Hardware withPort0NeighborMtu(int mtu) {
        return with(draft -> draft.mtus = new Mtus(mtus.cap, mtus.neighbor, mtu));
    }

    /** Returns a copy with VL arbitration tables of another size. */
    public Hardware withVlArbitration(int cap) {
        return with(draft -> draft.vlArbitrationCap = cap);
    }

    /** Returns a copy that checks P_Keys in other directions. */
    public Hardware enforcing(boolean inbound, boolean outbound) {
        return with(draft -> {
            draft.enforcesInbound = inbound;
            draft.enforcesOutbound = outbound;
        });
    }

    /** Returns a copy with or without IsClientReregistrationSupported. */
    public Hardware reregistering(boolean isSupported) {
        return with(draft -> draft.isReregistrationSupported = isSupported);
    }

    /** Returns a copy with another support of SL2VL wildcards. */
    public Hardware withSl2VlWildcards(Sl2VlWildcards mode) {
        return with(draft -> draft.sl2vlWildcards = mode);
    }

    /** Returns a copy with or without SwitchPortStateTable. */
    public Hardware withPortStateTable(boolean isSupported) {
        return with(draft -> draft.hasPortStateTable = isSupported);
    }

    private Hardware with(Consumer<Draft> change) {
        Draft draft = new Draft(this);
        change.accept(draft);
        return draft.build();
    }

    /** A mutable copy, so that a method names only the component that it changes. */
    private static final class Draft {
        private int vlCap;
        private Mtus mtus;
        private int vlArbitrationCap;
        private boolean enforcesInbound;
        private boolean enforcesOutbound;
        private boolean isReregistrationSupported;
        private Sl2VlWildcards sl2vlWildcards;
        private boolean hasPortStateTable;

        Draft(Hardware hardware) {
            vlCap = hardware.vlCap;
            mtus = hardware.mtus;
            vlArbitrationCap = hardware.vlArbitrationCap;
            enforcesInbound = hardware.enforcesInbound;
            enforcesOutbound = hardware.enforcesOutbound;
            isReregistrationSupported = hardware.isReregistrationSupported;
            sl2vlWildcards = hardware.sl2vlWildcards;
            hasPortStateTable = hardware.hasPortStateTable;
        }

        Hardware build() {
            return new Hardware(
                    vlCap,
                    mtus,
                    vlArbitrationCap,
                    enforcesInbound,
                    enforcesOutbound,
                    isReregistrationSupported,
                    sl2vlWildcards,
                    hasPortStateTable);
        }
    }
}
