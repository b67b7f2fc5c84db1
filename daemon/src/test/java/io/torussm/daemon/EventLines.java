package io.torussm.daemon;

import io.torussm.mad.Method;
import io.torussm.mad.sa.InformInfo;
import io.torussm.mad.sa.ReportedNotice;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.Notice;

/** Subscriptions to events, and the contents of Reports. */
public final class EventLines {
    /** Instead of a trap number. */
    public static final int ALL_TRAPS = InformInfo.ANY;

    private EventLines() {}

    /** Returns a Set(InformInfo) for all generic notices of a trap number, from QP 1. */
    public static byte[] informInfo(int subscribe, int trapNumber) {
        byte[] mad = SaMad.request(Method.SET, 1, InformInfo.TYPE.id(), 0, 0);
        InformInfo.TYPE
                .zero()
                .with(InformInfo.LID_RANGE_BEGIN, InformInfo.ANY)
                .with(InformInfo.IS_GENERIC, 1)
                .with(InformInfo.SUBSCRIBE, subscribe)
                .with(InformInfo.NOTICE_TYPE, InformInfo.ANY)
                .with(InformInfo.TRAP_NUMBER, trapNumber)
                .with(InformInfo.QPN, 1)
                .with(InformInfo.PRODUCER_TYPE, InformInfo.ANY_PRODUCER)
                .write(mad, SaMad.DATA_OFFSET);
        return mad;
    }

    /** Returns the contents of a Report, as {@code 65 100000001}: the trap and its GUID. */
    public static String reportText(byte[] report) {
        ReportedNotice reported = ReportedNotice.TYPE.read(report, SaMad.DATA_OFFSET);
        Notice notice = reported.notice();
        boolean isOfSm = notice.trapNumber() < Notice.TRAP_LINK_STATE_CHANGE;
        long about = isOfSm ? notice.gid().guid() : reported.issuerGid().guid();
        return notice.trapNumber() + " " + Long.toHexString(about);
    }
}
