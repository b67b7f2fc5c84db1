package io.torussm.multicast;

import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.sa.change.Shares;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * A multicast group and its members. Immutable.
 *
 * @param record values of the group with the selectors "exactly"; PortGID, JoinState and ProxyJoin are 0
 * @param members members in the order of their joins
 * @param creator PortGUID of the port to whose share the group counts; 0 if unknown or not counted
 */
public record MulticastGroup(MCMemberRecord record, List<Member> members, long creator) {
    private static final int RECEIVING_JOIN_STATES = MCMemberRecord.FULL_MEMBER | MCMemberRecord.NON_MEMBER;

    public MulticastGroup {
        members = List.copyOf(members);
    }

    /** Creates a group that counts to the share of its first member, unless that member joined by proxy. */
    public MulticastGroup(MCMemberRecord record, List<Member> members) {
        this(record, members, defaultCreator(members));
    }

    private static long defaultCreator(List<Member> members) {
        return members.isEmpty() || members.get(0).isProxy()
                ? Shares.NOBODY
                : members.get(0).portGid().guid();
    }

    /** Checks whether the creator is the default one: the first member, unless it joined by proxy. */
    public boolean isCreatorDefault() {
        return creator == defaultCreator(members);
    }

    /**
     * The membership of a port.
     *
     * @param portGid GID of the port
     * @param joinState JoinState bits, not 0
     * @param isProxy whether another port requested the membership
     * @param account PortGUID of the port to whose share the membership counts; 0 if unknown or not counted
     */
    public record Member(Gid portGid, int joinState, boolean isProxy, long account) {
        /** Creates a membership that counts to the share of the member, unless another port requested it. */
        public Member(Gid portGid, int joinState, boolean isProxy) {
            this(portGid, joinState, isProxy, isProxy ? Shares.NOBODY : portGid.guid());
        }

        /** Returns a copy with other JoinState bits and another proxy bit. */
        Member with(int newJoinState, boolean isStillProxy) {
            return new Member(portGid, newJoinState, isStillProxy, account);
        }

        /** Checks whether the account is the default one: the member, unless another port requested the membership. */
        public boolean isAccountDefault() {
            return account == new Member(portGid, joinState, isProxy).account;
        }

        /** Checks whether the member receives packets; a send-only member does not. */
        public boolean receives() {
            return (joinState & RECEIVING_JOIN_STATES) != 0;
        }
    }

    public Gid mgid() {
        return record.mgid();
    }

    public int mlid() {
        return record.mlid();
    }

    /**
     * Checks whether two groups may share an MLID, so that ports receive and drop packets of the other group.
     * This is allowed for solicited-node addresses of one scope and partition, and for groups of the same
     * partition, MTU, rate and SL.
     */
    public static boolean mayShareMlid(MCMemberRecord a, MCMemberRecord b) {
        boolean isAlike = (a.pKey() & GroupRules.PARTITION_MASK) == (b.pKey() & GroupRules.PARTITION_MASK)
                && a.mtu() == b.mtu()
                && a.rate() == b.rate()
                && a.sl() == b.sl();
        return isAlike || SolicitedNode.areAlike(a.mgid(), b.mgid());
    }

    /**
     * Returns a copy in which the alias GUID of each member is replaced by the PortGUID.
     *
     * @param portOfAlias returns the PortGUID of the port with an alias GUID; 0 if there is none
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

    /** Returns the MCMemberRecord of a member. */
    public MCMemberRecord recordOf(Member member) {
        return record.with(MCMemberRecord.PORT_GID, member.portGid())
                .with(MCMemberRecord.JOIN_STATE, member.joinState())
                .with(MCMemberRecord.PROXY_JOIN, member.isProxy() ? 1 : 0);
    }
}
