package io.torussm.dataplane;

import io.torussm.routing.VlArbitrationPolicy;

/**
 * What switches and hosts forward by, as it stands in their registers at the moment: the data plane asks for every packet,
 * so tables may change under traffic as they do when an SM writes them.
 */
public interface ForwardingTables {
    /** A forwarding entry, or a VL, that drops the packet: port 255 in a table, VL 15 in SL2VL. */
    int DROP_PORT = 255;

    int DROP_VL = 15;

    /**
     * The linear forwarding table.
     *
     * @param dlid 1 to 0xBFFF
     * @return port number, {@link #DROP_PORT} if there is no entry
     */
    int out(int sw, int dlid);

    /**
     * The multicast forwarding table.
     *
     * @param mlid 0xC000 to 0xFFFE
     * @return bit {@code n % 64} of element {@code n / 64}: to port n; empty if there is no entry
     */
    long[] group(int sw, int mlid);

    /**
     * SL2VL, folded into the VLs that the output port operates.
     *
     * @param node a switch, or a host that sends
     * @param in input port number; 0 on a host
     * @param out output port number
     * @return VL 0 to 14, or {@link #DROP_VL}
     */
    int vl(int node, int in, int out, int sl);

    /** VL arbitration of a port by which packets leave, read when the data plane is built. */
    VlArbitrationPolicy.Tables arbitration(int port);
}
