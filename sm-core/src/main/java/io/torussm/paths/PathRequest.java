package io.torussm.paths;

import io.torussm.mad.Field;
import io.torussm.mad.MadStatus;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.sa.Rates;
import io.torussm.mad.sa.SaMad;
import io.torussm.partition.PortKeys;
import io.torussm.routing.Plan;
import io.torussm.sa.query.Query;
import org.jspecify.annotations.Nullable;

/**
 * The constraints of a PathRecord request, parsed and checked once. A negative result of a method means that no path
 * satisfies the request. Immutable.
 */
final class PathRequest {
    private static final int NO_PATH = -1;
    private static final int UNCONSTRAINED = -1;
    private static final int MAX_MTU = 5;
    private static final int SLS = 16;
    private static final int MAX_PATHS = Integer.MAX_VALUE;

    private static final long SERVICE_ID =
            PathRecord.COMPONENTS.bit(PathRecord.SERVICE_ID_8) | PathRecord.COMPONENTS.bit(PathRecord.SERVICE_ID_56);
    private static final int SERVICE_ID_56_BITS = 56;
    private static final long QOS_CLASS = PathRecord.COMPONENTS.bit(PathRecord.QOS_CLASS);
    private static final long RAW_TRAFFIC = PathRecord.COMPONENTS.bit(PathRecord.RAW_TRAFFIC);
    private static final long REVERSIBLE = PathRecord.COMPONENTS.bit(PathRecord.REVERSIBLE);
    private static final long NUMB_PATH = PathRecord.COMPONENTS.bit(PathRecord.NUMB_PATH);
    private static final long P_KEY = PathRecord.COMPONENTS.bit(PathRecord.P_KEY);
    private static final long SL = PathRecord.COMPONENTS.bit(PathRecord.SL);
    private static final long MTU =
            PathRecord.COMPONENTS.bit(PathRecord.MTU_SELECTOR) | PathRecord.COMPONENTS.bit(PathRecord.MTU);
    private static final long RATE =
            PathRecord.COMPONENTS.bit(PathRecord.RATE_SELECTOR) | PathRecord.COMPONENTS.bit(PathRecord.RATE);
    private static final long LIFE = PathRecord.COMPONENTS.bit(PathRecord.PACKET_LIFE_TIME_SELECTOR)
            | PathRecord.COMPONENTS.bit(PathRecord.PACKET_LIFE_TIME);

    /** Components that an answer repeats if the request contains them. */
    private static final Field[] ECHOED = {
        PathRecord.SERVICE_ID_8,
        PathRecord.SERVICE_ID_56,
        PathRecord.RAW_TRAFFIC,
        PathRecord.FLOW_LABEL,
        PathRecord.T_CLASS,
        PathRecord.QOS_CLASS
    };

    private static final long[] ECHOED_BITS = bits(ECHOED);
    private static final long ANY_ECHOED = union(ECHOED_BITS);

    private final Query query;
    private final int mtuSelector;
    private final int rateSelector;
    private final int lifeSelector;
    private final int requestedMtu;
    private final int requestedRate;
    private final int requestedLife;
    private final int requestedSl;
    private final int requestedPKey;
    private final int pathsPerPair;
    private final boolean isRaw;
    private final boolean mustBeReversible;

    /** Parses a request; the other methods are valid only if {@link #status()} is OK. */
    PathRequest(Query query) {
        this.query = query;
        mtuSelector = selector(MTU, PathRecord.MTU_SELECTOR);
        rateSelector = selector(RATE, PathRecord.RATE_SELECTOR);
        lifeSelector = selector(LIFE, PathRecord.PACKET_LIFE_TIME_SELECTOR);
        requestedMtu = query.value(PathRecord.MTU);
        requestedRate = query.value(PathRecord.RATE);
        requestedLife = query.value(PathRecord.PACKET_LIFE_TIME);
        requestedSl = query.has(SL) ? query.value(PathRecord.SL) : UNCONSTRAINED;
        isRaw = query.has(RAW_TRAFFIC) && query.value(PathRecord.RAW_TRAFFIC) == 1;
        requestedPKey = query.has(P_KEY) ? query.value(PathRecord.P_KEY) : UNCONSTRAINED;
        pathsPerPair = query.isGet() ? 1 : query.has(NUMB_PATH) ? query.value(PathRecord.NUMB_PATH) : MAX_PATHS;
        mustBeReversible = query.has(REVERSIBLE) && query.value(PathRecord.REVERSIBLE) == 1;
    }

    /** Returns the MAD status of the request: OK, or the reason of its refusal. */
    int status() {
        long serviceId = query.mask() & SERVICE_ID;
        if (serviceId != 0 && serviceId != SERVICE_ID) {
            return MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS;
        }
        boolean isRateUnknown = rateSelector != UNCONSTRAINED && !Rates.isDefined(requestedRate);
        boolean isMtuUnknown = mtuSelector != UNCONSTRAINED && (requestedMtu < 1 || requestedMtu > MAX_MTU);
        return isRateUnknown || isMtuUnknown ? MadStatus.SA_REQ_INVALID : MadStatus.OK;
    }

    /** Returns a selector; UNCONSTRAINED if the request does not contain both selector and value. */
    private int selector(long bits, Field selector) {
        return (query.mask() & bits) == bits ? query.value(selector) : UNCONSTRAINED;
    }

    /** Returns the max number of paths of each pair of ports in the answer (NumbPath); 0 permits no path. */
    int pathsPerPair() {
        return pathsPerPair;
    }

    /**
     * Checks whether a port may be an end of a path: no path has a larger MTU or rate than its ends.
     *
     * @param mtu MTU code of the port
     * @param rate rate code of the port
     * @param keys P_Keys of the port
     */
    boolean mayEnd(int mtu, int rate, PortKeys keys) {
        boolean isFastEnough =
                rateSelector == PathRecord.EXACTLY ? Rates.compare(rate, requestedRate) >= 0 : rate(rate) >= 0;
        return mtu(mtu) >= 0 && isFastEnough && (isRaw || requestedPKey == UNCONSTRAINED || keys.isIn(requestedPKey));
    }

    boolean mustBeReversible() {
        return mustBeReversible;
    }

    /** Returns the components by which the policy selects levels. */
    PathPolicy.Criteria criteria() {
        boolean hasServiceId = (query.mask() & SERVICE_ID) == SERVICE_ID;
        long serviceId = PathRecord.SERVICE_ID_8.get(query.mad(), SaMad.DATA_OFFSET) << SERVICE_ID_56_BITS
                | PathRecord.SERVICE_ID_56.get(query.mad(), SaMad.DATA_OFFSET);
        int qosClass = query.has(QOS_CLASS) ? query.value(PathRecord.QOS_CLASS) : PathPolicy.Criteria.UNSPECIFIED;
        return new PathPolicy.Criteria(hasServiceId, serviceId, qosClass, requestedPKey);
    }

    /**
     * Returns the P_Key of a path. If the request contains a P_Key, both ends must have it and the level must allow it;
     * otherwise it is a common P_Key. 0 for raw traffic; negative if there is none.
     */
    int pKey(PortKeys from, PortKeys to, PathPolicy.@Nullable Level level) {
        if (isRaw) {
            return from.sharesWith(to) ? 0 : NO_PATH;
        }
        if (requestedPKey != UNCONSTRAINED) {
            boolean isAllowed = level == null || level.allows(requestedPKey);
            return isAllowed && from.maySpeak(requestedPKey, to) ? requestedPKey : NO_PATH;
        }
        int shared = level == null ? from.sharedWith(to) : level.pKey(from, to);
        return shared == 0 ? NO_PATH : shared;
    }

    /** Writes the components of the request that answers repeat. */
    void echo(byte[] record, int at) {
        if (!query.has(ANY_ECHOED)) {
            return;
        }
        for (int i = 0; i < ECHOED.length; i++) {
            if (query.has(ECHOED_BITS[i])) {
                ECHOED[i].set(record, at, ECHOED[i].get(query.mad(), SaMad.DATA_OFFSET));
            }
        }
    }

    /** Returns the MTU code for the answer; negative if a path with an MTU code does not satisfy the request. */
    int mtu(int pathMtu) {
        return switch (mtuSelector) {
            case PathRecord.GREATER -> pathMtu > requestedMtu ? pathMtu : NO_PATH;
            case PathRecord.LESS -> pathMtu < requestedMtu ? pathMtu : requestedMtu > 1 ? requestedMtu - 1 : NO_PATH;
            case PathRecord.EXACTLY -> pathMtu >= requestedMtu ? requestedMtu : NO_PATH;
            default -> pathMtu;
        };
    }

    /** Returns the rate code for the answer; negative if a path with a rate code does not satisfy the request. */
    int rate(int pathRate) {
        return switch (rateSelector) {
            case PathRecord.GREATER -> Rates.compare(pathRate, requestedRate) > 0 ? pathRate : NO_PATH;
            case PathRecord.LESS ->
                Rates.compare(pathRate, requestedRate) < 0 ? pathRate : nextLowerRate(requestedRate);
            case PathRecord.EXACTLY -> pathRate == requestedRate ? requestedRate : NO_PATH;
            default -> pathRate;
        };
    }

    private static int nextLowerRate(int rate) {
        int lower = Rates.nextLower(rate);
        return lower == 0 ? NO_PATH : lower;
    }

    /**
     * Returns the PacketLifeTime for the answer; negative if a path with that of the subnet does not satisfy the
     * request.
     */
    int packetLifeTime(int pathLife) {
        return switch (lifeSelector) {
            case PathRecord.GREATER -> pathLife > requestedLife ? pathLife : NO_PATH;
            case PathRecord.LESS ->
                pathLife < requestedLife ? pathLife : requestedLife > 0 ? requestedLife - 1 : NO_PATH;
            case PathRecord.EXACTLY -> pathLife >= requestedLife ? requestedLife : NO_PATH;
            default -> pathLife;
        };
    }

    /**
     * Returns the SL that the plan grants for a path. If the request contains another SL, there is no path. The hint
     * for the plan is the SL of the level, of the request, or the default, in this order. For raw traffic without a
     * level or requested SL, it is the first SL that the plan grants.
     *
     * @param slid source LID
     * @param dlid destination LID
     * @param defaultSl SL of the partition of the path
     * @param level level of the path; null if there is none
     * @return SL; negative if there is no path
     */
    int sl(Plan plan, int slid, int dlid, int defaultSl, PathPolicy.@Nullable Level level) {
        if (isRaw && level == null && requestedSl == UNCONSTRAINED) {
            return firstSl(plan, slid, dlid);
        }
        int hint = level != null ? level.sl() : requestedSl == UNCONSTRAINED ? defaultSl : requestedSl;
        int granted = plan.pathSl(slid, dlid, hint);
        return requestedSl == UNCONSTRAINED || granted == requestedSl ? granted : NO_PATH;
    }

    private static int firstSl(Plan plan, int slid, int dlid) {
        for (int hint = 0; hint < SLS; hint++) {
            int granted = plan.pathSl(slid, dlid, hint);
            if (granted >= 0) {
                return granted;
            }
        }
        return NO_PATH;
    }

    private static long[] bits(Field[] fields) {
        long[] bits = new long[fields.length];
        for (int i = 0; i < fields.length; i++) {
            bits[i] = PathRecord.COMPONENTS.bit(fields[i]);
        }
        return bits;
    }

    private static long union(long[] bits) {
        long union = 0;
        for (long bit : bits) {
            union |= bit;
        }
        return union;
    }
}
