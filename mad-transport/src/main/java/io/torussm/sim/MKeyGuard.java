package io.torussm.sim;

import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.smp.PortInfo;
import io.torussm.mad.smp.Smp;
import java.util.concurrent.TimeUnit;

/** The check of the M_Key of an SMP (IBA 14.2.4.1) and the lease of the protection (14.2.4.2). */
final class MKeyGuard {
    private static final int MAX_VIOLATIONS = 0xffff;

    /** The result of the check. */
    enum Verdict {
        /** The key is correct, or the port has no key. */
        PASS,
        /** A Get whose response must not contain the key. */
        PASS_WITHOUT_KEY,
        /** The SMP is dropped without a response, and counted. */
        DROP
    }

    private MKeyGuard() {}

    /** Compares the M_Key of an SMP with the key of the port. Counts a violation, and begins or ends the lease. */
    static Verdict check(SimPort port, byte[] mad, long nowNs) {
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
        port.set(PortInfo.M_KEY_VIOLATIONS, Math.min(MAX_VIOLATIONS, port.get(PortInfo.M_KEY_VIOLATIONS) + 1));
        startLease(port, nowNs);
        return Verdict.DROP;
    }

    private static void startLease(SimPort port, long nowNs) {
        int period = port.get(PortInfo.M_KEY_LEASE_PERIOD);
        if (period != 0 && port.leaseEndNs == SimPort.NO_LEASE) {
            port.leaseEndNs = nowNs + TimeUnit.SECONDS.toNanos(period);
        }
    }

    /** Clears the protection bits if the lease has expired. */
    static void endLease(SimPort port, long nowNs) {
        if (port.leaseEndNs != SimPort.NO_LEASE && nowNs - port.leaseEndNs >= 0) {
            port.set(PortInfo.M_KEY_PROTECT_BITS, 0);
            port.leaseEndNs = SimPort.NO_LEASE;
        }
    }
}
