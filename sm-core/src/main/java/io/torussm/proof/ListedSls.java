package io.torussm.proof;

import org.jspecify.annotations.Nullable;

/**
 * The SLs with which end ports send to LIDs: those that a file lists, and one SL for all unlisted pairs. Immutable.
 *
 * @param byLid [destination LID][end port] SL, 0xFF for an unlisted pair; null for a LID without listed pairs; empty
 *     if no pairs are listed
 * @param hostSl SL of unlisted pairs of hosts; -1 if such pairs do not send
 * @param switchSl SL of unlisted pairs with a port 0 of a switch; -1 if such pairs do not send
 * @param hasSwitchSls whether the SLs of ports 0 of switches are known
 */
record ListedSls(byte[] @Nullable [] byLid, int hostSl, int switchSl, boolean hasSwitchSls) {
    static final byte UNLISTED = (byte) 0xff;

    /** Returns the SL of packets from an end port to a LID; -1 if the pair does not send. */
    int sl(int end, int lid, boolean isOfSwitch) {
        byte[] row = byLid.length == 0 ? null : byLid[lid];
        if (row != null && row[end] != UNLISTED) {
            return row[end];
        }
        return isOfSwitch ? switchSl : hostSl;
    }
}
