package io.torussm.torus2qos;

import io.torussm.mad.smp.SlToVlMappingTable;
import io.torussm.torus2qos.conf.Balance;
import io.torussm.torus2qos.conf.Dim;
import io.torussm.torus2qos.discovery.Multipath;

/**
 * The SL2VL rows, one for each pair of port classes (x, y, z, local). Bit 0 of a VL on a cable of dimension d is
 * the dateline bit of d in the SL. Bit 1 marks a turn against the order of dimensions, which happens only beside
 * a missing switch. Its rows are always programmed. Bit 2 is the QoS level. With fewer VLs the higher bits are
 * omitted: bit 0 needs 2 VLs, bit 1 needs 4, bit 2 needs 8. Local ports use VL 0 and 1 for the two QoS levels.
 *
 * <p>With {@link Multipath#ORDERS} bit 3 of the SL is set if a path takes the dimensions in reversed order. Bit
 * 1 of the VL then marks a turn against that order.
 *
 * <p>If all hosts use one SL, bit 0 of a VL instead marks whether packets continue in a dimension or enter it.
 */
final class TorusSl2Vl {
    private static final int SLS = 16;
    private static final int CLASSES = Dim.LOCAL_CLASS + 1;

    /** By {@code inClass * CLASSES + outClass}. */
    private final long[] rows = new long[CLASSES * CLASSES];

    private final long endportRow;

    /**
     * Computes all rows.
     *
     * @param switchVls number of data VLs on links between switches, from 1 on
     * @param endportVls number of data VLs on ports of CAs and routers, from 1 on
     * @param isForOneSl true if VLs do not depend on the dateline bits of an SL, see {@link Balance#ONE_SL}
     * @param hasOrders true if bit 3 of the SL is the order of dimensions
     */
    TorusSl2Vl(int switchVls, int endportVls, boolean isForOneSl, boolean hasOrders) {
        for (int inClass = 0; inClass < CLASSES; inClass++) {
            for (int outClass = 0; outClass < CLASSES; outClass++) {
                rows[inClass * CLASSES + outClass] = outClass < Dim.LOCAL_CLASS
                        ? linkRow(inClass, outClass, switchVls, isForOneSl, hasOrders)
                        : localRow(switchVls);
            }
        }
        endportRow = localRow(endportVls);
    }

    /**
     * Returns the row of a placed switch between two classes of ports, packed by {@link SlToVlMappingTable#pack}.
     *
     * @param inClass dimension of the input port, or {@link Dim#LOCAL_CLASS}
     * @param outClass dimension of the output port, or {@link Dim#LOCAL_CLASS}
     */
    long row(int inClass, int outClass) {
        return rows[inClass * CLASSES + outClass];
    }

    /** Returns the row of CAs, routers and switches outside the torus. */
    long endportRow() {
        return endportRow;
    }

    private static long linkRow(int inClass, int outClass, int vls, boolean isForOneSl, boolean hasOrders) {
        int[] vlOfSl = new int[SLS];
        for (int sl = 0; sl < SLS; sl++) {
            boolean isReversed = hasOrders && (sl & TorusSl.QOS_BIT) != 0;
            boolean turnsBack = inClass < Dim.LOCAL_CLASS && (isReversed ? inClass < outClass : inClass > outClass);
            // Bit 0 of the VL: with one SL, whether the packet stays in its dimension; otherwise the dateline bit of
            // the output dimension.
            int ring = isForOneSl ? inClass == outClass ? 1 : 0 : sl >> outClass & 1;
            vlOfSl[sl] = (vls >= 2 ? ring : 0) | (vls >= 4 && turnsBack ? 2 : 0) | (vls >= 8 ? (sl >> 3 & 1) << 2 : 0);
        }
        return SlToVlMappingTable.pack(vlOfSl);
    }

    private static long localRow(int vls) {
        int[] vlOfSl = new int[SLS];
        for (int sl = 0; sl < SLS; sl++) {
            vlOfSl[sl] = vls >= 2 ? sl >> 3 & 1 : 0;
        }
        return SlToVlMappingTable.pack(vlOfSl);
    }
}
