package io.torussm.sim.congestion;

import io.torussm.mad.Gid;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.congestion.CongestionKeyInfo;
import io.torussm.mad.congestion.CongestionMad;
import io.torussm.mad.congestion.KeyViolation;
import io.torussm.mad.smp.Notice;
import java.util.concurrent.TimeUnit;

/**
 * The CC_Key of an agent, its protection and its lease. A Set with a wrong key gets no response, as an SMP with a wrong
 * M_Key; it is counted, kept as a notice, and starts the lease. A Get needs no key, but the key is hidden if it is
 * protected. When the lease has run out, the protection ends.
 */
final class CongestionKey {
    private static final int MAX_VIOLATIONS = 0xffff;
    private static final int NOTICE_EMPTY = 0x7f;
    private static final long NO_LEASE = -1;
    private static final Notice NO_NOTICE = Notice.TYPE.zero().with(Notice.NOTICE_TYPE, NOTICE_EMPTY);

    private CongestionKeyInfo info = CongestionKeyInfo.TYPE.zero();
    private Notice notice = NO_NOTICE;
    private long leaseEndNs = NO_LEASE;

    long value() {
        return info.get(CongestionKeyInfo.CC_KEY);
    }

    Notice notice() {
        return notice;
    }

    void clearNotice() {
        notice = NO_NOTICE;
    }

    /** Checks the key of a request, counts a violation, and starts or stops the lease. */
    boolean checkKey(byte[] mad, int nodeType, int slid, int lid, long sinceNs) {
        if (leaseEndNs != NO_LEASE && sinceNs >= leaseEndNs) {
            info = info.with(CongestionKeyInfo.PROTECT_BIT, 0);
            leaseEndNs = NO_LEASE;
        }
        long shown = CongestionMad.CC_KEY.get(mad, 0);
        if (value() == 0 || shown == value()) {
            leaseEndNs = NO_LEASE;
            return true;
        } else if (MadHeader.method(mad) == Method.GET) {
            return true;
        }
        long violations = info.get(CongestionKeyInfo.VIOLATIONS);
        info = info.with(CongestionKeyInfo.VIOLATIONS, Math.min(MAX_VIOLATIONS, violations + 1));
        long periodS = info.get(CongestionKeyInfo.LEASE_PERIOD);
        if (periodS != 0 && leaseEndNs == NO_LEASE) {
            leaseEndNs = sinceNs + TimeUnit.SECONDS.toNanos(periodS);
        }
        notice = new KeyViolation(
                        slid,
                        MadHeader.method(mad),
                        MadHeader.attributeId(mad),
                        MadHeader.attributeModifier(mad),
                        1,
                        shown,
                        new Gid(0, 0))
                .notice(nodeType, lid);
        return false;
    }

    /** Returns the key information as a requester sees it. */
    CongestionKeyInfo visibleTo(long requester) {
        boolean isHidden = info.get(CongestionKeyInfo.PROTECT_BIT) != 0 && requester != value();
        return isHidden ? info.with(CongestionKeyInfo.CC_KEY, 0) : info;
    }

    /** Applies a Set. Violations are cleared by 0 and unchanged otherwise. */
    void set(CongestionKeyInfo newer) {
        long violations = newer.get(CongestionKeyInfo.VIOLATIONS) == 0 ? 0 : info.get(CongestionKeyInfo.VIOLATIONS);
        info = newer.with(CongestionKeyInfo.VIOLATIONS, violations);
    }
}
