package io.torussm.sa;

import io.torussm.mad.Field;
import io.torussm.mad.Layout;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.sa.PathRecord;
import io.torussm.mad.smp.PKeyTable;
import io.torussm.routing.RoutingPlan;

/** The constraints of a PathRecord request, read and judged once. Results below zero mean that no path can serve it. */
final class PathRequest {
    private static final Layout LAYOUT = PathRecord.TYPE.layout();
    private static final int NO_PATH = -1;
    private static final int UNCONSTRAINED = -1;
    private static final int MAX_MTU = 5;

    /** Fields that an answer repeats if they were given. */
    private static final Field[] ECHOED = {
        PathRecord.SERVICE_ID_8,
        PathRecord.SERVICE_ID_56,
        PathRecord.RAW_TRAFFIC,
        PathRecord.FLOW_LABEL,
        PathRecord.T_CLASS,
        PathRecord.QOS_CLASS
    };

    private final Query query;
    private final int status;
    private final int maxPaths;
    private final int wantedSl;
    private final int pKey;
    private final int mtuSelector;
    private final int rateSelector;
    private final int lifeSelector;
    private final byte[] echo;

    private PathRequest(Query query) {
        this.query = query;
        this.mtuSelector = selector(PathRecord.MTU_SELECTOR, PathRecord.MTU);
        this.rateSelector = selector(PathRecord.RATE_SELECTOR, PathRecord.RATE);
        this.lifeSelector = selector(PathRecord.PACKET_LIFE_TIME_SELECTOR, PathRecord.PACKET_LIFE_TIME);
        this.wantedSl = has(PathRecord.SL) ? value(PathRecord.SL) : UNCONSTRAINED;
        this.pKey = wantedPKey();
        this.maxPaths = maxPaths();
        this.status = judge();
        this.echo = new byte[LAYOUT.size()];
        for (Field field : ECHOED) {
            if (has(field)) {
                field.set(echo, 0, query.value(field));
            }
        }
    }

    static PathRequest of(Query query) {
        return new PathRequest(query);
    }

    private int judge() {
        if (has(PathRecord.SERVICE_ID_8) != has(PathRecord.SERVICE_ID_56)) {
            return MadStatus.SA_REQ_INSUFFICIENT_COMPONENTS;
        }
        boolean isRateUnknown = rateSelector != UNCONSTRAINED && !Rates.isDefined(value(PathRecord.RATE));
        int mtu = value(PathRecord.MTU);
        boolean isMtuUnknown = mtuSelector != UNCONSTRAINED && (mtu < 1 || mtu > MAX_MTU);
        return isRateUnknown || isMtuUnknown ? MadStatus.SA_REQ_INVALID : MadStatus.OK;
    }

    private int wantedPKey() {
        if (has(PathRecord.RAW_TRAFFIC) && value(PathRecord.RAW_TRAFFIC) == 1) {
            return 0;
        }
        return has(PathRecord.P_KEY) ? value(PathRecord.P_KEY) : PKeyTable.DEFAULT_FULL;
    }

    private int maxPaths() {
        if (MadHeader.method(query.mad()) == Method.GET) {
            return 1;
        }
        return has(PathRecord.NUMB_PATH) ? value(PathRecord.NUMB_PATH) : Integer.MAX_VALUE;
    }

    /** A selector counts only together with its value. */
    private int selector(Field selector, Field value) {
        return has(selector) && has(value) ? value(selector) : UNCONSTRAINED;
    }

    private boolean has(Field field) {
        return query.has(LAYOUT, field);
    }

    private int value(Field field) {
        return (int) query.value(field);
    }

    int status() {
        return status;
    }

    boolean hasEnough(RecordTable records) {
        return records.count() >= maxPaths || !PathRecordHandler.isDefaultPKey(pKey) && pKey != 0;
    }

    int pKey() {
        return pKey;
    }

    boolean mustBeReversible() {
        return has(PathRecord.REVERSIBLE) && value(PathRecord.REVERSIBLE) == 1;
    }

    /** A record with the fields of the request that answers repeat. */
    byte[] echo() {
        return echo.clone();
    }

    int mtu(int ofPath) {
        int wanted = value(PathRecord.MTU);
        return switch (mtuSelector) {
            case PathRecord.GREATER -> ofPath > wanted ? ofPath : NO_PATH;
            case PathRecord.LESS -> ofPath < wanted ? ofPath : wanted > 1 ? wanted - 1 : NO_PATH;
            case PathRecord.EXACTLY -> ofPath >= wanted ? wanted : NO_PATH;
            default -> ofPath;
        };
    }

    int rate(int ofPath) {
        int wanted = value(PathRecord.RATE);
        return switch (rateSelector) {
            case PathRecord.GREATER -> Rates.compare(ofPath, wanted) > 0 ? ofPath : NO_PATH;
            case PathRecord.LESS -> Rates.compare(ofPath, wanted) < 0 ? ofPath : lower(wanted);
            case PathRecord.EXACTLY -> ofPath == wanted ? wanted : NO_PATH;
            default -> ofPath;
        };
    }

    private static int lower(int rate) {
        int lower = Rates.nextLower(rate);
        return lower == 0 ? NO_PATH : lower;
    }

    int packetLifeTime(int ofPath) {
        int wanted = value(PathRecord.PACKET_LIFE_TIME);
        return switch (lifeSelector) {
            case PathRecord.GREATER -> ofPath > wanted ? ofPath : NO_PATH;
            case PathRecord.LESS -> ofPath < wanted ? ofPath : wanted > 0 ? wanted - 1 : NO_PATH;
            case PathRecord.EXACTLY -> ofPath >= wanted ? wanted : NO_PATH;
            default -> ofPath;
        };
    }

    /** The plan's SL and no other: whoever names one must name the right one. */
    int sl(RoutingPlan plan, int slid, int dlid) {
        int granted = plan.pathSl(slid, dlid, Math.max(0, wantedSl));
        return wantedSl == UNCONSTRAINED || granted == wantedSl ? granted : NO_PATH;
    }
}
