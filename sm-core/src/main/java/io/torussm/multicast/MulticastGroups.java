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
import io.torussm.transport.Shares;
import java.util.ArrayList;
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
 * The multicast groups and their members, and the rules by which ports join and leave (IBA 15.2.5.17).
 *
 * <p>Groups that are declared exist without members; every other group ends with its last full member. From the start
 * the IPoIB broadcast group of the default partition is declared. Only a port that is in the partition of a group, as a
 * full or a limited member, can join it.
 *
 * <p>Owner thread: the loop of the SM, except for {@link #view()}.
 */
public final class MulticastGroups {
    private static final EventLog EVENTS = EventLog.of(MulticastGroups.class);

    /** {@code ff12:401b:ffff::ffff:ffff}: the IPv4 broadcast address in the default partition. */
    public static final Gid BROADCAST = new Gid(0xff12_401b_ffff_0000L, 0x0000_0000_ffff_ffffL);

    /** MLIDs that there are: 0xC000 to 0xFFFE. */
    public static final int MAX_MLIDS = 0x3fff;

    /**
     * What the subnet allows.
     *
     * @param isOn whether there is a tree for multicast; without one nobody may join
     * @param capacity groups that all switches have room for
     * @param sls the SLs (bit n: SL n) that groups may have
     * @param gidPrefix the subnet prefix
     */
    public record Conditions(boolean isOn, int capacity, int sls, long gidPrefix) {}

    private final IntSupplier usualLife;
    private final int maxMemberships;
    private final Map<Gid, Group> byMgid = new HashMap<>();

    /** Declared groups for which there is no MLID. */
    private final Set<Gid> withoutMlid = new HashSet<>();

    private final Mlids mlids = new Mlids();
    private final Shares makers = new Shares("multicast groups", Mlids.MAX_GROUPS);
    private final Shares joiners = new Shares("multicast memberships", Integer.MAX_VALUE);
    private BooleanSupplier areSharing = () -> false;

    /** MLIDs whose members changed since the last publication; from {@link MulticastView#FIRST_MLID}. */
    private BitSet changed = new BitSet();

    private Conditions conditions = new Conditions(false, MAX_MLIDS, 0xffff, Gid.DEFAULT_PREFIX);
    private int memberships;
    private int madeUp;
    private final GroupSls sls = new GroupSls(0xffff);
    private volatile MulticastView view = MulticastView.EMPTY;

    /**
     * The groups that there are when no partitions.conf says otherwise: the broadcast group, without members.
     *
     * @param usualLife PacketLifeTime of groups for which nobody asks for another, a time value; asked whenever a group is made
     * @param maxMemberships memberships of all groups together
     */
    public MulticastGroups(IntSupplier usualLife, int maxMemberships) {
        this.usualLife = usualLife;
        this.maxMemberships = maxMemberships;
        declare(PartitionConf.NONE.groups());
        publish();
    }

    /**
     * Says whether groups for IPv6 solicited-node addresses of one scope and partition share an MLID; asked for each new
     * group. Those that share one keep it.
     */
    public void shareMlids(BooleanSupplier wanted) {
        areSharing = wanted;
    }

    /** By MLID, ascending; a copy. */
    private List<Group> all() {
        List<Group> all = new ArrayList<>(byMgid.size());
        for (Gid mgid : mlids.mgids()) {
            Group group = byMgid.get(mgid);
            if (group != null) {
                all.add(group);
            }
        }
        return all;
    }

    private int capacity() {
        return Math.min(MAX_MLIDS, conditions.capacity());
    }

    /**
     * Says which groups exist without members. One that is declared no more ends with its last member; one that is
     * declared with other values gets them when it has no members.
     */
    public void declare(List<WellKnownGroup> wellKnown) {
        Set<Gid> wanted = new HashSet<>();
        wellKnown.forEach(group -> wanted.add(group.mgid()));
        for (Group group : all()) {
            if (group.declared != null && !wanted.contains(group.record.mgid())) {
                group.declared = null;
                markChanged(group);
                endIfUnneeded(group);
            }
        }
        withoutMlid.retainAll(wanted);
        wellKnown.forEach(this::declare);
    }

    private void declare(WellKnownGroup wanted) {
        Group present = byMgid.get(wanted.mgid());
        boolean isNews = present == null || !Objects.equals(wanted, present.declared);
        if (present == null) {
            int mlid = mlids.lowestFree(capacity());
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
            add(new Group(GroupRules.recordOf(wanted, usualLife.getAsInt(), mlid), wanted, Shares.NOBODY));
        } else if (present.record.equals(GroupRules.recordOf(wanted, usualLife.getAsInt(), present.mlid()))) {
            present.declared = wanted;
        } else if (present.members.isEmpty()) {
            add(new Group(GroupRules.recordOf(wanted, usualLife.getAsInt(), present.mlid()), wanted, Shares.NOBODY));
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
     * Takes over the groups of an earlier run or of another SM. Ports that are gone since then leave with {@link #adopt}.
     *
     * @param gidPrefix the subnet prefix; members of another one are left out
     */
    void add(List<MulticastGroup> earlier, long gidPrefix) {
        Map<Gid, WellKnownGroup> moved = makeWay(earlier);
        for (MulticastGroup old : earlier) {
            if (!byMgid.containsKey(old.mgid()) && mlids.mayHave(old.record())) {
                add(new Group(old.record(), null, old.maker()));
            }
            Group group = byMgid.get(old.mgid());
            if (group != null) {
                WellKnownGroup declared = moved.get(old.mgid());
                group.declared = declared == null ? group.declared : declared;
                old.members().stream()
                        .filter(member -> member.portGid().prefix() == gidPrefix)
                        .forEach(member -> putBack(group, member));
                endIfUnneeded(group);
            }
        }
        moved.values().forEach(this::declare);
    }

    /**
     * Declared groups without members give up MLIDs that others had, and take those that they had themselves: switches hold entries
     * of these, and hosts send to them.
     *
     * @return those that are to be declared again
     */
    private Map<Gid, WellKnownGroup> makeWay(List<MulticastGroup> earlier) {
        Map<Gid, Integer> had = new HashMap<>();
        earlier.forEach(old -> had.put(old.mgid(), old.mlid()));
        Set<Integer> wanted = new HashSet<>(had.values());
        Map<Gid, WellKnownGroup> moved = new LinkedHashMap<>();
        for (Group group : all()) {
            Integer own = had.get(group.record.mgid());
            boolean mustMove = own == null ? wanted.contains(group.mlid()) : own != group.mlid();
            WellKnownGroup declared = group.declared;
            if (declared != null && group.members.isEmpty() && mustMove) {
                moved.put(group.record.mgid(), declared);
                markChanged(group);
                group.declared = null;
                endIfUnneeded(group);
            }
        }
        return moved;
    }

    /**
     * Another SM ruled, and nobody has said yet which groups there are: entries that switches hold stay, and their MLIDs go to groups
     * that ports make to which they lead.
     *
     * @param ports the GUIDs of these, by MLID; none to have that over
     */
    void inherit(SortedMap<Integer, Set<Long>> ports) {
        mlids.inherited().keySet().forEach(this::markChanged);
        ports.keySet().forEach(this::markChanged);
        mlids.inherit(ports);
    }

    private void putBack(Group group, MulticastGroup.Member member) {
        if (memberships < maxMemberships && !group.members.containsKey(member.portGid())) {
            memberships++;
            group.add(member, joiners);
            markChanged(group);
        }
    }

    /** The groups as they were published last; from any thread. */
    public MulticastView view() {
        return view;
    }

    /**
     * Makes what changed visible.
     *
     * @return the MLIDs, less {@link MulticastView#FIRST_MLID}, of the groups that changed, began or ended
     */
    public BitSet publish() {
        BitSet since = changed;
        if (since.isEmpty()) {
            return since;
        }
        changed = new BitSet();
        List<MulticastGroup> groups = new ArrayList<>(byMgid.size());
        for (Group group : all()) {
            if (since.get(group.mlid() - MulticastView.FIRST_MLID)) {
                group.published = new MulticastGroup(group.record, List.copyOf(group.members.values()), group.maker);
            }
            groups.add(group.published);
        }
        view = new MulticastView(groups, mlids.inherited());
        mlids.look(capacity());
        return since;
    }

    /**
     * Goes over to another subnet: ports that are no more leave their groups, and requests are judged by new conditions.
     *
     * @param exists whether there is a port with a GUID
     */
    public void adopt(Conditions newConditions, LongPredicate exists) {
        boolean isNews = sls.adopt(newConditions.sls());
        conditions = newConditions;
        for (Group group : all()) {
            for (MulticastGroup.Member member : List.copyOf(group.members.values())) {
                if (!exists.test(member.portGid().guid())) {
                    remove(group, member);
                }
            }
            if (isNews && newConditions.isOn() && !sls.allow(group.record.sl())) {
                WellKnownGroup declared = group.declared;
                EVENTS.report(SmEvent.GROUP_NOT_FORWARDED.says((declared == null ? "" : declared.where() + ": ")
                        + sls.unusable(group.record.mgid(), group.record.sl())));
            }
        }
    }

    /** All ports leave their groups. */
    public void forget() {
        adopt(conditions, guid -> false);
    }

    /** Joins a port to a group; makes the group if there is none and the request says what it is to be like. */
    public MembershipReply join(MembershipRequest request) {
        if (!conditions.isOn()) {
            return request.refused(MadStatus.SA_NO_RESOURCES);
        }
        MCMemberRecord wanted = request.wanted();
        if (request.has(MCMemberRecord.P_KEY) && (wanted.pKey() & GroupRules.PARTITION) == 0) {
            return request.refused(MadStatus.SA_REQ_INVALID);
        }
        Group group = byMgid.get(wanted.mgid());
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
        int had = mlids.inheritedBy(request.wanted().portGid().guid(), capacity());
        int mlid = had != Mlids.NONE && !request.has(MCMemberRecord.MLID) ? had : mlidFor(wanted, request.account());
        if (mlid == Mlids.NONE) {
            return request.refused(MadStatus.SA_NO_RESOURCES);
        }
        Group group = new Group(wanted.with(MCMemberRecord.MLID, mlid), null, request.account());
        status = admissionStatus(request, group);
        if (status != MadStatus.OK) {
            return request.refused(status);
        }
        add(group);
        return admit(request, group);
    }

    /** The groups of a port that has as many as there are free MLIDs share those that it has; those of a tenant, with its own. */
    private int mlidFor(MCMemberRecord wanted, long maker) {
        int free = mlids.free(capacity());
        if (mlids.room() > 0 && !makers.hasRoom(maker, wanted.pKey(), mlids.room())) {
            return Mlids.NONE;
        }
        return free == 0 || makers.hasRoom(maker, wanted.pKey(), free)
                ? mlids.forNew(wanted, capacity(), areSharing.getAsBoolean(), this::isUndeclared)
                : mlids.amongThose(
                        wanted,
                        capacity(),
                        mgid -> isUndeclared(mgid) && (isOf(mgid, maker) || Shares.isBounded(wanted.pKey())));
    }

    private boolean isOf(Gid mgid, long maker) {
        Group group = byMgid.get(mgid);
        return group != null && group.maker == maker;
    }

    private static int mlidWanted(MembershipRequest request) {
        return request.has(MCMemberRecord.MLID) ? request.wanted().mlid() : Mlids.NONE;
    }

    /** What is sent to a declared group may be sent to everybody. */
    private boolean isUndeclared(Gid mgid) {
        Group group = byMgid.get(mgid);
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

    /** IBA 4.1.1 and 15.2.5.17.1; MGIDs of IPoIB need their broadcast group (RFC 4391), and must be like it. */
    private boolean isGoodMgid(MembershipRequest request) {
        Gid mgid = request.wanted().mgid();
        if (Mgids.isZero(mgid) || !mgid.isMulticast()) {
            return Mgids.isZero(mgid);
        }
        if (Mgids.isIp(mgid)) {
            Gid broadcast = Mgids.broadcastOf(mgid);
            Group like = byMgid.get(broadcast);
            return mgid.equals(broadcast) || like != null && GroupRules.agrees(request, like.record);
        }
        return Mgids.isFreeToChoose(mgid);
    }

    private Gid mgidFor(MembershipRequest request) {
        MCMemberRecord wanted = request.wanted();
        int scope = request.has(MCMemberRecord.SCOPE) ? (int) wanted.get(MCMemberRecord.SCOPE) : Mgids.LINK_LOCAL;
        return Mgids.isZero(wanted.mgid()) ? makeUp(scope) : wanted.mgid();
    }

    /** An MGID of the SA's own that no group has. */
    private Gid makeUp(int scope) {
        Gid mgid;
        do {
            madeUp++;
            mgid = Mgids.ofSa(scope, conditions.gidPrefix(), madeUp);
        } while (byMgid.containsKey(mgid));
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
        boolean hasRoom = already != null
                || joiners.hasRoom(request.account(), group.record.pKey(), maxMemberships - memberships);
        return hasRoom ? MadStatus.OK : MadStatus.SA_NO_RESOURCES;
    }

    private MembershipReply admit(MembershipRequest request, Group group) {
        Gid portGid = request.wanted().portGid();
        MulticastGroup.Member before = group.members.get(portGid);
        MulticastGroup.Member member = before == null
                ? new MulticastGroup.Member(
                        portGid, request.wanted().joinState(), request.isByProxy(), request.account())
                : before.with(
                        before.joinState() | request.wanted().joinState(), before.isProxy() && request.isByProxy());
        if (before == null) {
            memberships++;
            group.add(member, joiners);
        } else {
            group.put(member);
        }
        if (!member.equals(before)) {
            markChanged(group);
        }
        return new MembershipReply(MadStatus.OK, group.published.recordOf(member));
    }

    /** Takes JoinState bits away from a port; without any left it is no member. */
    public MembershipReply leave(MembershipRequest request) {
        Group group = byMgid.get(request.wanted().mgid());
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
            remove(group, member);
            return new MembershipReply(
                    MadStatus.OK,
                    GroupRules.exactly(MCMemberRecord.TYPE.zero())
                            .with(MCMemberRecord.MGID, group.record.mgid())
                            .with(MCMemberRecord.PORT_GID, member.portGid())
                            .with(MCMemberRecord.SCOPE, group.record.get(MCMemberRecord.SCOPE)));
        }
        MulticastGroup.Member rest = member.with(left, member.isProxy());
        group.put(rest);
        markChanged(group);
        endIfUnneeded(group);
        return new MembershipReply(MadStatus.OK, group.published.recordOf(rest));
    }

    private void remove(Group group, MulticastGroup.Member member) {
        if (group.remove(member, joiners)) {
            memberships--;
            markChanged(group);
            endIfUnneeded(group);
        }
    }

    private void endIfUnneeded(Group group) {
        if (group.keepers == 0 && group.declared == null && byMgid.remove(group.record.mgid(), group)) {
            mlids.takeBack(group.record);
            makers.count(group.maker, group.record.pKey(), -1);
            memberships -= group.members.size();
            group.clear(joiners);
        }
    }

    /** A group with the MGID of another takes its place. */
    private void add(Group group) {
        Group before = byMgid.put(group.record.mgid(), group);
        if (before != null) {
            mlids.takeBack(before.record);
            makers.count(before.maker, before.record.pKey(), -1);
        }
        mlids.give(group.record);
        makers.count(group.maker, group.record.pKey(), 1);
        markChanged(group);
    }

    private void markChanged(Group group) {
        markChanged(group.mlid());
    }

    private void markChanged(int mlid) {
        changed.set(mlid - MulticastView.FIRST_MLID);
    }
}
