package io.torussm.proof;

import org.jspecify.annotations.Nullable;

/**
 * With which SLs end ports send: one for all that nobody named, or those that a file lists. Immutable.
 *
 * @param byLid by destination LID, then by end port, 0xFF where the pair is not listed; null for a LID that no pair has; null if
 *     pairs are not listed at all
 * @param hostSl of pairs of hosts that are not listed; -1 if these do not send to each other
 * @param switchSl of pairs with a port 0 of a switch that are not listed; -1 if these do not send to each other
 * @param hasSwitchSls whether it is known what ports 0 of switches do
 */
record PairSls(byte[] @Nullable [] byLid, int hostSl, int switchSl, boolean hasSwitchSls) {
    static final byte UNLISTED = (byte) 0xff;

    int sl(int end, int lid, boolean isOfSwitch) {
        byte[] row = byLid.length == 0 ? null : byLid[lid];
        if (row != null && row[end] != UNLISTED) {
            return row[end];
        }
        return isOfSwitch ? switchSl : hostSl;
    }
}
