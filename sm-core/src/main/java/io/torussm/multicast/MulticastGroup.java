package io.torussm.multicast;

import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import java.util.List;

/**
 * A multicast group and its members. Immutable.
 *
 * @param record the group's values, selectors "exactly"; PortGID, JoinState and ProxyJoin are zero
 * @param members in the order in which they joined
 */
public record MulticastGroup(MCMemberRecord record, List<Member> members) {
    private static final int RECEIVES = MCMemberRecord.FULL_MEMBER | MCMemberRecord.NON_MEMBER;

    public MulticastGroup {
        members = List.copyOf(members);
    }

    /**
     * A port in a group.
     *
     * @param portGid GID of the port
     * @param joinState JoinState bits, not 0
     * @param isProxy whether another port joined it
     */
    public record Member(Gid portGid, int joinState, boolean isProxy) {
        /** Whether packets are sent to it; a send-only member only sends. */
        public boolean receives() {
            return (joinState & RECEIVES) != 0;
        }
    }

    public Gid mgid() {
        return record.mgid();
    }

    public int mlid() {
        return record.mlid();
    }

    /** The record of one of the members. */
    public MCMemberRecord recordOf(Member member) {
        return record.with(MCMemberRecord.PORT_GID, member.portGid())
                .with(MCMemberRecord.JOIN_STATE, member.joinState())
                .with(MCMemberRecord.PROXY_JOIN, member.isProxy() ? 1 : 0);
    }
}
