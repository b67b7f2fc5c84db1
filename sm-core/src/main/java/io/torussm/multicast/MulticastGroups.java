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
 * <p>Declared groups exist without members; every other group ends with its last full member. Initially the
 * IPoIB broadcast group of the default partition is declared. To join a group, a port must be a full or
 * limited member of its partition.
 *
 * <p>Owner thread: the loop of the SM, except for {@link #view()}.
 */
public final class MulticastGroups {
    private static final EventLog EVENTS = EventLog.of(MulticastGroups.class);

    /** {@code ff12:401b:ffff::ffff:ffff}: the IPv4 broadcast address in the default partition. */
    public static final Gid BROADCAST = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_ffff_ffffL);

    /** The number of MLIDs, 0xC000 to 0xFFFE. */
    public static final int MAX_MLIDS = 0x3fff;

    /**
     * The conditions that the subnet sets.
     *
     * @param isOn whether there is a multicast tree; without one, all joins are refused
     * @param capacity number of groups that every switch supports
     * @param sls the SLs (bit n: SL n) that groups may have
     * @param gidPrefix the subnet prefix
     */
    public record Conditions(boolean isOn, int capacity, int sls, long gidPrefix) {}

    private final IntSupplier usualLife;
    private final GroupTable table;

    /** Declared groups that have no MLID, because none is free. */
    private final Set<Gid> withoutMlid = new HashSet<>();

    private BooleanSupplier areSharing = () -> false;

    private Conditions conditions = new Conditions(false, MAX_MLIDS, 0xffff, Gid.DEFAULT_PREFIX);
    private int madeUp;
    private final GroupSls sls = new GroupSls(0xffff);

    /**
     * Declares the groups that exist without partitions.conf: the broadcast group, without members.
     *
     * @param usualLife default PacketLifeTime, a time value; read when a group is created
     * @param maxMemberships limit of the memberships of all groups together
     */
    public MulticastGroups(IntSupplier usualLife, int maxMemberships) {
        this.usualLife = usualLife;
        this.table = new GroupTable(maxMemberships);
        declare(PartitionConf.NONE.groups());
        publish();
    }

    /**
     * Sets whether groups for IPv6 solicited-node addresses of one scope and partition share an MLID; read
     * for each new group. Existing groups keep their MLIDs.
     */
    public void shareMlids(BooleanSupplier wanted) {
        areSharing = wanted;
    }

    private int capacity() {
        return Math.min(MAX_MLIDS, conditions.capacity());
    }

    /**
     * Sets the groups that exist without members. A group that is no longer declared ends with its last
     * member. A group that is declared with other values gets them when it has no members.
     */
    public void declare(List<WellKnownGroup> wellKnown) {
        Set<Gid> wanted = new HashSet<>();
        wellKnown.forEach(group -> wanted.add(group.mgid()));
        for (Group group : table.all()) {
            if (group.declared != null && !wanted.contains(group.record.mgid())) {
                table.undeclare(group);
            }
        }
        withoutMlid.retainAll(wanted);
        wellKnown.forEach(this::declare);
    }

    private void declare(WellKnownGroup wanted) {
        Group present = table.find(wanted.mgid());
        boolean isNews = present == null || !Objects.equals(wanted, present.declared);
        if (present == null) {
            int mlid = table.mlids().lowestFree(capacity());
            if (mlid == Mlids.NONE) {
                if (withoutMlid.add(wanted.mgid())) {
                    EVENTS.report(
                            SmEvent.GROUP_NO_MLID,
                            EventField.FILE.of(wanted.where()),
                            EventField.MGID.of(wanted.mgid()));
                }
                return;
            }
            withoutMlid.remove(wanted.mgid());
            table.add(new Group(GroupRules.recordOf(wanted, usualLife.getAsInt(), mlid), wanted, Shares.NOBODY));
        } else if (present.record.equals(GroupRules.recordOf(wanted, usualLife.getAsInt(), present.mlid()))) {
            present.declared = wanted;
        } else if (present.members.isEmpty()) {
            table.add(new Group(
                    GroupRules.recordOf(wanted, usualLife.getAsInt(), present.mlid()), wanted, Shares.NOBODY));
        } else {
            present.declared = wanted;
            if (isNews) {
                EVENTS.report(
                        SmEvent.GROUP_KEPT, EventField.FILE.of(wanted.where()), EventField.MGID.of(wanted.mgid()));
            }
        }
        if (isNews && conditions.isOn() && !sls.allow(wanted.sl())) {
            EVENTS.report(
                    SmEvent.GROUP_NOT_FORWARDED.says(wanted.where() + ": " + sls.unusable(wanted.mgid(), wanted.sl())));
        }
    }

    /**
     * Adds the groups of an earlier run or of another SM. Ports that vanished since then leave with
     * {@link #adopt}.
     *
     * @param gidPrefix the subnet prefix; members of another one are left out
     */
    void add(List<MulticastGroup> earlier, long gidPrefix) {
        Map<Gid, WellKnownGroup> moved = makeWay(earlier);
        for (MulticastGroup old : earlier) {
            if (table.find(old.mgid()) == null && table.mlids().mayHave(old.record())) {
                table.add(new Group(old.record(), null, old.maker()));
            }
            Group group = table.find(old.mgid());
            if (group != null) {
                WellKnownGroup declared = moved.get(old.mgid());
                group.declared = declared == null ? group.declared : declared;
                old.members().stream()
                        .filter(member -> member.portGid().prefix() == gidPrefix)
                        .forEach(member -> table.restoreMember(group, member));
                table.endIfUnneeded(group);
            }
        }
        moved.values().forEach(this::declare);
    }

    /**
     * Removes declared groups without members whose MLID belonged to another earlier group, or that had another
     * MLID earlier. Switches and hosts still use the earlier MLIDs.
     *
     * @return the removed groups, to be declared again after the earlier groups are added
     */
    private Map<Gid, WellKnownGroup> makeWay(List<MulticastGroup> earlier) {
        Map<Gid, Integer> had = new HashMap<>();
        earlier.forEach(old -> had.put(old.mgid(), old.mlid()));
        Set<Integer> wanted = new HashSet<>(had.values());
        Map<Gid, WellKnownGroup> moved = new LinkedHashMap<>();
        for (Group group : table.all()) {
            Integer own = had.get(group.record.mgid());
            boolean mustMove = own == null ? wanted.contains(group.mlid()) : own != group.mlid();
            WellKnownGroup declared = group.declared;
            if (declared != null && group.members.isEmpty() && mustMove) {
                moved.put(group.record.mgid(), declared);
                table.undeclare(group);
            }
        }
        return moved;
    }

    /**
     * Keeps entries that another master SM left in switches until hosts join again. Their MLIDs are assigned
     * to groups that the receiving ports create.
     *
     * @param ports by MLID, GUIDs of the ports to which the entries forward; empty to drop the entries
     */
    void inherit(SortedMap<Integer, Set<Long>> ports) {
        table.inherit(ports);
    }

    /** Returns the last published groups; from any thread. */
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
            table.mlids().look(capacity());
        }
        return changed;
    }

    /**
     * Adopts another subnet: vanished ports leave their groups, and requests are checked against new
     * conditions.
     *
     * @param exists checks whether a port has this GUID
     */
    public void adopt(Conditions newConditions, LongPredicate exists) {
        boolean isNews = sls.adopt(newConditions.sls());
        conditions = newConditions;
        for (Group group : table.all()) {
            for (MulticastGroup.Member member : List.copyOf(group.members.values())) {
                if (!exists.test(member.portGid().guid())) {
                    table.remove(group, member);
                }
            }
            if (isNews && newConditions.isOn() && !sls.allow(group.record.sl())) {
                WellKnownGroup declared = group.declared;
                EVENTS.report(SmEvent.GROUP_NOT_FORWARDED.says((declared == null ? "" : declared.where() + ": ")
                        + sls.unusable(group.record.mgid(), group.record.sl())));
            }
        }
    }

    /** Removes all members. */
    public void forget() {
        adopt(conditions, guid -> false);
    }

    /**
     * Joins a port to a group. If there is no such group, and the request gives enough components, the group
     * is created.
     */
    public MembershipReply join(MembershipRequest request) {
        if (!conditions.isOn()) {
            return request.refused(MadStatus.SA_NO_RESOURCES);
        }
        MCMemberRecord wanted = request.wanted();
        if (request.has(MCMemberRecord.P_KEY) && (wanted.pKey() & GroupRules.PARTITION) == 0) {
            return request.refused(MadStatus.SA_REQ_INVALID);
        }
        Group group = table.find(wanted.mgid());
        if (group == null) {
            return create(request);
        }
        boolean isAgreed = GroupRules.agrees(request, group.record) && GroupValues.meet(request, group.record);
        int status = isAgreed ? admissionStatus(request, group) : MadStatus.SA_REQ_INVALID;
        return status == MadStatus.OK ? admit(request, group) : request.refused(status);
    }

    private MembershipReply create(MembershipRequest request) {
        int status = creationStatus(request);
        if (status != MadStatus.OK) {
            return request.refused(status);
        }
        MCMemberRecord wanted =
                GroupRules.newRecord(request, mgidFor(request), usualLife.getAsInt(), mlidWanted(request));
        int had = table.mlids().inheritedBy(request.wanted().portGid().guid(), capacity());
        int mlid = had != Mlids.NONE && !request.has(MCMemberRecord.MLID) ? had : mlidFor(wanted, request.account());
        if (mlid == Mlids.NONE) {
            return request.refused(MadStatus.SA_NO_RESOURCES);
        }
        Group group = new Group(wanted.with(MCMemberRecord.MLID, mlid), null, request.account());
        status = admissionStatus(request, group);
        if (status != MadStatus.OK) {
            return request.refused(status);
        }
        table.add(group);
        return admit(request, group);
    }

    /**
     * Returns an MLID for a new group. If a port already has as many groups as there are free MLIDs, it must
     * share the MLID of one of its groups. A tenant must share that of one of its partition.
     */
    private int mlidFor(MCMemberRecord wanted, long maker) {
        int free = table.mlids().free(capacity());
        if (table.mlids().room() > 0
                && !table.makers().hasRoom(maker, wanted.pKey(), table.mlids().room())) {
            return Mlids.NONE;
        }
        return free == 0 || table.makers().hasRoom(maker, wanted.pKey(), free)
                ? table.mlids().forNew(wanted, capacity(), areSharing.getAsBoolean(), this::isUndeclared)
                : table.mlids()
                        .amongThose(
                                wanted,
                                capacity(),
                                mgid -> isUndeclared(mgid) && (isOf(mgid, maker) || Shares.isBounded(wanted.pKey())));
    }

    private boolean isOf(Gid mgid, long maker) {
        Group group = table.find(mgid);
        return group != null && group.maker == maker;
    }

    private static int mlidWanted(MembershipRequest request) {
        return request.has(MCMemberRecord.MLID) ? request.wanted().mlid() : Mlids.NONE;
    }

    /**
     * Checks whether a group is not declared. Packets of a declared group may go to all ports, so that it
     * shares no MLID.
     */
    private boolean isUndeclared(Gid mgid) {
        Group group = table.find(mgid);
        return group != null && group.declared == null;
    }

    private int creationStatus(MembershipRequest request) {
        if ((request.wanted().joinState() & Group.KEEPS_GROUP) == 0) {
            return MadStatus.SA_REQ_INVALID;
        }
        for (Field needed : GroupRules.CREATES) {
            if (!request.has(needed)) {
                return MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS;
            }
        }
        boolean isPossible = isGoodMgid(request)
                && sls.allowOrComplain(request.wanted().sl())
                && GroupValues.mtu(request) != GroupValues.NONE
                && GroupValues.rate(request) != GroupValues.NONE
                && GroupValues.life(request, usualLife.getAsInt()) != GroupValues.NONE;
        return isPossible ? MadStatus.OK : MadStatus.SA_REQ_INVALID;
    }

    /**
     * Checks an MGID (IBA 4.1.1, 15.2.5.17.1). One of IPoIB needs its broadcast group (RFC 4391), and must
     * agree with it.
     */
    private boolean isGoodMgid(MembershipRequest request) {
        Gid mgid = request.wanted().mgid();
        if (Mgids.isZero(mgid) || !mgid.isMulticast()) {
            return Mgids.isZero(mgid);
        }
        if (Mgids.isIp(mgid)) {
            Gid broadcast = Mgids.broadcastOf(mgid);
            Group like = table.find(broadcast);
            return mgid.equals(broadcast) || (like != null && GroupRules.agrees(request, like.record));
        }
        return Mgids.isFreeToChoose(mgid);
    }

    private Gid mgidFor(MembershipRequest request) {
        MCMemberRecord wanted = request.wanted();
        int scope = request.has(MCMemberRecord.SCOPE) ? (int) wanted.get(MCMemberRecord.SCOPE) : Mgids.LINK_LOCAL;
        return Mgids.isZero(wanted.mgid()) ? makeUp(scope) : wanted.mgid();
    }

    /** Returns an unused MGID out of those that the SA assigns. */
    private Gid makeUp(int scope) {
        Gid mgid;
        do {
            madeUp++;
            mgid = Mgids.ofSa(scope, conditions.gidPrefix(), madeUp);
        } while (table.find(mgid) != null);
        return mgid;
    }

    private int admissionStatus(MembershipRequest request, Group group) {
        MCMemberRecord record = group.record;
        MulticastGroup.Member already = group.members.get(request.wanted().portGid());
        boolean isFit = request.portMtu() >= record.mtu()
                && Rates.isDefined(record.rate())
                && Rates.compare(request.portRate(), record.rate()) >= 0
                && request.wanted().joinState() != 0
                && request.portKeys().isIn(record.pKey())
                && sls.allowOrComplain(record.sl())
                && (already == null ? GroupRules.maySpeakFor(request) : GroupRules.mayChange(request, already, record));
        if (!isFit) {
            return MadStatus.SA_REQ_INVALID;
        }
        boolean hasRoom = already != null || table.hasRoom(request.account(), group);
        return hasRoom ? MadStatus.OK : MadStatus.SA_NO_RESOURCES;
    }

    private MembershipReply admit(MembershipRequest request, Group group) {
        Gid portGid = request.wanted().portGid();
        MulticastGroup.Member previous = group.members.get(portGid);
        MulticastGroup.Member member = previous == null
                ? new MulticastGroup.Member(
                        portGid, request.wanted().joinState(), request.isByProxy(), request.account())
                : previous.with(
                        previous.joinState() | request.wanted().joinState(), previous.isProxy() && request.isByProxy());
        if (previous == null) {
            table.addMember(group, member);
        } else if (!member.equals(previous)) {
            group.put(member);
            table.markChanged(group);
        }
        return new MembershipReply(MadStatus.OK, group.published.recordOf(member));
    }

    /** Removes JoinState bits of a member; removes the member if no bits are left. */
    public MembershipReply leave(MembershipRequest request) {
        Group group = table.find(request.wanted().mgid());
        MulticastGroup.Member member =
                group == null ? null : group.members.get(request.wanted().portGid());
        int leaving = request.wanted().joinState();
        if (group == null
                || member == null
                || leaving == 0
                || (member.joinState() & leaving) != leaving
                || !GroupRules.mayChange(request, member, group.record)) {
            return request.refused(MadStatus.SA_REQ_INVALID);
        }
        int left = member.joinState() & ~leaving;
        if (left == 0) {
            table.remove(group, member);
            return new MembershipReply(
                    MadStatus.OK,
                    GroupRules.exactly(MCMemberRecord.TYPE.zero())
                            .with(MCMemberRecord.MGID, group.record.mgid())
                            .with(MCMemberRecord.PORT_GID, member.portGid())
                            .with(MCMemberRecord.SCOPE, group.record.get(MCMemberRecord.SCOPE)));
        }
        MulticastGroup.Member rest = member.with(left, member.isProxy());
        group.put(rest);
        table.markChanged(group);
        table.endIfUnneeded(group);
        return new MembershipReply(MadStatus.OK, group.published.recordOf(rest));
    }
}
