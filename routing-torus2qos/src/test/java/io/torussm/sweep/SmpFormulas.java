package io.torussm.sweep;

import io.torussm.fabric.Fabric;
import java.util.Map;
import java.util.TreeMap;

/**
 * The number of SMPs of the stages of a sweep, as functions of the fabric. The formulas are exact if devices are as
 * perfect as those of the embedded fabric (one multicast group or none, tables empty before) and respond one after the
 * other. {@link #crossedTwice} bounds the additional SMPs due to timing.
 *
 * @param switches switches of equal size
 * @param ports ports of each switch, port 0 not counted
 * @param hosts hosts with one port each
 * @param cables between switches, and from a switch to a host; a host has one
 * @param topLid the highest LID in use
 */
record SmpFormulas(long switches, long ports, long hosts, long cables, long topLid) {
    /** Entries of a block of a linear forwarding table. */
    private static final int LFT_BLOCK = 64;

    /** Ports that a block of a multicast forwarding table covers. */
    private static final int MFT_PORTS = 16;

    /** Blocks of P_Keys of a switch, PartitionCap of 64, and of a host, of 128. */
    private static final int P_KEY_BLOCKS_OF_SWITCH = 2;

    private static final int P_KEY_BLOCKS_OF_HOST = 4;

    /** Number of VL arbitration tables of a port that are written: low and high priority. */
    private static final int VL_ARBITRATION_TABLES = 2;

    /** Returns the formulas of a fabric, whose switches must have equal numbers of ports. */
    static SmpFormulas of(Fabric fabric, int topLid) {
        long cables = 0;
        for (int port = 0; port < fabric.portCount(); port++) {
            cables += fabric.peer(port) > port ? 1 : 0;
        }
        int switches = fabric.switchCount();
        return new SmpFormulas(switches, fabric.numPorts(0), fabric.nodeCount() - switches, cables, topLid);
    }

    /** Returns the reads of a discovery: each cable is crossed once; PortInfo is read once, of a host's port twice. */
    Map<String, Long> discovery() {
        Map<String, Long> smps = new TreeMap<>();
        smps.put("Get(NodeInfo)", cables + 1);
        smps.put("Get(NodeDescription)", switches + hosts);
        smps.put("Get(PortInfo)", switches * (ports + 1) + 2 * hosts);
        smps.put("Get(SwitchInfo)", switches);
        return smps;
    }

    /** Returns the number of blocks of linear forwarding tables of all switches. */
    long lftBlocks() {
        return switches * (topLid / LFT_BLOCK + 1);
    }

    /** Returns the number of output ports of switches: ports with a cable, and port 0. */
    private long outputs() {
        return 2 * cables - hosts + switches;
    }

    /** Returns the number of SL2VL rows: at switches one for each output and each port as input, at hosts one. */
    long sl2vlRows() {
        return outputs() * (ports + 1) + hosts;
    }

    /** Returns the cost of an unprogrammed fabric, from the first SMP to the last link ACTIVE. */
    Map<String, Long> coldStart() {
        Map<String, Long> smps = discovery();
        smps.merge("Get(SwitchInfo)", switches, Long::sum); // whether it restarted meanwhile
        smps.put("Set(SwitchInfo)", switches);
        smps.put("Set(LinearForwardingTable)", lftBlocks());
        smps.put("Set(MulticastForwardingTable)", switches * (ports / MFT_PORTS + 1));
        smps.put("Set(SLtoVLMappingTable)", sl2vlRows());
        smps.put("Set(VLArbitrationTable)", VL_ARBITRATION_TABLES * (outputs() + hosts));
        smps.put("Get(P_KeyTable)", P_KEY_BLOCKS_OF_SWITCH * switches + P_KEY_BLOCKS_OF_HOST * hosts);
        smps.put("Set(PortInfo)", switches + 4 * cables); // port 0; each end of each cable to ARMED and to ACTIVE
        return smps;
    }

    /**
     * Returns the cost of a takeover of a fabric that another SM programmed equally. All that a proof or the order of a
     * change depends on is read, and no table is written.
     */
    Map<String, Long> takeover() {
        Map<String, Long> smps = discovery();
        smps.put("Get(LinearForwardingTable)", lftBlocks());
        smps.put("Get(MulticastForwardingTable)", 2 * switches * (ports / MFT_PORTS + 1));
        smps.put("Get(SLtoVLMappingTable)", sl2vlRows());
        smps.put("Get(P_KeyTable)", P_KEY_BLOCKS_OF_SWITCH * switches + P_KEY_BLOCKS_OF_HOST * hosts);
        smps.merge("Get(PortInfo)", 1L, Long::sum); // the first one that has the VLHighLimit of the former SM
        smps.put("Set(PortInfo)", hosts); // ClientReregister
        return smps;
    }

    /** Returns the cost of each of the first two light sweeps, which read again what only one sweep has read. */
    Map<String, Long> confirmingLightSweep() {
        return new TreeMap<>(Map.of(
                "Get(SwitchInfo)", switches,
                "Get(NodeInfo)", switches + hosts,
                "Get(PortInfo)", 1 + switches * (ports + 1) + hosts));
    }

    /** Returns the cost of a later light sweep: SwitchInfo of all switches, and PortInfo of the SM's port. */
    Map<String, Long> lightSweep() {
        return new TreeMap<>(Map.of("Get(SwitchInfo)", switches, "Get(PortInfo)", 1L));
    }

    /**
     * Returns the reads after the loss of a cable between two switches, and the clearing of PortStateChange.
     * The blocks to write depend on the routes.
     */
    Map<String, Long> lostCable() {
        Map<String, Long> smps = new TreeMap<>();
        smps.put("Get(NodeInfo)", 4L);
        smps.put("Get(NodeDescription)", 2L);
        smps.put("Get(SwitchInfo)", 2L);
        smps.put("Get(PortInfo)", 4 * ports + 2);
        smps.put("Set(SwitchInfo)", 2L);
        return smps;
    }

    /**
     * Returns the max number of cables that are crossed from both ends, each of which costs one more NodeInfo. In a
     * ring of odd length, such a cable joins two switches at the same distance from the SM.
     */
    long crossedTwice(int... radices) {
        long max = 0;
        for (int radix : radices) {
            max += radix % 2 == 1 && radix > 1 ? switches / radix : 0;
        }
        return max;
    }

    static long sum(Map<String, Long> smps) {
        return smps.values().stream().mapToLong(Long::longValue).sum();
    }
}
