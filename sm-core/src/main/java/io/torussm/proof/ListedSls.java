package io.torussm.proof;

import org.jspecify.annotations.Nullable;

/**
 * The SLs with which end ports send: one for all unlisted pairs, or those that a file lists. Immutable.
 *
 * @param byLid by destination LID, then by end port, 0xFF for an unlisted pair; null for a LID without pairs;
 * null if no pairs are listed
 * @param hostSl SL of unlisted pairs of hosts; -1 if these do not send to each other
 * @param switchSl SL of unlisted pairs with a port 0 of a switch; -1 if these do not send to each other
 * @param hasSwitchSls whether the SLs of ports 0 of switches are known
 */
record ListedSls(byte[] @Nullable [] byLid, int hostSl, int switchSl, boolean hasSwitchSls) {
    static final byte UNLISTED = (byte) 0xff;

    int sl(int end, int lid, boolean isOfSwitch) {
        byte[] row = byLid.length == 0 ? null : byLid[lid];
        if (row != null && row[end] != UNLISTED) {
            return row[end];
        }
        return isOfSwitch ? switchSl : hostSl;
    }
}
