package io.torussm.multicast;

import io.torussm.mad.Gid;
import io.torussm.sa.change.Shares;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * The groups by MGID with their members, MLIDs and shares, and the published view of them. It checks no requests, but
 * ends a group that is neither declared nor kept by a member.
 *
 * <p>Owner thread: the loop, except for {@link #view()}.
 */
final class GroupTable {
    private final int maxMemberships;
    private final Map<Gid, Group> byMgid = new HashMap<>();
    private final Mlids mlids = new Mlids();
    private final Shares creatorShares = new Shares("multicast groups", Mlids.MAX_GROUPS);
    private final Shares memberShares = new Shares("multicast memberships", Integer.MAX_VALUE);

    /** MLIDs, less {@link MulticastView#FIRST_MLID}, whose members changed since the last publication. */
    private BitSet changedMlidOffsets = new BitSet();

    /** Number of memberships of all groups together. */
    private int memberships;

    private volatile MulticastView view = MulticastView.EMPTY;

    /**
     * Creates a table without groups.
     *
     * @param maxMemberships max number of memberships of all groups together
     */
    GroupTable(int maxMemberships) {
        this.maxMemberships = maxMemberships;
    }

    /** Returns the group with an MGID; null if there is none. */
    @Nullable
    Group find(Gid mgid) {
        return byMgid.get(mgid);
    }

    /** Returns a copy of the list of groups, by ascending MLID. */
    List<Group> all() {
        List<Group> all = new ArrayList<>(byMgid.size());
        for (Gid mgid : mlids.mgids()) {
            Group group = byMgid.get(mgid);
            if (group != null) {
                all.add(group);
            }
        }
        return all;
    }

    /** Returns the assignment of MLIDs. */
    Mlids mlids() {
        return mlids;
    }

    /** Returns the shares of ports in the number of groups. */
    Shares creatorShares() {
        return creatorShares;
    }

    /** Adds a group; it replaces a group with the same MGID. */
    void add(Group group) {
        Group previous = byMgid.put(group.record.mgid(), group);
        if (previous != null) {
            mlids.remove(previous.record);
            creatorShares.count(previous.creator, previous.record.pKey(), -1);
        }
        mlids.add(group.record);
        creatorShares.count(group.creator, group.record.pKey(), 1);
        markChanged(group);
    }

    /** Ends a group if it is neither declared nor kept by a member. */
    void endIfUnneeded(Group group) {
        if (group.keepingMembers == 0 && group.declaration == null && byMgid.remove(group.record.mgid(), group)) {
            mlids.remove(group.record);
            creatorShares.count(group.creator, group.record.pKey(), -1);
            memberships -= group.members.size();
            group.clear(memberShares);
        }
    }

    /** Ends the declaration of a group, and the group if no member keeps it. */
    void undeclare(Group group) {
        group.declaration = null;
        markChanged(group);
        endIfUnneeded(group);
    }

    /** Checks whether an account may have another membership in a group. */
    boolean hasRoom(long account, Group group) {
        return memberShares.hasRoom(account, group.record.pKey(), maxMemberships - memberships);
    }

    /** Adds a new member. */
    void addMember(Group group, MulticastGroup.Member member) {
        memberships++;
        group.add(member, memberShares);
        markChanged(group);
    }

    /** Adds a member of an earlier run, if it is absent and there is room. */
    void restoreMember(Group group, MulticastGroup.Member member) {
        if (memberships < maxMemberships && !group.members.containsKey(member.portGid())) {
            addMember(group, member);
        }
    }

    /** Removes a member; does nothing if the port is no member. */
    void remove(Group group, MulticastGroup.Member member) {
        if (group.remove(member, memberShares)) {
            memberships--;
            markChanged(group);
            endIfUnneeded(group);
        }
    }

    /** Replaces the entries that another master left in switches; see {@link MulticastGroups#inherit}. */
    void inherit(SortedMap<Integer, Set<Long>> ports) {
        mlids.inherited().keySet().forEach(this::markChanged);
        ports.keySet().forEach(this::markChanged);
        mlids.inherit(ports);
    }

    /** Marks a group for the next publication. */
    void markChanged(Group group) {
        markChanged(group.mlid());
    }

    private void markChanged(int mlid) {
        changedMlidOffsets.set(mlid - MulticastView.FIRST_MLID);
    }

    /** Returns the last published groups; may be called from any thread. */
    MulticastView view() {
        return view;
    }

    /**
     * Publishes the changes.
     *
     * @return the MLIDs, less {@link MulticastView#FIRST_MLID}, of the groups that changed, began or ended
     */
    BitSet publish() {
        BitSet changedGroups = changedMlidOffsets;
        if (changedGroups.isEmpty()) {
            return changedGroups;
        }
        changedMlidOffsets = new BitSet();
        List<MulticastGroup> groups = new ArrayList<>(byMgid.size());
        for (Group group : all()) {
            if (changedGroups.get(group.mlid() - MulticastView.FIRST_MLID)) {
                group.lastPublished =
                        new MulticastGroup(group.record, List.copyOf(group.members.values()), group.creator);
            }
            groups.add(group.lastPublished);
        }
        view = new MulticastView(groups, mlids.inherited());
        return changedGroups;
    }
}
