package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;
import io.torussm.transport.GlobalRoute;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A MAD under way, and the parts of its local route header that switches look at. Owns its bytes. */
final class Packet {
    final byte[] mad;
    int slid;
    int dlid;
    final int sl;
    final int qpn;
    final int pKeyIndex;
    /** Cables crossed so far. */
    int hops;
    /** Time that its sender took to make it. */
    long preparationNs;

    /** The global route header as its receiver sees it; null if there is none. */
    @Nullable
    GlobalRoute grh;

    /** The ports by which it left devices, in order, if it has to queue there; else null. */
    @Nullable
    List<SimPort> egresses;

    /** Why it ended before it arrived; null while it has not. */
    @Nullable
    PacketLoss loss;

    /** The port at which it ended. */
    @Nullable
    SimPort lostAt;

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

    void lose(SimPort at, PacketLoss why) {
        loss = why;
        lostAt = at;
    }

    void crossed(SimPort out) {
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
