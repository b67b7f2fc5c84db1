package io.torussm.proof;

import io.torussm.mad.smp.SlToVlMappingTable;
import java.util.Arrays;

/**
 * The SLs on each channel: a set of SLs, a {@code char} (bit n: SL n), for every ingress class of a switch, egress port
 * to another switch, and next egress port there. An ingress class is a set of input ports whose SL2VL rows are equal
 * for every output. Ports are given by port index ({@link FabricTables}), unless a name ends in Num.
 */
final class ChannelUse {
    private static final int NONE = FabricTables.NONE;

    private final FabricTables tables;

    /** [port index] ingress class of packets that enter there, numbered over all switches. */
    final int[] classOf;

    /** [switch] its first ingress class; one element more than switches. */
    final int[] firstClass;

    /** [ingress class] number of one of its input ports at the switch. */
    private final int[] sampleInput;

    /**
     * [port index] its first slot within the slots of a class. A port has one slot for delivery at the next switch,
     * then one for each port number there.
     */
    private final int[] offset;

    /** [switch] number of slots of a class. */
    private final int[] slots;

    /** [switch][{@code class within the switch * slots + offset + 1 + next port number}] set of SLs. */
    private final char[][] slSets;

    /** True if any switch maps any SL to VL15. */
    private final boolean isAnyDropped;

    ChannelUse(FabricTables tables) {
        this.tables = tables;
        classOf = new int[tables.farPort.length];
        firstClass = new int[tables.switchCount + 1];
        offset = new int[tables.farPort.length];
        slots = new int[tables.switchCount];
        slSets = new char[tables.switchCount][];
        int[] samples = new int[tables.farPort.length];
        int count = 0;
        for (int sw = 0; sw < tables.switchCount; sw++) {
            firstClass[sw] = count;
            for (int in = 0; in < tables.ports(sw); in++) {
                int known = firstClass[sw];
                while (known < count && !isSame(sw, samples[known], in)) {
                    known++;
                }
                if (known == count) {
                    samples[count++] = in;
                }
                classOf[tables.firstPort[sw] + in] = known;
                int far = tables.farSwitch[tables.firstPort[sw] + in];
                offset[tables.firstPort[sw] + in] = slots[sw];
                slots[sw] += far == NONE ? 0 : tables.ports(far) + 1;
            }
            slSets[sw] = new char[(count - firstClass[sw]) * slots[sw]];
        }
        firstClass[tables.switchCount] = count;
        isAnyDropped = tables.isAnyDropped();
        sampleInput = Arrays.copyOf(samples, count);
    }

    /** Creates an instance with the shape of another and with empty sets. */
    ChannelUse(ChannelUse shape) {
        tables = shape.tables;
        classOf = shape.classOf;
        firstClass = shape.firstClass;
        sampleInput = shape.sampleInput;
        isAnyDropped = shape.isAnyDropped;
        offset = shape.offset;
        slots = shape.slots;
        slSets = new char[shape.slSets.length][];
        Arrays.setAll(slSets, sw -> new char[shape.slSets[sw].length]);
    }

    /** Checks whether two input ports of a switch have equal rows. */
    private boolean isSame(int sw, int in, int otherIn) {
        boolean isSame = true;
        for (int out = 0; isSame && out < tables.ports(sw); out++) {
            isSame = tables.row(sw, in, out) == tables.row(sw, otherIn, out);
        }
        return isSame;
    }

    /**
     * Returns the SLs of a set (bit n: SL n) that a switch does not discard from an ingress class to an output port
     * number.
     */
    int passingSls(int sw, int ingress, int out, int sls) {
        long row = isAnyDropped ? tables.row(sw, sampleInput[ingress], out) : 0;
        int passing = sls;
        for (int rest = isAnyDropped ? sls : 0; rest != 0; rest &= rest - 1) {
            int sl = Integer.numberOfTrailingZeros(rest);
            passing &= SlToVlMappingTable.vl(row, sl) == FabricTables.DROP_VL ? ~(1 << sl) : -1;
        }
        return passing;
    }

    /**
     * Adds SLs of packets at a hop.
     *
     * @param ingress ingress class, numbered over all switches
     * @param port index of the egress port to another switch
     * @param nextPortNum egress port number of that switch; {@link FabricTables#NONE} if it does not forward to a
     *     switch
     * @param sls SLs (bit n: SL n)
     * @return whether any SL is new
     */
    boolean add(int sw, int ingress, int port, int nextPortNum, int sls) {
        int slot = (ingress - firstClass[sw]) * slots[sw] + offset[port] + nextPortNum + 1;
        boolean isNew = (sls & ~slSets[sw][slot]) != 0;
        slSets[sw][slot] |= (char) sls;
        return isNew;
    }

    /** Adds the collected SLs to a graph of channels {@code port * 16 + VL}. */
    void addTo(WaitGraph graph) {
        for (int sw = 0; sw < tables.switchCount; sw++) {
            for (int port = tables.firstPort[sw]; port < tables.firstPort[sw + 1]; port++) {
                for (int ingress = firstClass[sw];
                        tables.farPort[port] != NONE && ingress < firstClass[sw + 1];
                        ingress++) {
                    addTo(graph, sw, port, ingress);
                }
            }
        }
    }

    private void addTo(WaitGraph graph, int sw, int port, int ingress) {
        int far = tables.farPort[port];
        int to = tables.farSwitch[port];
        long row = tables.row(sw, sampleInput[ingress], port - tables.firstPort[sw]);
        for (int next = NONE; next < tables.ports(to); next++) {
            int sls = slSets[sw][(ingress - firstClass[sw]) * slots[sw] + offset[port] + next + 1];
            long nextRow = next == NONE ? 0 : tables.row(to, far - tables.firstPort[to], next);
            for (int rest = sls; rest != 0; rest &= rest - 1) {
                int sl = Integer.numberOfTrailingZeros(rest);
                int held = port * ChannelRanks.VLS + SlToVlMappingTable.vl(row, sl);
                int vl = SlToVlMappingTable.vl(nextRow, sl);
                if (next == NONE || vl == FabricTables.DROP_VL) {
                    graph.markUsed(held);
                } else {
                    graph.addWait(held, (tables.firstPort[to] + next) * ChannelRanks.VLS + vl);
                }
            }
        }
    }
}
