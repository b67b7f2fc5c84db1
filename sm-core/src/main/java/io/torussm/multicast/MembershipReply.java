package io.torussm.multicast;

import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.MCMemberRecord;

/**
 * The reply to a request of a membership.
 *
 * @param status MAD status
 * @param record the granted record if the status is OK; otherwise the requested one
 */
public record MembershipReply(int status, MCMemberRecord record) {

    /** Checks whether the request was granted. */
    public boolean isGranted() {
        return status == MadStatus.OK;
    }
}
