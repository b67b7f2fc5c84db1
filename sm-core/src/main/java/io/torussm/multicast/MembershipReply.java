package io.torussm.multicast;

import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.MCMemberRecord;

/**
 * The reply to a request.
 *
 * @param status a MAD status
 * @param record the granted record if the status is OK, else the requested one
 */
public record MembershipReply(int status, MCMemberRecord record) {

    /** Checks whether the request was granted. */
    public boolean isGranted() {
        return status == MadStatus.OK;
    }
}
