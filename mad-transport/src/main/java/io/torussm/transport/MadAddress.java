package io.torussm.transport;

import io.torussm.mad.Lids;

/**
 * The far end of a frame.
 *
 * @param lid destination when sending, source when received; {@code 0xFFFF} for directed routes
 * @param qpn 0 for SMPs, 1 for SA and other management classes, or the requester's own QP
 * @param sl service level, 0 to 15
 * @param pKeyIndex index of the P_Key in the port's table
 */
public record MadAddress(int lid, int qpn, int sl, int pKeyIndex) {
    /** Where directed-route SMPs go: to the local port, which follows the route. */
    public static final MadAddress DIRECTED = new MadAddress(Lids.PERMISSIVE, 0, 0, 0);
}
