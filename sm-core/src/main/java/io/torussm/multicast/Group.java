package io.torussm.multicast;

import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.partition.WellKnownGroup;
import io.torussm.sa.change.Shares;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A multicast group in {@link GroupTable}: its immutable record and its members.
 *
 * <p>Owner thread: the loop.
 */
final class Group {
    /** JoinState bits (IBA 15.2.5.17): a group ends when no member has one of them. */
    static final int KEEPING_JOIN_STATES = MCMemberRecord.FULL_MEMBER | MCMemberRecord.SEND_ONLY_FULL_MEMBER;

    final MCMemberRecord record;

    /** The declaration by which the group exists without members; null if it is not declared. */
    @Nullable
    WellKnownGroup declaration;

    /** Members by PortGID, in the order of their joins. */
    final Map<Gid, MulticastGroup.Member> members = new LinkedHashMap<>();

    /** PortGUID of the port that created the group, to whose share the group counts; 0 if unknown or not counted. */
    final long creator;

    /** Number of members with a bit of {@link #KEEPING_JOIN_STATES}. */
    int keepingMembers;

    /** The group as it was published last. */
    MulticastGroup lastPublished;

    Group(MCMemberRecord record, @Nullable WellKnownGroup declared, long maker) {
        this.creator = maker;
        this.record = record;
        this.declaration = declared;
        this.lastPublished = new MulticastGroup(record, List.of(), maker);
    }

    int mlid() {
        return record.mlid();
    }

    void put(MulticastGroup.Member member) {
        keepingMembers -= keepingCount(members.put(member.portGid(), member));
        keepingMembers += keepingCount(member);
    }

    /** Adds a new member and counts it to the share of its account. */
    void add(MulticastGroup.Member member, Shares shares) {
        put(member);
        shares.count(member.account(), record.pKey(), 1);
    }

    /** Removes a member; returns false if the port is no member. */
    boolean remove(MulticastGroup.Member member, Shares shares) {
        MulticastGroup.Member removed = members.remove(member.portGid());
        if (removed == null) {
            return false;
        }
        keepingMembers -= keepingCount(member);
        shares.count(removed.account(), record.pKey(), -1);
        return true;
    }

    /** Removes all members. */
    void clear(Shares shares) {
        members.values().forEach(member -> shares.count(member.account(), record.pKey(), -1));
        members.clear();
    }

    private static int keepingCount(MulticastGroup.@Nullable Member member) {
        return member != null && (member.joinState() & KEEPING_JOIN_STATES) != 0 ? 1 : 0;
    }
}
