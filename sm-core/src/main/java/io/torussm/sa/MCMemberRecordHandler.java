package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.sa.SaMad;
import io.torussm.multicast.MembershipReply;
import io.torussm.multicast.MembershipRequest;
import io.torussm.multicast.MembershipService;
import io.torussm.multicast.MulticastGroup;
import io.torussm.sa.change.Shares;
import io.torussm.sa.query.ChangingHandler;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;
import java.util.function.Consumer;

/**
 * The handler of MCMemberRecord (IBA 15.2.5.17): Set joins a multicast group, Delete leaves it, Get and GetTable list
 * groups.
 *
 * <p>Membership is secret. A trusted requester sees every membership. Any other requester sees one record without a
 * port for each group. If it names its own PortGID, it sees its own memberships instead.
 *
 * <p>A port is named by a GID with the prefix of the subnet, or by a link-local GID, because a host may not have the
 * prefix of the subnet yet. Answers have the prefix of the subnet.
 */
final class MCMemberRecordHandler implements ChangingHandler {
    private static final long REQUIRED_COMPONENTS =
            bits(MCMemberRecord.MGID, MCMemberRecord.PORT_GID, MCMemberRecord.JOIN_STATE);
    private static final long PORT_GID = bits(MCMemberRecord.PORT_GID);

    /** Byte offset of PortGID in a MAD. */
    private static final int PORT_GID_OFFSET = SaMad.DATA_OFFSET + MCMemberRecord.PORT_GID.offset() / Byte.SIZE;

    /** Components that are compared by a selector, not for equality: {@code {selector, value}}. */
    private static final Field[][] SELECTOR_FIELDS = {
        {MCMemberRecord.MTU_SELECTOR, MCMemberRecord.MTU},
        {MCMemberRecord.RATE_SELECTOR, MCMemberRecord.RATE},
        {MCMemberRecord.PACKET_LIFE_TIME_SELECTOR, MCMemberRecord.PACKET_LIFE_TIME}
    };

    private static final long SELECTOR_BITS =
            bits(SELECTOR_FIELDS[0]) | bits(SELECTOR_FIELDS[1]) | bits(SELECTOR_FIELDS[2]);

    private final MembershipService memberships;

    MCMemberRecordHandler(MembershipService memberships) {
        this.memberships = memberships;
    }

    private static long bits(Field... fields) {
        long bits = 0;
        for (Field field : fields) {
            bits |= MCMemberRecord.COMPONENTS.bit(field);
        }
        return bits;
    }

    @Override
    public AttributeType<?> type() {
        return MCMemberRecord.TYPE;
    }

    @Override
    public void change(Query query, Answer answer) {
        MCMemberRecord sent = MCMemberRecord.TYPE.read(query.mad(), SaMad.DATA_OFFSET);
        ViewIndex index = query.index();
        Gid portGid = ofSubnet(sent.portGid(), index);
        int port = index.portOfGuid(portGid.guid());
        if ((query.mask() & REQUIRED_COMPONENTS) != REQUIRED_COMPONENTS) {
            refuse(answer, MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS, sent);
        } else if (portGid.prefix() != index.subnet().gidPrefix()) {
            refuse(answer, MadStatus.SA_REQ_INVALID_GID, sent);
        } else if (port == Fabric.NONE) {
            refuse(answer, MadStatus.SA_REQ_INVALID, sent);
        } else {
            MembershipRequest request = new MembershipRequest(
                    sent.with(MCMemberRecord.PORT_GID, portGid),
                    query.mask(),
                    port == query.requester() ? portGid.guid() : index.fabric().portGuid(query.requester()),
                    index.mtu(port),
                    Rates.code(index.rateOrder(port)),
                    index.keys(port, portGid.guid()),
                    port == query.requester() ? index.keys(port, portGid.guid()) : index.keys(query.requester()),
                    query.isUnbounded() ? Shares.NOBODY : index.fabric().portGuid(query.requester()));
            submit(query, request, answer);
        }
    }

    /** Returns a GID with the prefix of the subnet if the GID is link-local; otherwise the GID. */
    private static Gid ofSubnet(Gid gid, ViewIndex index) {
        return gid.prefix() == Gid.DEFAULT_PREFIX ? new Gid(index.subnet().gidPrefix(), gid.guid()) : gid;
    }

    private void submit(Query query, MembershipRequest request, Answer answer) {
        Consumer<MembershipReply> completion =
                reply -> answer.complete(reply.status(), reply.record().toBytes());
        boolean isJoin = MadHeader.method(query.mad()) == Method.SET;
        boolean isTaken = isJoin ? memberships.join(request, completion) : memberships.leave(request, completion);
        if (!isTaken) {
            refuse(answer, MadStatus.BUSY, request.record());
        }
    }

    private static void refuse(Answer answer, int status, MCMemberRecord sent) {
        answer.complete(status, sent.toBytes());
    }

    @Override
    public int answer(Query asked, RecordTable records) {
        Gid portGid = ofSubnet(Gid.read(asked.mad(), PORT_GID_OFFSET), asked.index());
        Query query = asked.with(PORT_GID_OFFSET, portGid);
        boolean namesItself = query.has(PORT_GID) && isOwn(query, portGid);
        for (MulticastGroup group : memberships.view().groups()) {
            if (records.isOverflown()) {
                break;
            }
            if (!query.maySeePartition(group.record().pKey())) {
                continue;
            }
            if (query.isTrusted() || namesItself) {
                addMembers(query, group, records);
            } else {
                addIfMatching(query, group.record(), records);
            }
        }
        return MadStatus.OK;
    }

    private static boolean isOwn(Query query, Gid gid) {
        ViewIndex index = query.index();
        return gid.prefix() == index.subnet().gidPrefix() && index.portOfGuid(gid.guid()) == query.requester();
    }

    /** Adds the records of the members of a group. A group without members has one record without a port. */
    private static void addMembers(Query query, MulticastGroup group, RecordTable records) {
        if (group.members().isEmpty()) {
            addIfMatching(query, group.record(), records);
        }
        for (MulticastGroup.Member member : group.members()) {
            boolean maySee = query.isTrusted() || isOwn(query, member.portGid());
            if (maySee && !records.isOverflown()) {
                addIfMatching(query, group.recordOf(member), records);
            }
        }
    }

    private static void addIfMatching(Query query, MCMemberRecord record, RecordTable records) {
        int at = records.next();
        byte[] bytes = records.bytes();
        record.write(bytes, at);
        boolean isEqual = MCMemberRecord.COMPONENTS.matches(
                query.mask() & ~SELECTOR_BITS, query.mad(), SaMad.DATA_OFFSET, bytes, at);
        if (isEqual && isSelected(query, bytes, at)) {
            records.commit();
        }
    }

    private static boolean isSelected(Query query, byte[] record, int at) {
        for (Field[] pair : SELECTOR_FIELDS) {
            Field value = pair[1];
            boolean isGiven = query.has(MCMemberRecord.COMPONENTS.bit(value));
            int wanted = query.value(value);
            int actual = (int) value.get(record, at);
            if (isGiven && !PathRecord.meets(query.value(pair[0]), compare(value, actual, wanted))) {
                return false;
            }
        }
        return true;
    }

    /** Compares two values of a component; rates by speed, where an undefined rate is slower than any other. */
    private static int compare(Field field, int actual, int wanted) {
        return field.equals(MCMemberRecord.RATE)
                ? Integer.compare(rateOrder(actual), rateOrder(wanted))
                : Integer.compare(actual, wanted);
    }

    private static int rateOrder(int rate) {
        return Rates.isDefined(rate) ? Rates.order(rate) : 0;
    }
}
