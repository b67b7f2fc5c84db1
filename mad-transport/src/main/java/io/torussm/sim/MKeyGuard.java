package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import java.util.concurrent.TimeUnit;

/** The M_Key check of a port (IBA 14.2.4.1) with its lease (14.2.4.2). */
final class MKeyGuard {
    private static final int MAX_COUNT = 0xffff;

    /** The verdict on an SMP. */
    enum Verdict {
        /** The key is right, or the port has none. */
        PASS,
        /** A Get that may read everything but the key. */
        PASS_WITHOUT_KEY,
        /** Silently dropped, and counted. */
        DROP
    }

    private MKeyGuard() {}

    /** Checks the M_Key of an SMP, counts a violation, and starts or stops the lease. */
    static Verdict judge(SimPort port, byte[] mad, long nowNs) {
        endLease(port, nowNs);
        long key = PortInfo.M_KEY.get(port.info, 0);
        if (key == 0) {
            return Verdict.PASS;
        }
        if (Smp.M_KEY.get(mad, 0) == key) {
            port.leaseEndNs = SimPort.NO_LEASE;
            return Verdict.PASS;
        }
        int protection = port.get(PortInfo.M_KEY_PROTECT_BITS);
        if (MadHeader.method(mad) == Method.GET && protection < 2) {
            return protection == 0 ? Verdict.PASS : Verdict.PASS_WITHOUT_KEY;
        }
        port.set(PortInfo.M_KEY_VIOLATIONS, Math.min(MAX_COUNT, port.get(PortInfo.M_KEY_VIOLATIONS) + 1));
        startLease(port, nowNs);
        return Verdict.DROP;
    }

    private static void startLease(SimPort port, long nowNs) {
        int period = port.get(PortInfo.M_KEY_LEASE_PERIOD);
        if (period != 0 && port.leaseEndNs == SimPort.NO_LEASE) {
            port.leaseEndNs = nowNs + TimeUnit.SECONDS.toNanos(period);
        }
    }

    /** Clears the protection if the lease has run out. */
    static void endLease(SimPort port, long nowNs) {
        if (port.leaseEndNs != SimPort.NO_LEASE && nowNs - port.leaseEndNs >= 0) {
            port.set(PortInfo.M_KEY_PROTECT_BITS, 0);
            port.leaseEndNs = SimPort.NO_LEASE;
        }
    }
}
