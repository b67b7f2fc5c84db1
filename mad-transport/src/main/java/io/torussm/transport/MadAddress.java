package io.torussm.transport;

import io.torussm.mad.Lids;
import org.jspecify.annotations.Nullable;

/**
 * The address of a frame's peer and the route to it. The response to a frame has the address of the frame.
 *
 * @param lid destination of a sent frame, source of a received one; {@code 0xFFFF} for directed routes
 * @param qpn QP of the peer: 0 for SMPs, 1 for SA and other management classes, or the requester's own QP
 * @param sl service level, 0 to 15
 * @param pKeyIndex index of the P_Key in the port's table
 * @param pathBits offset of the local port's LID from its base LID; 0 if its LMC is 0
 * @param grh global route header; null for a MAD without a GRH
 * @param qKey Q_Key of a sent MAD to a QP other than 0: {@link #QP1_Q_KEY}, unless a redirection names another
 */
public record MadAddress(
        int lid,
        int qpn,
        int sl,
        int pKeyIndex,
        int pathBits,
        @Nullable GlobalRoute grh,
        int qKey) {
    /** The well-known Q_Key of QP1 (IBA 10.2.5). */
    public static final int QP1_Q_KEY = 0x80010000;

    /** The address of directed-route SMPs: the local port, which follows the route in the SMP. */
    public static final MadAddress DIRECTED = new MadAddress(Lids.PERMISSIVE, 0, 0, 0);

    /** Creates an address with the Q_Key of QP1. */
    public MadAddress(int lid, int qpn, int sl, int pKeyIndex, int pathBits, @Nullable GlobalRoute grh) {
        this(lid, qpn, sl, pKeyIndex, pathBits, grh, QP1_Q_KEY);
    }

    /** Creates an address within the subnet, from the local port's base LID. */
    public MadAddress(int lid, int qpn, int sl, int pKeyIndex) {
        this(lid, qpn, sl, pKeyIndex, 0, null);
    }
}
