package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.GlobalRoute;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A MAD in flight, with the fields of its local route header that switches use. It owns its bytes. */
final class Packet {
    final byte[] mad;
    int slid;
    int dlid;
    final int sl;
    final int qpn;
    final int pKeyIndex;
    /** Number of crossed cables. */
    int hops;
    /** Time from the request to the departure of a response. */
    long preparationNs;

    /** The global route header as its receiver sees it; null for a packet without a GRH. */
    @Nullable
    GlobalRoute grh;

    /** The egress ports in order, if the packet waits in queues; otherwise null. */
    @Nullable
    List<SimPort> egresses;

    /** The reason of the loss; null while the packet is not lost. */
    @Nullable
    PacketLoss loss;

    /** The port at which the packet was lost. */
    @Nullable
    SimPort lossPort;

    Packet(byte[] mad, int slid, int dlid, int sl, int qpn, int pKeyIndex) {
        this.mad = mad;
        this.slid = slid;
        this.dlid = dlid;
        this.sl = sl;
        this.qpn = qpn;
        this.pKeyIndex = pKeyIndex;
    }

    Packet copy() {
        Packet copy = new Packet(mad.clone(), slid, dlid, sl, qpn, pKeyIndex);
        copy.hops = hops;
        copy.preparationNs = preparationNs;
        copy.egresses = egresses;
        copy.grh = grh;
        return copy;
    }

    void markLost(SimPort port, PacketLoss reason) {
        loss = reason;
        lossPort = port;
    }

    void countHop(SimPort out) {
        hops++;
        if (egresses != null) {
            egresses.add(out);
        }
    }

    boolean isDirected() {
        return MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE;
    }

    boolean isSmp() {
        return MgmtClass.isSmp(MadHeader.mgmtClass(mad));
    }
}
