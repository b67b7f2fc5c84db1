package io.torussm.report;

import io.torussm.mad.Field;
import io.torussm.mad.Gid;
import io.torussm.mad.Guid;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.ReportedNotice;
import io.torussm.mad.smp.Notice;
import io.torussm.transport.GlobalRoute;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A subscription of one queue pair to notices. Immutable.
 *
 * @param subscriber destination of Reports
 * @param number Enum of the InformInfoRecord, 0 to 65535; unique for a port
 * @param isTrusted whether the request had the SM_Key
 * @param informInfo selection of notices, with Subscribe 1 and the QPN of the subscriber
 */
public record Subscription(Subscriber subscriber, int number, boolean isTrusted, InformInfo informInfo) {
    /** The highest number. */
    public static final int MAX_NUMBER = 0xffff;

    /**
     * The components that, with the GID, distinguish subscriptions of one queue pair. Subscribe, QPN and RespTimeValue
     * do not distinguish them.
     */
    private static final Field[] CRITERIA = {
        InformInfo.TRAP_NUMBER,
        InformInfo.NOTICE_TYPE,
        InformInfo.IS_GENERIC,
        InformInfo.PRODUCER_TYPE,
        InformInfo.LID_RANGE_BEGIN,
        InformInfo.LID_RANGE_END
    };

    /** The unit of RespTimeValue: 4.096 us. */
    private static final double TIME_UNIT_NS = 4096;

    /**
     * The destination of Reports.
     *
     * @param portGuid PortGUID of the port
     * @param qpn QPN of the queue pair, 0 to 0xFFFFFF
     * @param grh the global route header of the request, which Reports also get; null without one
     */
    public record Subscriber(
            long portGuid, int qpn, @Nullable GlobalRoute grh) {
        /** Creates a subscriber without a global route header. */
        public Subscriber(long portGuid, int qpn) {
            this(portGuid, qpn, null);
        }

        @Override
        public String toString() {
            return "port GUID " + Guid.format(portGuid) + " QP " + qpn + (grh == null ? "" : " GID " + grh.gid());
        }
    }

    /** Checks whether another selection of notices equals that of this subscription. */
    boolean hasSameSelection(InformInfo others) {
        for (Field field : CRITERIA) {
            if (informInfo.get(field) != others.get(field)) {
                return false;
            }
        }
        return informInfo.gid().equals(others.gid());
    }

    /**
     * Checks whether the subscription includes a notice. Only trusted subscribers receive traps 256 to 259, even with a
     * subscription to all traps. If InformInfo has a GID, it is compared instead of the LID range. A range without an
     * end is one LID.
     */
    boolean matches(ReportedNotice reported) {
        boolean isGeneric = reported.get(Notice.IS_GENERIC) != 0;
        int trapNumber = (int) reported.get(Notice.TRAP_NUMBER);
        return (informInfo.get(InformInfo.IS_GENERIC) != 0) == isGeneric
                && matchesField(InformInfo.TRAP_NUMBER, InformInfo.ANY, trapNumber)
                && matchesField(InformInfo.NOTICE_TYPE, InformInfo.ANY, reported.get(Notice.NOTICE_TYPE))
                && matchesField(InformInfo.PRODUCER_TYPE, InformInfo.ANY_PRODUCER, reported.get(Notice.PRODUCER_TYPE))
                && (isTrusted || !isGeneric || !Notice.isAboutKeys(trapNumber))
                && isFrom(reported.issuerGid(), (int) reported.get(Notice.ISSUER_LID));
    }

    private boolean matchesField(Field field, long any, long value) {
        long wanted = informInfo.get(field);
        return wanted == any || wanted == value;
    }

    private boolean isFrom(Gid issuer, int issuerLid) {
        if (informInfo.hasGid()) {
            return informInfo.gid().guid() == issuer.guid();
        }
        return informInfo.isOfAnyLid() || (issuerLid >= informInfo.firstLid() && issuerLid <= informInfo.lastLid());
    }

    /** Returns the max response time that the subscriber claims, in milliseconds (IBA 13.4.8.3). */
    long responseTimeMs() {
        double ns = TIME_UNIT_NS * (1L << informInfo.get(InformInfo.RESP_TIME_VALUE));
        return (long) (ns / TimeUnit.MILLISECONDS.toNanos(1));
    }
}
