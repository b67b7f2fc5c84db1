package io.torussm.multicast;

import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.transport.Shares;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A multicast group and its members. Immutable.
 *
 * @param record the group's values, selectors "exactly"; PortGID, JoinState and ProxyJoin are zero
 * @param members in the order in which they joined
 * @param maker GUID of the port whose share it counts for; {@link Shares#NOBODY} if that is not known, or does not count
 */
public record MulticastGroup(MCMemberRecord record, List<Member> members, long maker) {
    private static final int RECEIVES = MCMemberRecord.FULL_MEMBER | MCMemberRecord.NON_MEMBER;

    public MulticastGroup {
        members = List.copyOf(members);
    }

    /** A group that counts for its first member, unless another port joined that. */
    public MulticastGroup(MCMemberRecord record, List<Member> members) {
        this(record, members, usualMaker(members));
    }

    private static long usualMaker(List<Member> members) {
        return members.isEmpty() || members.get(0).isProxy()
                ? Shares.NOBODY
                : members.get(0).portGid().guid();
    }

    /** Whether it counts as one does of which nothing else is known. */
    public boolean countsAsUsual() {
        return maker == usualMaker(members);
    }

    /**
     * A port in a group.
     *
     * @param portGid GID of the port
     * @param joinState JoinState bits, not 0
     * @param isProxy whether another port joined it
     * @param account GUID of the port whose share it counts for; {@link Shares#NOBODY} if that is not known, or does
     *     not count
     */
    public record Member(Gid portGid, int joinState, boolean isProxy, long account) {
        /** A membership that counts for the member, unless another port joined it. */
        public Member(Gid portGid, int joinState, boolean isProxy) {
            this(portGid, joinState, isProxy, isProxy ? Shares.NOBODY : portGid.guid());
        }

        /** The same with other bits. */
        Member with(int newJoinState, boolean isStillProxy) {
            return new Member(portGid, newJoinState, isStillProxy, account);
        }

        /** Whether it counts as one does of which nothing else is known. */
        public boolean countsAsUsual() {
            return account == new Member(portGid, joinState, isProxy).account;
        }

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

    /**
     * Whether packets of two groups may go to the same ports, which drop what they did not ask for: groups of solicited-node
     * addresses of one scope and partition may, and others if partition, MTU, rate and SL are the same.
     */
    public static boolean mayShareMlid(MCMemberRecord a, MCMemberRecord b) {
        boolean isAlike = (a.pKey() & GroupRules.PARTITION) == (b.pKey() & GroupRules.PARTITION)
                && a.mtu() == b.mtu()
                && a.rate() == b.rate()
                && a.sl() == b.sl();
        return isAlike || SolicitedNode.areAlike(a.mgid(), b.mgid());
    }

    /**
     * The same group, its members called by their ports' own GUIDs.
     *
     * @param portOfAlias the GUID of the port that has an alias GUID, 0 if none has
     */
    public MulticastGroup atPorts(LongUnaryOperator portOfAlias) {
        return new MulticastGroup(
                record,
                members.stream()
                        .map(member -> {
                            long port = portOfAlias.applyAsLong(member.portGid().guid());
                            Gid gid = port == 0
                                    ? member.portGid()
                                    : new Gid(member.portGid().prefix(), port);
                            return new Member(gid, member.joinState(), member.isProxy());
                        })
                        .toList());
    }

    /** The record of one of the members. */
    public MCMemberRecord recordOf(Member member) {
        return record.with(MCMemberRecord.PORT_GID, member.portGid())
                .with(MCMemberRecord.JOIN_STATE, member.joinState())
                .with(MCMemberRecord.PROXY_JOIN, member.isProxy() ? 1 : 0);
    }
}
