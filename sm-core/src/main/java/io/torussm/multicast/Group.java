package io.torussm.multicast;

import io.torussm.mad.Gid;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.partition.WellKnownGroup;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A multicast group while it exists: its record, which never changes, and its members.
 *
 * <p>Owner thread: as of {@link MulticastGroups}.
 */
final class Group {
    /** Join states (IBA 15.2.5.17) of which a group needs a member to live. */
    static final int KEEPS_GROUP = MCMemberRecord.FULL_MEMBER | MCMemberRecord.SEND_ONLY_FULL_MEMBER;

    final MCMemberRecord record;
    /** Why the group exists without members; null if it does not. */
    @Nullable
    WellKnownGroup declared;

    final Map<Gid, MulticastGroup.Member> members = new LinkedHashMap<>();
    int keepers;
    MulticastGroup published;

    Group(MCMemberRecord record, @Nullable WellKnownGroup declared) {
        this.record = record;
        this.declared = declared;
        this.published = new MulticastGroup(record, List.of());
    }

    int mlid() {
        return record.mlid();
    }

    void put(MulticastGroup.Member member) {
        keepers -= keeps(members.put(member.portGid(), member));
        keepers += keeps(member);
    }

    /** Returns whether it was a member. */
    boolean remove(MulticastGroup.Member member) {
        boolean wasMember = members.remove(member.portGid()) != null;
        keepers -= wasMember ? keeps(member) : 0;
        return wasMember;
    }

    private static int keeps(MulticastGroup.@Nullable Member member) {
        return member != null && (member.joinState() & KEEPS_GROUP) != 0 ? 1 : 0;
    }
}
