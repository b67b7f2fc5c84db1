package io.torussm.testing;

import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.SaMad;
import java.util.List;

/** Requests about multicast groups, with all components that create the group. */
public final class MembershipMad {
    private static final int DEFAULT_P_KEY = 0xffff;

    private MembershipMad() {}

    /** Returns a Set or Delete of an MCMemberRecord. */
    public static byte[] of(int method, long tid, Gid mgid, Gid portGid, int joinState, int qKey) {
        long mask = 0;
        for (var field : List.of(
                MCMemberRecord.MGID,
                MCMemberRecord.PORT_GID,
                MCMemberRecord.JOIN_STATE,
                MCMemberRecord.Q_KEY,
                MCMemberRecord.P_KEY,
                MCMemberRecord.T_CLASS,
                MCMemberRecord.SL,
                MCMemberRecord.FLOW_LABEL)) {
            mask |= MCMemberRecord.COMPONENTS.bit(field);
        }
        byte[] mad = SaMad.request(method, tid, MCMemberRecord.TYPE.id(), 0, mask);
        MCMemberRecord.TYPE
                .zero()
                .with(MCMemberRecord.MGID, mgid)
                .with(MCMemberRecord.PORT_GID, portGid)
                .with(MCMemberRecord.JOIN_STATE, joinState)
                .with(MCMemberRecord.Q_KEY, qKey)
                .with(MCMemberRecord.P_KEY, DEFAULT_P_KEY)
                .write(mad, SaMad.DATA_OFFSET);
        return mad;
    }
}
