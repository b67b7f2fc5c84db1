package io.torussm.dataplane;

import io.torussm.routing.VlArbitrationPolicy;
import java.util.Arrays;

/**
 * The tables of switches and hosts at the moment. The data plane reads them for every packet, so that tables
 * may change under traffic as they do when an SM writes them.
 */
public interface ForwardingTables {
    /** The port of a forwarding entry that drops the packet: port 255. */
    int DROP_PORT = 255;

    int DROP_VL = 15;

    /**
     * Returns an entry of the linear forwarding table.
     *
     * @param dlid 1 to 0xBFFF
     * @return port number, {@link #DROP_PORT} if there is no entry
     */
    int out(int sw, int dlid);

    /**
     * Returns an entry of the multicast forwarding table.
     *
     * @param mlid 0xC000 to 0xFFFE
     * @return bit {@code n % 64} of element {@code n / 64}: to port n; empty if there is no entry
     */
    long[] group(int sw, int mlid);

    /** Returns the ports of such an entry without port 0 and the port by which the packet came in, ascending. */
    static int[] ports(long[] group, int in) {
        int[] outs = new int[Long.SIZE * group.length];
        int count = 0;
        for (int word = 0; word < group.length; word++) {
            for (long rest = group[word]; rest != 0; rest &= rest - 1) {
                int out = Long.SIZE * word + Long.numberOfTrailingZeros(rest);
                if (out != in && out != 0) {
                    outs[count++] = out;
                }
            }
        }
        return Arrays.copyOf(outs, count);
    }

    /**
     * Returns an entry of SL2VL, folded into the VLs that the output port operates.
     *
     * @param node a switch, or a sending host
     * @param in input port number; 0 on a host
     * @param out output port number
     * @return VL 0 to 14, or {@link #DROP_VL}
     */
    int vl(int node, int in, int out, int sl);

    /** Returns the VL arbitration tables of an egress port; read when the data plane is built. */
    VlArbitrationPolicy.Tables arbitration(int port);
}
