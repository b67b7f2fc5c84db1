package io.torussm.multicast;

import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.MCMemberRecord;

/**
 * What came of a request.
 *
 * @param status a MAD status
 * @param record what the requester is answered if the status is OK; else what it had sent
 */
public record MembershipReply(int status, MCMemberRecord record) {

    /** Whether the request was granted. */
    public boolean isGranted() {
        return status == MadStatus.OK;
    }
}
