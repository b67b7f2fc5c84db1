package io.torussm.multicast;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.partition.WellKnownGroup;

/**
 * The contents of group records, and the check of requests against them (IBA 15.2.5.17). Pure.
 *
 * <p>The parameter {@code defaultLife} is the default PacketLifeTime of a group, a time value of 6 bits.
 */
final class GroupRules {
    /** The bits of a P_Key that identify the partition. */
    static final int PARTITION_MASK = 0x7fff;

    private static final int ANY_HOP_LIMIT = 0xff;

    /** Components that must equal those of the group, if the request contains them. */
    private static final Field[] MATCHED_FIELDS = {
        MCMemberRecord.Q_KEY,
        MCMemberRecord.T_CLASS,
        MCMemberRecord.SL,
        MCMemberRecord.FLOW_LABEL,
        MCMemberRecord.HOP_LIMIT
    };

    /** Components that a request must contain to create a group, besides MGID, PortGID and JoinState. */
    static final Field[] REQUIRED_FOR_CREATION = {
        MCMemberRecord.Q_KEY, MCMemberRecord.T_CLASS, MCMemberRecord.P_KEY, MCMemberRecord.FLOW_LABEL, MCMemberRecord.SL
    };

    private GroupRules() {}

    /** Returns the record of a declared group. */
    static MCMemberRecord recordOf(WellKnownGroup group, int defaultLife, int mlid) {
        return withExactSelectors(MCMemberRecord.TYPE.zero())
                .with(MCMemberRecord.MGID, group.mgid())
                .with(MCMemberRecord.Q_KEY, Integer.toUnsignedLong(group.qKey()))
                .with(MCMemberRecord.MLID, mlid)
                .with(MCMemberRecord.MTU, group.mtu())
                .with(MCMemberRecord.T_CLASS, group.tClass())
                .with(MCMemberRecord.P_KEY, group.pKey())
                .with(MCMemberRecord.RATE, group.rate())
                .with(MCMemberRecord.PACKET_LIFE_TIME, defaultLife)
                .with(MCMemberRecord.SL, group.sl())
                .with(MCMemberRecord.FLOW_LABEL, group.flowLabel())
                .with(MCMemberRecord.HOP_LIMIT, group.scope() == Mgids.LINK_LOCAL ? 0 : ANY_HOP_LIMIT)
                .with(MCMemberRecord.SCOPE, group.scope());
    }

    /** Returns a copy of a record whose selectors of MTU, rate and PacketLifeTime are "exactly". */
    static MCMemberRecord withExactSelectors(MCMemberRecord record) {
        return record.with(MCMemberRecord.MTU_SELECTOR, PathRecord.EXACTLY)
                .with(MCMemberRecord.RATE_SELECTOR, PathRecord.EXACTLY)
                .with(MCMemberRecord.PACKET_LIFE_TIME_SELECTOR, PathRecord.EXACTLY);
    }

    /** Returns the record of a group that a request creates. */
    static MCMemberRecord newRecord(MembershipRequest request, Gid mgid, int defaultLife, int mlid) {
        MCMemberRecord wanted = request.record();
        int hopLimit = Mgids.scope(mgid) == Mgids.LINK_LOCAL ? 0 : ANY_HOP_LIMIT;
        MCMemberRecord record = withExactSelectors(MCMemberRecord.TYPE.zero());
        for (Field field : REQUIRED_FOR_CREATION) {
            record = record.with(field, wanted.get(field));
        }
        return record.with(MCMemberRecord.MGID, mgid)
                .with(MCMemberRecord.MLID, mlid)
                .with(MCMemberRecord.MTU, GroupValues.mtu(request))
                .with(MCMemberRecord.RATE, GroupValues.rate(request))
                .with(MCMemberRecord.PACKET_LIFE_TIME, GroupValues.lifeTime(request, defaultLife))
                .with(
                        MCMemberRecord.HOP_LIMIT,
                        request.has(MCMemberRecord.HOP_LIMIT) ? wanted.get(MCMemberRecord.HOP_LIMIT) : hopLimit)
                .with(MCMemberRecord.SCOPE, Mgids.scope(mgid));
    }

    /** Checks whether the components of a request equal those of the group, as far as the request contains them. */
    static boolean matches(MembershipRequest request, MCMemberRecord group) {
        for (Field field : MATCHED_FIELDS) {
            if (request.differs(field, group)) {
                return false;
            }
        }
        boolean isOtherPartition = (request.record().pKey() & PARTITION_MASK) != (group.pKey() & PARTITION_MASK);
        return !(request.has(MCMemberRecord.P_KEY) && isOtherPartition);
    }

    /** Checks whether the requester may join the named port: its own port, or one in a common partition. */
    static boolean mayJoinFor(MembershipRequest request) {
        return !request.isByProxy() || request.requesterKeys().sharesWith(request.portKeys());
    }

    /**
     * Checks whether the requester may change a membership: that of its own port, or one that was made by proxy, if the
     * requester is in the partition of the group.
     */
    static boolean mayChange(MembershipRequest request, MulticastGroup.Member member, MCMemberRecord group) {
        return !request.isByProxy()
                || (member.isProxy() && request.requesterKeys().isIn(group.pKey()));
    }
}
