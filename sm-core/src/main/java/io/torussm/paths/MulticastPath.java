package io.torussm.paths;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.MCMemberRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.multicast.MulticastGroup;
import io.torussm.multicast.MulticastView;
import io.torussm.partition.PKeys;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a PathRecord request with a multicast DGID, which a sender to the group makes. There is one path with
 * the values of the group, if the group exists, the requester is in its partition, and the request does not contradict
 * the group. MTU, rate, packet life time and raw traffic are not compared.
 */
final class MulticastPath {
    private static final ComponentMask COMPONENTS = PathRecord.COMPONENTS;
    private static final long SLID = COMPONENTS.bit(PathRecord.SLID);
    private static final long DLID = COMPONENTS.bit(PathRecord.DLID);
    private static final long NUMB_PATH = COMPONENTS.bit(PathRecord.NUMB_PATH);
    private static final long P_KEY = COMPONENTS.bit(PathRecord.P_KEY);

    /** Components that must be equal: {@code {of PathRecord, of MCMemberRecord}}. */
    private static final Field[][] EQUAL_COMPONENTS = {
        {PathRecord.SL, MCMemberRecord.SL},
        {PathRecord.FLOW_LABEL, MCMemberRecord.FLOW_LABEL},
        {PathRecord.HOP_LIMIT, MCMemberRecord.HOP_LIMIT},
        {PathRecord.T_CLASS, MCMemberRecord.T_CLASS},
    };

    private static final int SIZE = PathRecord.TYPE.layout().size();

    /** The scope of an MGID whose packets stay in the subnet. */
    private static final int LINK_LOCAL = 2;

    private static final int ANY_HOP_LIMIT = 0xff;

    private final Query query;
    private final MulticastView groups;

    MulticastPath(Query query, MulticastView groups) {
        this.query = query;
        this.groups = groups;
    }

    /**
     * Appends the path, if there is one.
     *
     * @param sgid SGID of the request; null if it has none
     * @return {@link MadStatus#OK}
     */
    int answer(@Nullable Gid sgid, Gid mgid, RecordTable records) {
        MulticastGroup group = groups.group(mgid);
        boolean isNoneWanted = !query.isGet() && query.has(NUMB_PATH) && query.value(PathRecord.NUMB_PATH) == 0;
        if (group != null
                && !isNoneWanted
                && query.maySeePartition(group.record().pKey())
                && isFromMember(sgid, group)
                && agrees(group)) {
            write(group.record(), records);
        }
        return MadStatus.OK;
    }

    /** Checks whether the source of the request, by SGID or SLID, is a member of the group; true without a source. */
    private boolean isFromMember(@Nullable Gid sgid, MulticastGroup group) {
        ViewIndex index = query.index();
        int byGid = sgid == null ? PathSearch.ANY : PathRecordHandler.portOf(query, sgid);
        int byLid = query.has(SLID) ? index.subnet().portOfLid(query.value(PathRecord.SLID)) : byGid;
        int source = byGid == PathSearch.ANY ? byLid : byGid;
        return source == PathSearch.ANY || (source >= 0 && source == byLid && isMember(source, group));
    }

    private boolean isMember(int endport, MulticastGroup group) {
        return group.members().stream()
                .anyMatch(member -> query.index().portOfGuid(member.portGid().guid()) == endport);
    }

    private boolean agrees(MulticastGroup group) {
        MCMemberRecord record = group.record();
        boolean isOtherLid = query.has(DLID) && query.value(PathRecord.DLID) != group.mlid();
        boolean isOtherPartition =
                query.has(P_KEY) && PKeys.base(query.value(PathRecord.P_KEY)) != PKeys.base(record.pKey());
        for (Field[] pair : EQUAL_COMPONENTS) {
            if (query.has(COMPONENTS.bit(pair[0])) && query.value(pair[0]) != record.get(pair[1])) {
                return false;
            }
        }
        return !isOtherLid && !isOtherPartition;
    }

    private void write(MCMemberRecord group, RecordTable records) {
        int at = records.next();
        byte[] record = records.bytes();
        System.arraycopy(query.mad(), SaMad.DATA_OFFSET, record, at, SIZE);
        group.mgid().write(record, at + PathRecord.DGID.offset() / Byte.SIZE);
        PathRecord.DLID.set(record, at, group.mlid());
        PathRecord.RAW_TRAFFIC.set(record, at, 0);
        for (Field[] pair : EQUAL_COMPONENTS) {
            pair[0].set(record, at, group.get(pair[1]));
        }
        if (group.get(MCMemberRecord.SCOPE) != LINK_LOCAL) {
            PathRecord.HOP_LIMIT.set(record, at, ANY_HOP_LIMIT);
        }
        PathRecord.REVERSIBLE.set(record, at, 0);
        PathRecord.NUMB_PATH.set(record, at, 1);
        PathRecord.P_KEY.set(record, at, group.pKey());
        PathRecord.QOS_CLASS.set(record, at, 0);
        PathRecord.MTU_SELECTOR.set(record, at, PathRecord.EXACTLY);
        PathRecord.MTU.set(record, at, group.mtu());
        PathRecord.RATE_SELECTOR.set(record, at, PathRecord.EXACTLY);
        PathRecord.RATE.set(record, at, group.rate());
        PathRecord.PACKET_LIFE_TIME_SELECTOR.set(record, at, PathRecord.EXACTLY);
        PathRecord.PACKET_LIFE_TIME.set(record, at, group.get(MCMemberRecord.PACKET_LIFE_TIME));
        PathRecord.PREFERENCE.set(record, at, 0);
        records.commit();
    }
}
