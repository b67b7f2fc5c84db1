package io.torussm.sa;

import io.torussm.fabric.Fabric;
import io.torussm.mad.AttributeType;
import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Layout;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.subnet.Subnet;

/** PathRecord (IBA 15.2.5.16): any address form on either side, one side only, or neither. */
final class PathRecordHandler implements RecordHandler {
    private static final Layout LAYOUT = PathRecord.TYPE.layout();

    /** Not an end port, but a side that the request leaves open. */
    private static final int ANY = -2;

    private static final int INVALID = -3;

    @Override
    public AttributeType<?> type() {
        return PathRecord.TYPE;
    }

    @Override
    public int answer(Query query, RecordTable records) {
        PathRequest request = PathRequest.of(query);
        if (request.status() != MadStatus.OK) {
            return request.status();
        }
        int source = endport(query, PathRecord.SGID, PathRecord.SLID);
        int destination = endport(query, PathRecord.DGID, PathRecord.DLID);
        if (source == INVALID || destination == INVALID) {
            return MadStatus.SA_REQ_INVALID;
        }
        if (source == Fabric.NONE || destination == Fabric.NONE) {
            return MadStatus.OK;
        }
        int[] all = query.index().endports();
        PathWalk walk = new PathWalk(query.index().view());
        for (int from : source == ANY ? all : new int[] {source}) {
            for (int to : destination == ANY ? all : new int[] {destination}) {
                if (records.isFull() || request.hasEnough(records)) {
                    return MadStatus.OK;
                }
                addPaths(query, request, walk, from, to, records);
            }
        }
        return MadStatus.OK;
    }

    /** The end port that a side names by GID, LID or both. */
    private static int endport(Query query, Field gidField, Field lidField) {
        ViewIndex index = query.index();
        int byGid = ANY;
        if (query.has(LAYOUT, gidField)) {
            Gid gid = Gid.read(query.mad(), SaMad.DATA + gidField.offset() / Byte.SIZE);
            boolean isOurs = gid.prefix() == index.subnet().gidPrefix() || gid.prefix() == Gid.DEFAULT_PREFIX;
            byGid = isOurs ? index.portOfGuid(gid.guid()) : Fabric.NONE;
        }
        if (!query.has(LAYOUT, lidField)) {
            return byGid;
        }
        int byLid = index.subnet().portOfLid((int) query.value(lidField));
        boolean isContradiction = byGid >= 0 && byLid >= 0 && byGid != byLid;
        if (isContradiction) {
            return INVALID;
        }
        return byGid == Fabric.NONE ? Fabric.NONE : byLid;
    }

    /** Paths of one pair of ports: those with equal LMC offsets first, then the rest. */
    private static void addPaths(
            Query query, PathRequest request, PathWalk walk, int from, int to, RecordTable records) {
        Subnet subnet = query.index().subnet();
        int slid = query.has(LAYOUT, PathRecord.SLID) ? (int) query.value(PathRecord.SLID) : 0;
        int dlid = query.has(LAYOUT, PathRecord.DLID) ? (int) query.value(PathRecord.DLID) : 0;
        int sources = 1 << subnet.lmc(from);
        int destinations = 1 << subnet.lmc(to);
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < sources; i++) {
                for (int j = 0; j < destinations; j++) {
                    int fromLid = subnet.lid(from) + i;
                    int toLid = subnet.lid(to) + j;
                    boolean isAsked = (slid == 0 || slid == fromLid) && (dlid == 0 || dlid == toLid);
                    boolean isItsRound = (i == j) == (round == 0);
                    if (isAsked && isItsRound && !request.hasEnough(records)) {
                        addPath(query, request, walk, fromLid, toLid, records);
                    }
                }
            }
        }
    }

    private static void addPath(
            Query query, PathRequest request, PathWalk walk, int slid, int dlid, RecordTable records) {
        Subnet subnet = query.index().subnet();
        int source = subnet.portOfLid(slid);
        int destination = subnet.portOfLid(dlid);
        if (!walk.walk(source, dlid)) {
            return;
        }
        int mtu = request.mtu(walk.mtu());
        int rate = request.rate(walk.rate());
        int life = request.packetLifeTime(
                source == destination ? 0 : query.index().view().subnetTimeout());
        int sl = request.sl(query.index().view().plan(), slid, dlid);
        boolean isReversible = walk.walk(destination, slid);
        if (mtu < 0 || rate < 0 || life < 0 || sl < 0 || request.mustBeReversible() && !isReversible) {
            return;
        }
        byte[] path = request.echo();
        Fabric fabric = subnet.fabric();
        new Gid(subnet.gidPrefix(), fabric.portGuid(destination)).write(path, PathRecord.DGID.offset() / Byte.SIZE);
        new Gid(subnet.gidPrefix(), fabric.portGuid(source)).write(path, PathRecord.SGID.offset() / Byte.SIZE);
        PathRecord.DLID.set(path, 0, dlid);
        PathRecord.SLID.set(path, 0, slid);
        PathRecord.REVERSIBLE.set(path, 0, isReversible ? 1 : 0);
        PathRecord.P_KEY.set(path, 0, request.pKey());
        PathRecord.SL.set(path, 0, sl);
        PathRecord.MTU_SELECTOR.set(path, 0, PathRecord.EXACTLY);
        PathRecord.MTU.set(path, 0, mtu);
        PathRecord.RATE_SELECTOR.set(path, 0, PathRecord.EXACTLY);
        PathRecord.RATE.set(path, 0, rate);
        PathRecord.PACKET_LIFE_TIME_SELECTOR.set(path, 0, PathRecord.EXACTLY);
        PathRecord.PACKET_LIFE_TIME.set(path, 0, life);
        boolean isSecondChoice = slid - subnet.lid(source) != dlid - subnet.lid(destination);
        PathRecord.PREFERENCE.set(path, 0, isSecondChoice ? 2 : 0);
        records.add(path);
    }

    /** Whether a P_Key is one that every port holds; partitions will narrow this. */
    static boolean isDefaultPKey(int pKey) {
        return (pKey | 0x8000) == PKeyTable.DEFAULT_FULL;
    }
}
