package io.torussm.multicast;

import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.Rates;
import io.torussm.partition.PartitionConf;
import io.torussm.partition.WellKnownGroup;
import io.torussm.sa.change.Shares;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;
import java.util.function.LongPredicate;

/**
 * The multicast groups and their members, with the requirements for joining and leaving (IBA 15.2.5.17).
 *
 * <p>Declared groups exist without members. Every other group ends with its last full or send-only full member.
 * Initially the IPoIB broadcast group of the default partition is declared. To join a group, a port must be a full or
 * limited member of the partition of the group.
 *
 * <p>Owner thread: the loop, except for {@link #view()}.
 */
public final class MulticastGroups {
    private static final EventLog EVENTS = EventLog.of(MulticastGroups.class);

    /** {@code ff12:401b:ffff::ffff:ffff}: the IPv4 broadcast address in the default partition. */
    public static final Gid BROADCAST = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_ffff_ffffL);

    /** The number of MLIDs, 0xC000 to 0xFFFE. */
    public static final int MAX_MLIDS = 0x3fff;

    /**
     * The conditions for groups in the published subnet.
     *
     * @param isMulticastEnabled whether there is a multicast tree; without a tree, all joins are refused
     * @param capacity number of MLIDs that every switch supports
     * @param sls the SLs that groups may have: bit n is SL n
     * @param gidPrefix the subnet prefix
     */
    public record Conditions(boolean isMulticastEnabled, int capacity, int sls, long gidPrefix) {}

    private final IntSupplier defaultLife;
    private final GroupTable table;

    /** Declared groups that have no MLID, because none is free. */
    private final Set<Gid> groupsWithoutMlid = new HashSet<>();

    private BooleanSupplier areMlidsShared = () -> false;

    private Conditions conditions = new Conditions(false, MAX_MLIDS, 0xffff, Gid.DEFAULT_PREFIX);

    /** Number of the last MGID that the SA assigned. */
    private int lastAssignedNumber;

    private final GroupSls sls = new GroupSls(0xffff);

    /**
     * Creates the groups that exist without partitions.conf: the broadcast group, without members.
     *
     * @param usualLife returns the default PacketLifeTime, a time value of 6 bits; called when a group is created
     * @param maxMemberships max number of memberships of all groups together
     */
    public MulticastGroups(IntSupplier usualLife, int maxMemberships) {
        this.defaultLife = usualLife;
        this.table = new GroupTable(maxMemberships);
        declare(PartitionConf.NONE.groups());
        publish();
    }

    /**
     * Sets the source of the setting whether groups for IPv6 solicited-node addresses of one scope and partition share
     * an MLID. It is called for each new group; existing groups keep their MLIDs.
     */
    public void shareMlids(BooleanSupplier wanted) {
        areMlidsShared = wanted;
    }

    private int capacity() {
        return Math.min(MAX_MLIDS, conditions.capacity());
    }

    /**
     * Sets the groups that exist without members. A group that is no longer declared ends with its last member that
     * keeps it. If a group is declared with other values, it takes them at a later declaration without members.
     */
    public void declare(List<WellKnownGroup> wellKnown) {
        Set<Gid> wanted = new HashSet<>();
        wellKnown.forEach(group -> wanted.add(group.mgid()));
        for (Group group : table.all()) {
            if (group.declaration != null && !wanted.contains(group.record.mgid())) {
                table.undeclare(group);
            }
        }
        groupsWithoutMlid.retainAll(wanted);
        wellKnown.forEach(this::declare);
    }

    private void declare(WellKnownGroup wanted) {
        Group present = table.find(wanted.mgid());
        boolean isNews = present == null || !Objects.equals(wanted, present.declaration);
        if (present == null) {
            int mlid = table.mlids().lowestFree(capacity());
            if (mlid == Mlids.NONE) {
                if (groupsWithoutMlid.add(wanted.mgid())) {
                    EVENTS.report(
                            SmEvent.GROUP_NO_MLID,
                            EventField.FILE.of(wanted.source()),
                            EventField.MGID.of(wanted.mgid()));
                }
                return;
            }
            groupsWithoutMlid.remove(wanted.mgid());
            table.add(new Group(GroupRules.recordOf(wanted, defaultLife.getAsInt(), mlid), wanted, Shares.NOBODY));
        } else if (present.record.equals(GroupRules.recordOf(wanted, defaultLife.getAsInt(), present.mlid()))) {
            present.declaration = wanted;
        } else if (present.members.isEmpty()) {
            table.add(new Group(
                    GroupRules.recordOf(wanted, defaultLife.getAsInt(), present.mlid()), wanted, Shares.NOBODY));
        } else {
            present.declaration = wanted;
            if (isNews) {
                EVENTS.report(
                        SmEvent.GROUP_KEPT, EventField.FILE.of(wanted.source()), EventField.MGID.of(wanted.mgid()));
            }
        }
        if (isNews && conditions.isMulticastEnabled() && !sls.isAllowed(wanted.sl())) {
            EVENTS.report(SmEvent.GROUP_NOT_FORWARDED.finding(
                    wanted.source() + ": " + sls.refusalText(wanted.mgid(), wanted.sl())));
        }
    }

    /**
     * Adds the groups of an earlier process or of another SM. Ports that vanished since then leave with {@link #adopt}.
     *
     * @param gidPrefix the subnet prefix; members with another prefix are not added
     */
    void add(List<MulticastGroup> previousGroups, long gidPrefix) {
        Map<Gid, WellKnownGroup> moved = removeConflicting(previousGroups);
        for (MulticastGroup previousGroup : previousGroups) {
            if (table.find(previousGroup.mgid()) == null && table.mlids().isAvailable(previousGroup.record())) {
                table.add(new Group(previousGroup.record(), null, previousGroup.creator()));
            }
            Group group = table.find(previousGroup.mgid());
            if (group != null) {
                WellKnownGroup declared = moved.get(previousGroup.mgid());
                group.declaration = declared == null ? group.declaration : declared;
                previousGroup.members().stream()
                        .filter(member -> member.portGid().prefix() == gidPrefix)
                        .forEach(member -> table.restoreMember(group, member));
                table.endIfUnneeded(group);
            }
        }
        moved.values().forEach(this::declare);
    }

    /**
     * Removes declared groups without members whose MLID conflicts with the previous groups: another previous group has
     * it, or the same group had another MLID. Switches and hosts still use the previous MLIDs.
     *
     * @return declarations of the removed groups by MGID, to be declared again after the previous groups are added
     */
    private Map<Gid, WellKnownGroup> removeConflicting(List<MulticastGroup> previousGroups) {
        Map<Gid, Integer> previousMlids = new HashMap<>();
        previousGroups.forEach(old -> previousMlids.put(old.mgid(), old.mlid()));
        Set<Integer> usedMlids = new HashSet<>(previousMlids.values());
        Map<Gid, WellKnownGroup> moved = new LinkedHashMap<>();
        for (Group group : table.all()) {
            Integer previousMlid = previousMlids.get(group.record.mgid());
            boolean mustMove = previousMlid == null ? usedMlids.contains(group.mlid()) : previousMlid != group.mlid();
            WellKnownGroup declared = group.declaration;
            if (declared != null && group.members.isEmpty() && mustMove) {
                moved.put(group.record.mgid(), declared);
                table.undeclare(group);
            }
        }
        return moved;
    }

    /**
     * Keeps entries that another master SM left in switches until hosts join again. Their MLIDs are assigned to groups
     * that the receiving ports create.
     *
     * @param ports PortGUIDs of the ports to which the entries forward, by MLID; empty to drop the entries
     */
    void inherit(SortedMap<Integer, Set<Long>> ports) {
        table.inherit(ports);
    }

    /** Returns the last published groups; may be called from any thread. */
    public MulticastView view() {
        return table.view();
    }

    /**
     * Publishes the changes.
     *
     * @return the MLIDs, less {@link MulticastView#FIRST_MLID}, of the groups that changed, began or ended
     */
    public BitSet publish() {
        BitSet changed = table.publish();
        if (!changed.isEmpty()) {
            table.mlids().reportShortageEnd(capacity());
        }
        return changed;
    }

    /**
     * Adopts another subnet: vanished ports leave their groups, and requests are checked against new conditions.
     *
     * @param exists checks whether a port with a GUID stays a member
     */
    public void adopt(Conditions newConditions, LongPredicate exists) {
        boolean isNews = sls.replace(newConditions.sls());
        conditions = newConditions;
        for (Group group : table.all()) {
            for (MulticastGroup.Member member : List.copyOf(group.members.values())) {
                if (!exists.test(member.portGid().guid())) {
                    table.remove(group, member);
                }
            }
            if (isNews && newConditions.isMulticastEnabled() && !sls.isAllowed(group.record.sl())) {
                WellKnownGroup declared = group.declaration;
                EVENTS.report(SmEvent.GROUP_NOT_FORWARDED.finding((declared == null ? "" : declared.source() + ": ")
                        + sls.refusalText(group.record.mgid(), group.record.sl())));
            }
        }
    }

    /** Removes all members. */
    public void forget() {
        adopt(conditions, guid -> false);
    }

    /**
     * Joins a port to a group. If there is no such group, and the request contains the necessary components, the group
     * is created.
     */
    public MembershipReply join(MembershipRequest request) {
        if (!conditions.isMulticastEnabled()) {
            return request.refusal(MadStatus.SA_NO_RESOURCES);
        }
        MCMemberRecord wanted = request.record();
        if (request.has(MCMemberRecord.P_KEY) && (wanted.pKey() & GroupRules.PARTITION_MASK) == 0) {
            return request.refusal(MadStatus.SA_REQ_INVALID);
        }
        Group group = table.find(wanted.mgid());
        if (group == null) {
            return create(request);
        }
        boolean isAgreed = GroupRules.matches(request, group.record) && GroupValues.isSatisfied(request, group.record);
        int status = isAgreed ? admissionStatus(request, group) : MadStatus.SA_REQ_INVALID;
        return status == MadStatus.OK ? admit(request, group) : request.refusal(status);
    }

    private MembershipReply create(MembershipRequest request) {
        int status = creationStatus(request);
        if (status != MadStatus.OK) {
            return request.refusal(status);
        }
        MCMemberRecord wanted =
                GroupRules.newRecord(request, mgidFor(request), defaultLife.getAsInt(), requestedMlid(request));
        int inheritedMlid = table.mlids().inheritedBy(request.record().portGid().guid(), capacity());
        int mlid = inheritedMlid != Mlids.NONE && !request.has(MCMemberRecord.MLID)
                ? inheritedMlid
                : mlidFor(wanted, request.account());
        if (mlid == Mlids.NONE) {
            return request.refusal(MadStatus.SA_NO_RESOURCES);
        }
        Group group = new Group(wanted.with(MCMemberRecord.MLID, mlid), null, request.account());
        status = admissionStatus(request, group);
        if (status != MadStatus.OK) {
            return request.refusal(status);
        }
        table.add(group);
        return admit(request, group);
    }

    /**
     * Returns an MLID for a new group; NONE if none is available. If the port has as many groups as there are free
     * MLIDs, its new group shares the MLID of one of its groups. In a partition other than the default one, it may
     * share that of any group that {@link MulticastGroup#mayShareMlid} permits.
     *
     * @param wanted record of the new group
     * @param maker PortGUID of the port to whose share the group counts
     */
    private int mlidFor(MCMemberRecord wanted, long maker) {
        int free = table.mlids().countFree(capacity());
        if (table.mlids().freeGroups() > 0
                && !table.creatorShares()
                        .hasRoom(maker, wanted.pKey(), table.mlids().freeGroups())) {
            return Mlids.NONE;
        }
        return free == 0 || table.creatorShares().hasRoom(maker, wanted.pKey(), free)
                ? table.mlids().chooseMlid(wanted, capacity(), areMlidsShared.getAsBoolean(), this::isUndeclared)
                : table.mlids()
                        .sharedMlid(
                                wanted,
                                capacity(),
                                mgid -> isUndeclared(mgid)
                                        && (isCreatedBy(mgid, maker) || Shares.isBounded(wanted.pKey())));
    }

    private boolean isCreatedBy(Gid mgid, long maker) {
        Group group = table.find(mgid);
        return group != null && group.creator == maker;
    }

    private static int requestedMlid(MembershipRequest request) {
        return request.has(MCMemberRecord.MLID) ? request.record().mlid() : Mlids.NONE;
    }

    /**
     * Checks whether there is an undeclared group with an MGID. Packets of a declared group may go to all ports, so
     * that it shares no MLID.
     */
    private boolean isUndeclared(Gid mgid) {
        Group group = table.find(mgid);
        return group != null && group.declaration == null;
    }

    private int creationStatus(MembershipRequest request) {
        if ((request.record().joinState() & Group.KEEPING_JOIN_STATES) == 0) {
            return MadStatus.SA_REQ_INVALID;
        }
        for (Field needed : GroupRules.REQUIRED_FOR_CREATION) {
            if (!request.has(needed)) {
                return MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS;
            }
        }
        boolean isPossible = isGoodMgid(request)
                && sls.checkAllowed(request.record().sl())
                && GroupValues.mtu(request) != GroupValues.NONE
                && GroupValues.rate(request) != GroupValues.NONE
                && GroupValues.lifeTime(request, defaultLife.getAsInt()) != GroupValues.NONE;
        return isPossible ? MadStatus.OK : MadStatus.SA_REQ_INVALID;
    }

    /**
     * Checks the MGID of a new group (IBA 4.1.1, 15.2.5.17.1). It may be 0, so that the SA assigns one. A group of
     * IPoIB needs its broadcast group (RFC 4391), and must agree with it.
     */
    private boolean isGoodMgid(MembershipRequest request) {
        Gid mgid = request.record().mgid();
        if (Mgids.isZero(mgid) || !mgid.isMulticast()) {
            return Mgids.isZero(mgid);
        }
        if (Mgids.isIp(mgid)) {
            Gid broadcast = Mgids.broadcastOf(mgid);
            Group broadcastGroup = table.find(broadcast);
            return mgid.equals(broadcast)
                    || (broadcastGroup != null && GroupRules.matches(request, broadcastGroup.record));
        }
        return Mgids.isFreeToChoose(mgid);
    }

    private Gid mgidFor(MembershipRequest request) {
        MCMemberRecord wanted = request.record();
        int scope = request.has(MCMemberRecord.SCOPE) ? (int) wanted.get(MCMemberRecord.SCOPE) : Mgids.LINK_LOCAL;
        return Mgids.isZero(wanted.mgid()) ? assignMgid(scope) : wanted.mgid();
    }

    /** Returns an unused MGID of those that the SA assigns. */
    private Gid assignMgid(int scope) {
        Gid mgid;
        do {
            lastAssignedNumber++;
            mgid = Mgids.ofSa(scope, conditions.gidPrefix(), lastAssignedNumber);
        } while (table.find(mgid) != null);
        return mgid;
    }

    private int admissionStatus(MembershipRequest request, Group group) {
        MCMemberRecord record = group.record;
        MulticastGroup.Member presentMember = group.members.get(request.record().portGid());
        boolean isFit = request.portMtu() >= record.mtu()
                && Rates.isDefined(record.rate())
                && Rates.compare(request.portRate(), record.rate()) >= 0
                && request.record().joinState() != 0
                && request.portKeys().isIn(record.pKey())
                && sls.checkAllowed(record.sl())
                && (presentMember == null
                        ? GroupRules.mayJoinFor(request)
                        : GroupRules.mayChange(request, presentMember, record));
        if (!isFit) {
            return MadStatus.SA_REQ_INVALID;
        }
        boolean hasRoom = presentMember != null || table.hasRoom(request.account(), group);
        return hasRoom ? MadStatus.OK : MadStatus.SA_NO_RESOURCES;
    }

    private MembershipReply admit(MembershipRequest request, Group group) {
        Gid portGid = request.record().portGid();
        MulticastGroup.Member previous = group.members.get(portGid);
        MulticastGroup.Member member = previous == null
                ? new MulticastGroup.Member(
                        portGid, request.record().joinState(), request.isByProxy(), request.account())
                : previous.with(
                        previous.joinState() | request.record().joinState(), previous.isProxy() && request.isByProxy());
        if (previous == null) {
            table.addMember(group, member);
        } else if (!member.equals(previous)) {
            group.put(member);
            table.markChanged(group);
        }
        return new MembershipReply(MadStatus.OK, group.lastPublished.recordOf(member));
    }

    /** Removes JoinState bits of a member; removes the member if no bits remain. */
    public MembershipReply leave(MembershipRequest request) {
        Group group = table.find(request.record().mgid());
        MulticastGroup.Member member =
                group == null ? null : group.members.get(request.record().portGid());
        int leaving = request.record().joinState();
        if (group == null
                || member == null
                || leaving == 0
                || (member.joinState() & leaving) != leaving
                || !GroupRules.mayChange(request, member, group.record)) {
            return request.refusal(MadStatus.SA_REQ_INVALID);
        }
        int remainingBits = member.joinState() & ~leaving;
        if (remainingBits == 0) {
            table.remove(group, member);
            return new MembershipReply(
                    MadStatus.OK,
                    GroupRules.withExactSelectors(MCMemberRecord.TYPE.zero())
                            .with(MCMemberRecord.MGID, group.record.mgid())
                            .with(MCMemberRecord.PORT_GID, member.portGid())
                            .with(MCMemberRecord.SCOPE, group.record.get(MCMemberRecord.SCOPE)));
        }
        MulticastGroup.Member remainingMember = member.with(remainingBits, member.isProxy());
        group.put(remainingMember);
        table.markChanged(group);
        table.endIfUnneeded(group);
        return new MembershipReply(MadStatus.OK, group.lastPublished.recordOf(remainingMember));
    }
}
