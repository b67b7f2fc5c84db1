package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.mad.MgmtClass;

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
        return copy;
    }

    boolean isDirected() {
        return MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE;
    }

    boolean isSmp() {
        return MgmtClass.isSmp(MadHeader.mgmtClass(mad));
    }
}
