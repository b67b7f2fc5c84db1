package io.torussm.paths;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.ComponentMask;
import io.torussm.mad.sa.MultiPathRecord;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.sa.query.AttributeHandler;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.QueryReply;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;
import io.torussm.transport.rmpp.Rmpp;

/**
 * The handler of MultiPathRecord (IBA 15.2.5.20): one request for the paths from several sources to several
 * destinations, answered by PathRecords. It is served like a PathRecord request with the same constraints for each
 * pair.
 *
 * <p>If IndependenceSelector is not 0, the returned paths have no common cable.
 */
final class MultiPathHandler implements AttributeHandler {
    /** Max number of GIDs of a request, sources and destinations together; that of OpenSM. */
    static final int MAX_GIDS = 11;

    /** Max number of paths of an answer. */
    static final int MAX_PATHS = 127;

    private static final ComponentMask COMPONENTS = MultiPathRecord.COMPONENTS;
    private static final long COUNTS =
            COMPONENTS.bit(MultiPathRecord.SGID_COUNT) | COMPONENTS.bit(MultiPathRecord.DGID_COUNT);
    private static final long NUMB_PATH = COMPONENTS.bit(MultiPathRecord.NUMB_PATH);
    private static final long INDEPENDENCE = COMPONENTS.bit(MultiPathRecord.INDEPENDENCE_SELECTOR);
    private static final int GIDS_AT = MultiPathRecord.TYPE.layout().size();
    private static final int GID_SIZE = 16;

    /** Components that constrain paths: {@code {of MultiPathRecord, of PathRecord}}. */
    private static final Field[][] CONSTRAINTS = {
        {MultiPathRecord.RAW_TRAFFIC, PathRecord.RAW_TRAFFIC},
        {MultiPathRecord.FLOW_LABEL, PathRecord.FLOW_LABEL},
        {MultiPathRecord.TCLASS, PathRecord.T_CLASS},
        {MultiPathRecord.REVERSIBLE, PathRecord.REVERSIBLE},
        {MultiPathRecord.P_KEY, PathRecord.P_KEY},
        {MultiPathRecord.QOS_CLASS, PathRecord.QOS_CLASS},
        {MultiPathRecord.SL, PathRecord.SL},
        {MultiPathRecord.MTU_SELECTOR, PathRecord.MTU_SELECTOR},
        {MultiPathRecord.MTU, PathRecord.MTU},
        {MultiPathRecord.RATE_SELECTOR, PathRecord.RATE_SELECTOR},
        {MultiPathRecord.RATE, PathRecord.RATE},
        {MultiPathRecord.PACKET_LIFE_TIME_SELECTOR, PathRecord.PACKET_LIFE_TIME_SELECTOR},
        {MultiPathRecord.PACKET_LIFE_TIME, PathRecord.PACKET_LIFE_TIME},
        {MultiPathRecord.SERVICE_ID_8MSB, PathRecord.SERVICE_ID_8},
        {MultiPathRecord.SERVICE_ID_56LSB, PathRecord.SERVICE_ID_56},
    };

    private final PathService paths;

    MultiPathHandler(PathService paths) {
        this.paths = paths;
    }

    @Override
    public AttributeType<?> type() {
        return MultiPathRecord.TYPE;
    }

    @Override
    public boolean isLarge(byte[] mad) {
        return MadHeader.method(mad) == Method.GET_MULTI;
    }

    /** Serves only requests by RMPP, because request and answer may exceed one MAD (IBA 15.2.5.20). */
    @Override
    public void serve(Query query, QueryReply reply) {
        if (query.method() != Method.GET_MULTI) {
            reply.refuse(MadStatus.UNSUPPORTED_METHOD_ATTRIBUTE);
        } else if (!Rmpp.isActive(query.mad())) {
            reply.refuse(MadStatus.SA_REQ_INVALID);
        } else {
            reply.sendTable(query, PathRecord.TYPE, this::answer);
        }
    }

    /** Writes PathRecords; returns a MAD status. */
    private int answer(Query query, RecordTable records) {
        if (query.mad().length < SaMad.DATA_OFFSET + GIDS_AT) {
            return MadStatus.SA_REQ_INVALID;
        }
        if ((query.mask() & COUNTS) != COUNTS) {
            return MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS;
        }
        Query pairQuery = asPathRecord(query);
        PathRequest request = new PathRequest(pairQuery);
        if (request.status() != MadStatus.OK) {
            return request.status();
        }
        int sourceCount = query.value(MultiPathRecord.SGID_COUNT);
        int destinationCount = query.value(MultiPathRecord.DGID_COUNT);
        int count = sourceCount + destinationCount;
        if (sourceCount == 0
                || destinationCount == 0
                || query.mad().length < SaMad.DATA_OFFSET + GIDS_AT + count * GID_SIZE) {
            return MadStatus.SA_REQ_INVALID;
        }
        if (count > MAX_GIDS) {
            return MadStatus.SA_NO_RESOURCES;
        }
        int[] ports = new int[count];
        long[] guids = new long[count];
        for (int i = 0; i < count; i++) {
            Gid gid = Gid.read(query.mad(), SaMad.DATA_OFFSET + GIDS_AT + i * GID_SIZE);
            guids[i] = gid.guid();
            ports[i] = port(query, gid);
            if (ports[i] == Fabric.NONE) {
                return MadStatus.SA_REQ_INVALID_GID;
            }
        }
        PathSearch search = new PathSearch(pairQuery, paths, request, limit(query), false);
        for (int source = 0; source < sourceCount; source++) {
            for (int destination = sourceCount; destination < count; destination++) {
                search.addPair(ports[source], guids[source], ports[destination], guids[destination], records);
            }
        }
        if (isIndependenceRequested(query)) {
            IndependentPaths.retainIndependent(query.index(), records, maxPaths(query));
        }
        return search.isGivenUp() ? MadStatus.SA_NO_RESOURCES : MadStatus.OK;
    }

    /** Returns NumbPath. Unlike NumbPath of PathRecord, it limits the whole answer. */
    private static int maxPaths(Query query) {
        return query.has(NUMB_PATH) ? query.value(MultiPathRecord.NUMB_PATH) : MAX_PATHS;
    }

    private static boolean isIndependenceRequested(Query query) {
        return query.has(INDEPENDENCE) && query.value(MultiPathRecord.INDEPENDENCE_SELECTOR) != 0;
    }

    private static int limit(Query query) {
        return isIndependenceRequested(query) ? MAX_PATHS : maxPaths(query);
    }

    /** Returns the index of the end port with a GID; NONE if there is none that the requester may see. */
    private static int port(Query query, Gid gid) {
        ViewIndex index = query.index();
        boolean isOfSubnet = gid.prefix() == index.subnet().gidPrefix() || gid.prefix() == Gid.DEFAULT_PREFIX;
        int port = isOfSubnet ? index.portOfGuid(gid.guid()) : Fabric.NONE;
        return port != Fabric.NONE && query.maySee(port, gid.guid()) ? port : Fabric.NONE;
    }

    /** Returns a PathRecord request with the constraints of a MultiPathRecord request, without its end points. */
    private static Query asPathRecord(Query query) {
        byte[] mad = new byte[MadHeader.MAD_SIZE];
        MadHeader.METHOD.set(mad, 0, Method.GET_MULTI);
        long mask = 0;
        for (Field[] pair : CONSTRAINTS) {
            if (query.has(COMPONENTS.bit(pair[0]))) {
                mask |= PathRecord.COMPONENTS.bit(pair[1]);
                pair[1].set(mad, SaMad.DATA_OFFSET, pair[0].get(query.mad(), SaMad.DATA_OFFSET));
            }
        }
        return new Query(
                query.peer(), mad, mask, query.isTrusted(), query.isUnbounded(), query.requester(), query.index());
    }
}
