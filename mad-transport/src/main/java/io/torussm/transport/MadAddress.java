package io.torussm.transport;

import io.torussm.mad.Lids;
import org.jspecify.annotations.Nullable;

/**
 * The far end of a frame and its route. The response to a frame goes to the same address.
 *
 * @param lid destination when sending, source when received; {@code 0xFFFF} for directed routes
 * @param qpn 0 for SMPs, 1 for SA and other management classes, or the requester's own QP
 * @param sl service level, 0 to 15
 * @param pKeyIndex index of the P_Key in the port's table
 * @param pathBits offset of the near end's LID from its base LID; 0 if its LMC is 0
 * @param grh the global route header; null if there is none
 * @param qKey Q_Key that a sent MAD carries to a QP other than 0: {@link #QP1_Q_KEY}, unless a redirection
 *     names another
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

    /** Where directed-route SMPs go: to the local port, which follows the route. */
    public static final MadAddress DIRECTED = new MadAddress(Lids.PERMISSIVE, 0, 0, 0);

    /** Creates an address with the Q_Key of QP1. */
    public MadAddress(int lid, int qpn, int sl, int pKeyIndex, int pathBits, @Nullable GlobalRoute grh) {
        this(lid, qpn, sl, pKeyIndex, pathBits, grh, QP1_Q_KEY);
    }

    /** Creates an address within the subnet, at the near end's base LID. */
    public MadAddress(int lid, int qpn, int sl, int pKeyIndex) {
        this(lid, qpn, sl, pKeyIndex, 0, null);
    }
}
