package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.subnet.Subnet;

/**
 * PathRecord (IBA 15.2.5.16): any address form on either side, one side only, or neither. Unlike other records these are
 * not stored anywhere to be compared with: a request is a set of constraints, {@link PathRequest}, on a pair of ports.
 */
final class PathRecordHandler implements RecordHandler {
    /** Pairs of LIDs looked at for one request: above the largest table that is sent, and about a second's work. */
    static final long MAX_PAIRS = 1L << 20;

    private static final long SGID = PathRecord.COMPONENTS.bit(PathRecord.SGID);
    private static final long DGID = PathRecord.COMPONENTS.bit(PathRecord.DGID);
    private static final long SLID = PathRecord.COMPONENTS.bit(PathRecord.SLID);
    private static final long DLID = PathRecord.COMPONENTS.bit(PathRecord.DLID);

    private static final int DGID_AT = PathRecord.DGID.offset() / Byte.SIZE;
    private static final int SGID_AT = PathRecord.SGID.offset() / Byte.SIZE;
    private static final int SECOND_CHOICE = 2;

    /** Not an end port, but a side that the request leaves open. */
    private static final int ANY = -2;

    /** Not an end port, but a side on which GID and LID contradict each other. */
    private static final int INVALID = -3;

    @Override
    public AttributeType<?> type() {
        return PathRecord.TYPE;
    }

    @Override
    public int answer(Query query, RecordTable records) {
        PathRequest request = new PathRequest(query);
        int status = request.status();
        if (status != MadStatus.OK) {
            return status;
        }
        int source = endport(query, SGID, SGID_AT, SLID, PathRecord.SLID);
        int destination = endport(query, DGID, DGID_AT, DLID, PathRecord.DLID);
        if (source == INVALID || destination == INVALID) {
            return MadStatus.SA_REQ_INVALID;
        }
        if (source == Fabric.NONE || destination == Fabric.NONE) {
            return MadStatus.OK;
        }
        Search search = new Search(query, request, records);
        if (source != ANY && destination != ANY) {
            search.pair(source, destination);
        } else {
            search.all(source, destination);
        }
        return search.isExhausted() ? MadStatus.SA_NO_RESOURCES : MadStatus.OK;
    }

    /** The end port that a side names by GID, LID or both. */
    private static int endport(Query query, long gidBit, int gidAt, long lidBit, Field lidField) {
        ViewIndex index = query.index();
        int byGid = ANY;
        if (query.has(gidBit)) {
            Gid gid = Gid.read(query.mad(), SaMad.DATA + gidAt);
            boolean isOurs = gid.prefix() == index.subnet().gidPrefix() || gid.prefix() == Gid.DEFAULT_PREFIX;
            byGid = isOurs ? index.portOfGuid(gid.guid()) : Fabric.NONE;
        }
        if (!query.has(lidBit)) {
            return byGid;
        }
        int byLid = index.subnet().portOfLid(query.value(lidField));
        if (byGid == ANY || byGid == byLid) {
            return byLid;
        }
        return byGid == Fabric.NONE || byLid == Fabric.NONE ? Fabric.NONE : INVALID;
    }

    /** The work on one request. */
    private static final class Search {
        private final Query query;
        private final PathRequest request;
        private final RecordTable records;
        private final ViewIndex index;
        private final Subnet subnet;
        private final PathWalk walk;
        private final int slid;
        private final int dlid;
        private long pairsLeft = MAX_PAIRS;

        Search(Query query, PathRequest request, RecordTable records) {
            this.query = query;
            this.request = request;
            this.records = records;
            this.index = query.index();
            this.subnet = index.subnet();
            this.walk = new PathWalk(index);
            this.slid = query.has(SLID) ? query.value(PathRecord.SLID) : 0;
            this.dlid = query.has(DLID) ? query.value(PathRecord.DLID) : 0;
        }

        boolean isExhausted() {
            return pairsLeft < 0;
        }

        private boolean isOver() {
            return request.hasEnough(records) || isExhausted();
        }

        void all(int source, int destination) {
            int[] everyone = index.endports();
            for (int from : source == ANY ? everyone : new int[] {source}) {
                for (int to : destination == ANY ? everyone : new int[] {destination}) {
                    if (isOver()) {
                        return;
                    }
                    pair(from, to);
                }
            }
        }

        /** Paths of one pair of ports: those with equal LMC offsets first, then the rest. */
        void pair(int from, int to) {
            int pKey = request.pKey(index.keys(from), index.keys(to));
            if (pKey < 0 || !query.maySee(from) || !query.maySee(to)) {
                pairsLeft--;
                return;
            }
            int fromBase = subnet.lid(from);
            int toBase = subnet.lid(to);
            int firstFrom = slid == 0 ? 0 : slid - fromBase;
            int lastFrom = slid == 0 ? (1 << subnet.lmc(from)) - 1 : firstFrom;
            int firstTo = dlid == 0 ? 0 : dlid - toBase;
            int lastTo = dlid == 0 ? (1 << subnet.lmc(to)) - 1 : firstTo;
            for (int i = firstFrom; i <= lastFrom && !isOver(); i++) {
                if (i >= firstTo && i <= lastTo) {
                    path(from, to, fromBase + i, toBase + i, pKey, 0);
                }
            }
            for (int i = firstFrom; i <= lastFrom; i++) {
                for (int j = firstTo; j <= lastTo && !isOver(); j++) {
                    if (i != j) {
                        path(from, to, fromBase + i, toBase + j, pKey, SECOND_CHOICE);
                    }
                }
            }
        }

        private void path(int from, int to, int fromLid, int toLid, int pKey, int preference) {
            pairsLeft--;
            if (isExhausted() || !walk.walk(from, toLid)) {
                return;
            }
            int mtu = request.mtu(walk.mtu());
            int rate = request.rate(walk.rate());
            int life = request.packetLifeTime(from == to ? 0 : index.view().subnetTimeout());
            int sl = request.sl(index.view().plan(), fromLid, toLid);
            if ((mtu | rate | life | sl) < 0) {
                return;
            }
            boolean isReversible =
                    walk.walk(to, fromLid) && request.mtu(walk.mtu()) >= 0 && request.rate(walk.rate()) >= 0;
            if (request.mustBeReversible() && !isReversible) {
                return;
            }
            int at = records.next();
            byte[] record = records.bytes();
            request.echo(record, at);
            query.gid(DGID, DGID_AT, to).write(record, at + DGID_AT);
            query.gid(SGID, SGID_AT, from).write(record, at + SGID_AT);
            PathRecord.DLID.set(record, at, toLid);
            PathRecord.SLID.set(record, at, fromLid);
            PathRecord.REVERSIBLE.set(record, at, isReversible ? 1 : 0);
            PathRecord.P_KEY.set(record, at, pKey);
            PathRecord.SL.set(record, at, sl);
            PathRecord.MTU_SELECTOR.set(record, at, PathRecord.EXACTLY);
            PathRecord.MTU.set(record, at, mtu);
            PathRecord.RATE_SELECTOR.set(record, at, PathRecord.EXACTLY);
            PathRecord.RATE.set(record, at, rate);
            PathRecord.PACKET_LIFE_TIME_SELECTOR.set(record, at, PathRecord.EXACTLY);
            PathRecord.PACKET_LIFE_TIME.set(record, at, life);
            PathRecord.PREFERENCE.set(record, at, preference);
            records.commit();
        }
    }
}
