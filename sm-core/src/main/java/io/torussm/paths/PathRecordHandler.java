package io.torussm.paths;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.RecordHandler;
import io.torussm.sa.query.RecordTable;

/**
 * The handler of PathRecord (IBA 15.2.5.16). A request gives each end by GID, LID, both or not at all. Unlike other
 * records, paths are not compared under the component mask: a request is a set of constraints, {@link PathRequest}, on
 * pairs of ports.
 */
final class PathRecordHandler implements RecordHandler {
    private static final long SGID = PathRecord.COMPONENTS.bit(PathRecord.SGID);
    private static final long DGID = PathRecord.COMPONENTS.bit(PathRecord.DGID);
    private static final long SLID = PathRecord.COMPONENTS.bit(PathRecord.SLID);
    private static final long DLID = PathRecord.COMPONENTS.bit(PathRecord.DLID);

    /** Max LMC of a subnet in which a request counts as brief: at most 16 pairs of LIDs. */
    private static final int MAX_BRIEF_LMC = 2;

    private static final int DGID_AT = PathRecord.DGID.offset() / Byte.SIZE;
    private static final int SGID_AT = PathRecord.SGID.offset() / Byte.SIZE;

    private final PathService paths;

    PathRecordHandler(PathService paths) {
        this.paths = paths;
    }

    @Override
    public AttributeType<?> type() {
        return PathRecord.TYPE;
    }

    /** Checks whether an end is open, so that many pairs may be tried in vain. */
    @Override
    public boolean isLongSearch(byte[] mad) {
        long mask = SaMad.COMPONENT_MASK.get(mad, 0);
        return (mask & (SGID | SLID)) == 0 || (mask & (DGID | DLID)) == 0;
    }

    /**
     * Checks whether the request gives both ends, and they have so few pairs of LIDs that even a search without a
     * result is cheap.
     */
    @Override
    public boolean isBrief(byte[] mad, int lmc) {
        return MadHeader.method(mad) == Method.GET && lmc <= MAX_BRIEF_LMC && !isLongSearch(mad);
    }

    @Override
    public int answer(Query query, RecordTable records) {
        return walk(query).appendNext(records);
    }

    @Override
    public void answerTable(Query query, QueryReply reply) {
        reply.sendWalk(query, type(), walk(query));
    }

    private QueryReply.Walk walk(Query query) {
        PathRequest request = new PathRequest(query);
        int status = request.status();
        if (status != MadStatus.OK) {
            return records -> status;
        }
        byte[] mad = query.mad();
        long dgidPrefix = query.has(DGID) ? Gid.prefix(mad, SaMad.DATA_OFFSET + DGID_AT) : 0;
        if (Gid.isMulticast(dgidPrefix)) {
            Gid sgid = query.has(SGID) ? Gid.read(mad, SaMad.DATA_OFFSET + SGID_AT) : null;
            Gid dgid = Gid.read(mad, SaMad.DATA_OFFSET + DGID_AT);
            return records -> new MulticastPath(query, paths.groups()).answer(sgid, dgid, records);
        }
        boolean isOtherSubnet = query.has(DGID) && !isLocalPrefix(query, dgidPrefix);
        int byDgid = isOtherSubnet ? routerTo(query, dgidPrefix) : portOf(query, DGID, DGID_AT);
        int bySgid = portOf(query, SGID, SGID_AT);
        int byDlid = portOf(query, DLID, PathRecord.DLID);
        int bySlid = portOf(query, SLID, PathRecord.SLID);
        if (isUnknown(bySgid, bySlid) || isUnknown(byDgid, byDlid)) {
            return records -> MadStatus.OK;
        }
        if (areDifferent(bySgid, bySlid) || areDifferent(byDgid, byDlid)) {
            return records -> MadStatus.SA_REQ_INVALID;
        }
        PathSearch search = new PathSearch(query, paths, request, query.isGet() ? 1 : Integer.MAX_VALUE, isOtherSubnet);
        return new AllPaths(search, Math.max(bySgid, bySlid), Math.max(byDgid, byDlid));
    }

    private static boolean isLocalPrefix(Query query, long prefix) {
        return prefix == query.index().subnet().gidPrefix() || prefix == Gid.DEFAULT_PREFIX;
    }

    /** Returns the index of the end port with a GID; {@link Fabric#NONE} if this subnet has none. */
    static int portOf(Query query, Gid gid) {
        return isLocalPrefix(query, gid.prefix()) ? query.index().portOfGuid(gid.guid()) : Fabric.NONE;
    }

    /** Returns the end port with the GID of a component; ANY if the request does not contain the component. */
    private static int portOf(Query query, long bit, int gidAt) {
        int at = SaMad.DATA_OFFSET + gidAt;
        if (!query.has(bit)) {
            return PathSearch.ANY;
        }
        return isLocalPrefix(query, Gid.prefix(query.mad(), at))
                ? query.index().portOfGuid(Gid.guid(query.mad(), at))
                : Fabric.NONE;
    }

    private static int portOf(Query query, long bit, Field lid) {
        return query.has(bit) ? query.index().subnet().portOfLid(query.value(lid)) : PathSearch.ANY;
    }

    private int routerTo(Query query, long prefix) {
        long router = paths.prefixRoutes().routerTo(prefix);
        return router == PrefixRoutes.NO_ROUTE ? Fabric.NONE : query.index().routerPort(router);
    }

    private static boolean isUnknown(int byGid, int byLid) {
        return byGid == Fabric.NONE || byLid == Fabric.NONE;
    }

    private static boolean areDifferent(int byGid, int byLid) {
        return byGid != PathSearch.ANY && byLid != PathSearch.ANY && byGid != byLid;
    }
}
