package io.torussm.paths;

import io.torussm.alias.VPortGuids;
import io.torussm.fabric.Fabric;
import io.torussm.mad.Gid;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.sa.SaMad;
import io.torussm.partition.PortKeys;
import io.torussm.routing.Plan;
import io.torussm.sa.query.Query;
import io.torussm.sa.query.RecordTable;
import io.torussm.sa.query.ViewIndex;
import io.torussm.subnet.Subnet;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The search for the paths of one request. It tries pairs of end ports one after the other, and writes the paths
 * that satisfy the request. Used by one thread at a time.
 */
final class PathSearch {
    /** An open end of the request. */
    static final int ANY = -2;

    /**
     * Max number of pairs of LIDs without a path, after which the search is given up. A search with one open end does
     * not reach it, because a subnet has fewer ports.
     */
    static final int MAX_MISSES = 1 << 16;

    /** Max number of such pairs for a trusted requester: about the work of one second. */
    static final int MAX_MISSES_TRUSTED = 1 << 20;

    private static final long SGID = PathRecord.COMPONENTS.bit(PathRecord.SGID);
    private static final long DGID = PathRecord.COMPONENTS.bit(PathRecord.DGID);
    private static final long SLID = PathRecord.COMPONENTS.bit(PathRecord.SLID);
    private static final long DLID = PathRecord.COMPONENTS.bit(PathRecord.DLID);
    private static final int DGID_AT = PathRecord.DGID.offset() / Byte.SIZE;
    private static final int SGID_AT = PathRecord.SGID.offset() / Byte.SIZE;
    private static final int GID_SIZE = PathRecord.DGID.width() / Byte.SIZE;

    /** Preference of paths between LIDs with different LMC offsets. */
    private static final int SECOND_CHOICE = 2;

    private static final int ANY_HOP_LIMIT = 0xff;

    /** HopLimit of paths of virtual ports, as in NVIDIA's OpenSM: hosts add a GRH unless it is 0. */
    private static final int VPORT_HOP_LIMIT = 2;

    private final Query query;
    private final PathRequest request;
    private final int maxRecords;
    private final boolean isToOtherSubnet;
    private final ViewIndex index;
    private final PathWalk walk;

    /** SLID and DLID of the request; 0 if it contains none. */
    private final int slid;

    private final int dlid;

    /** The part of the policy for this request; null if there is no policy. */
    private final PathPolicy.@Nullable Choice choice;

    private final int maxMisses;
    private int missesLeft;

    // The present pair.

    private int from;
    private int to;
    private long fromGuid;
    private long toGuid;
    private int pKey;
    private PathPolicy.@Nullable Level level;

    /** Number of paths that may still be added for the pair. */
    private int remainingPaths;

    /**
     * Creates a search.
     *
     * @param maxRecords max number of records of a table, at which the search ends
     * @param isAbroad whether the DGID of the request is in another subnet, so that the destination is the router to
     *     that subnet
     */
    PathSearch(Query query, PathService paths, PathRequest request, int maxRecords, boolean isAbroad) {
        this.query = query;
        this.request = request;
        this.maxRecords = maxRecords;
        this.isToOtherSubnet = isAbroad;
        this.index = query.index();
        this.walk = paths.walk(query);
        this.slid = query.has(SLID) ? query.value(PathRecord.SLID) : 0;
        this.dlid = query.has(DLID) ? query.value(PathRecord.DLID) : 0;
        PathPolicy.Rules rules = paths.rules(query);
        this.choice = rules == null ? null : rules.choice(request.criteria());
        this.maxMisses = query.isTrusted() ? MAX_MISSES_TRUSTED : MAX_MISSES;
        this.missesLeft = maxMisses;
    }

    /** Checks whether the search was given up, so that there may be further paths. */
    boolean isGivenUp() {
        return missesLeft < 0;
    }

    /** Checks whether a table is full, or the search was given up. */
    boolean isOver(RecordTable records) {
        return records.count() >= maxRecords || records.isOverflown() || isGivenUp();
    }

    /**
     * Returns the indexes of the ports that may be an end of a path of this request. So a request that no port
     * satisfies does not cost the square of the number of ports.
     */
    int[] ends() {
        return Arrays.stream(index.endports()).filter(this::mayEnd).toArray();
    }

    /** Checks whether a port may be an end of a path; the rate of port 0 of a switch does not limit a path. */
    private boolean mayEnd(int port) {
        Fabric fabric = index.fabric();
        boolean isSwitch = fabric.isSwitch(fabric.nodeOf(port));
        int rateOrder = isSwitch ? Rates.FASTEST_ORDER : index.rateOrder(port);
        return query.maySee(port) && request.mayEnd(index.mtu(port), Rates.code(rateOrder), index.keys(port));
    }

    /** Writes the paths of a pair of ports, with the GUIDs of the request if it contains GIDs. */
    void addPair(int source, int destination, RecordTable records) {
        long sourceGuid = guid(source, SGID, SGID_AT, slid);
        addPair(source, sourceGuid, destination, guid(destination, DGID, DGID_AT, dlid), records);
    }

    /** Returns the GUID of an end: that in the request, or of the virtual port with the LID in the request. */
    private long guid(int port, long bit, int gidAt, int lid) {
        boolean isNamed = query.has(bit) && !(isToOtherSubnet && bit == DGID);
        if (isNamed) {
            return Gid.guid(query.mad(), SaMad.DATA_OFFSET + gidAt);
        }
        Subnet subnet = index.subnet();
        return subnet.portOfLid(lid) == port
                ? subnet.guidOfLid(lid)
                : index.fabric().portGuid(port);
    }

    /**
     * Writes the paths of a pair of ports: first those between LIDs with equal LMC offsets, then the others.
     *
     * @param source port index of the source
     * @param sourceGuid GUID of the source, which may be an alias or that of a virtual port
     * @param destination port index of the destination
     * @param destinationGuid GUID of the destination, which may be an alias or that of a virtual port
     */
    void addPair(int source, long sourceGuid, int destination, long destinationGuid, RecordTable records) {
        from = source;
        to = destination;
        fromGuid = sourceGuid;
        toGuid = destinationGuid;
        level = choice == null ? null : choice.level(from, to);
        PortKeys keysOfFrom = index.keys(from, fromGuid);
        PortKeys keysOfTo = index.keys(to, toGuid);
        pKey = request.pKey(keysOfFrom, keysOfTo, level);
        if (pKey < 0 || !query.maySee(from, keysOfFrom) || !query.maySee(to, keysOfTo)) {
            missesLeft--;
            return;
        }
        Subnet subnet = index.subnet();
        int ownOfFrom = index.ownLid(from, fromGuid);
        int ownOfTo = index.ownLid(to, toGuid);
        if (ownOfFrom == VPortGuids.NO_LID || ownOfTo == VPortGuids.NO_LID) {
            missesLeft--;
            return;
        }
        remainingPaths = request.pathsPerPair();
        int fromBase = ownOfFrom == 0 ? subnet.lid(from) : ownOfFrom;
        int toBase = ownOfTo == 0 ? subnet.lid(to) : ownOfTo;
        int maxFrom = ownOfFrom == 0 ? (1 << subnet.lmc(from)) - 1 : 0;
        int maxTo = ownOfTo == 0 ? (1 << subnet.lmc(to)) - 1 : 0;
        int firstFrom = slid == 0 ? 0 : slid - fromBase;
        int lastFrom = slid == 0 ? maxFrom : firstFrom;
        int firstTo = dlid == 0 ? 0 : dlid - toBase;
        int lastTo = dlid == 0 ? maxTo : firstTo;
        if (firstFrom < 0 || lastFrom > maxFrom || firstTo < 0 || lastTo > maxTo) {
            missesLeft--; // a LID of the port that is not one of this GUID
            return;
        }
        for (int i = firstFrom; i <= lastFrom && !hasEnough(records); i++) {
            if (i >= firstTo && i <= lastTo) {
                addPath(fromBase + i, toBase + i, 0, records);
            }
        }
        for (int i = firstFrom; i <= lastFrom; i++) {
            for (int j = firstTo; j <= lastTo && !hasEnough(records); j++) {
                if (i != j) {
                    addPath(fromBase + i, toBase + j, SECOND_CHOICE, records);
                }
            }
        }
    }

    private boolean hasEnough(RecordTable records) {
        return remainingPaths <= 0 || isOver(records);
    }

    /**
     * Tries one path, with the cheapest check first. A found path cancels a miss, so that the work is at most
     * proportional to the answer.
     */
    private void addPath(int fromLid, int toLid, int preference, RecordTable records) {
        Plan plan = index.view().plan();
        int defaultSl = index.slOf(pKey);
        int sl = request.sl(plan, fromLid, toLid, defaultSl, level);
        int life = request.packetLifeTime(from == to ? 0 : lifeTime());
        int limits = (sl | life) < 0 ? PathLimits.NO_PATH : walk.walk(from, toLid, level);
        if (limits == PathLimits.NO_PATH) {
            missesLeft--;
            return;
        }
        int mtu = request.mtu(PathLimits.mtu(limits));
        int rate = request.rate(Rates.code(PathLimits.rateOrder(limits)));
        boolean isReversible = (mtu | rate) >= 0
                && isReverseAllowed(walk.walk(to, fromLid, level))
                && request.sl(plan, toLid, fromLid, defaultSl, level) == sl;
        if ((mtu | rate) < 0 || (request.mustBeReversible() && !isReversible)) {
            missesLeft--;
            return;
        }
        int at = records.next();
        byte[] record = records.bytes();
        request.echo(record, at);
        writeDgid(record, at);
        Gid.write(index.subnet().gidPrefix(), fromGuid, record, at + SGID_AT);
        writeVPortHopLimit(record, at);
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
        remainingPaths--;
        missesLeft = Math.min(maxMisses, missesLeft + 1);
    }

    /** Checks whether the limits of the reverse path satisfy the request. */
    private boolean isReverseAllowed(int reverseLimits) {
        return reverseLimits != PathLimits.NO_PATH
                && request.mtu(PathLimits.mtu(reverseLimits)) >= 0
                && request.rate(Rates.code(PathLimits.rateOrder(reverseLimits))) >= 0;
    }

    private int lifeTime() {
        return level == null || level.packetLife() == PathPolicy.Level.NO_LIMIT
                ? index.view().subnetTimeout()
                : level.packetLife();
    }

    /**
     * Writes HopLimit for virtual ports, which share a LID: the adapter needs the DGID of a GRH to distinguish them.
     */
    private void writeVPortHopLimit(byte[] record, int at) {
        if (!isToOtherSubnet && (index.isVPort(toGuid) || index.isVPort(fromGuid))) {
            PathRecord.HOP_LIMIT.set(record, at, VPORT_HOP_LIMIT);
        }
    }

    private void writeDgid(byte[] record, int at) {
        if (isToOtherSubnet) {
            System.arraycopy(query.mad(), SaMad.DATA_OFFSET + DGID_AT, record, at + DGID_AT, GID_SIZE);
            PathRecord.HOP_LIMIT.set(record, at, ANY_HOP_LIMIT);
        } else {
            Gid.write(index.subnet().gidPrefix(), toGuid, record, at + DGID_AT);
        }
    }
}
