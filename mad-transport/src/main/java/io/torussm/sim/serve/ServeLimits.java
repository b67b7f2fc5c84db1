package io.torussm.sim.serve;

import java.util.concurrent.TimeUnit;

/**
 * The limits of a server for its clients.
 *
 * @param clients maximum number of attached clients, 1 to {@link #MAX_CLIENTS}
 * @param waiting maximum number of MADs that wait for a slow client; more are dropped
 * @param outstanding maximum number of requests of one client without a response; a request above it is
 *     returned to the client immediately
 * @param smpTimeoutNs time after which an SMP without a response is returned to the client as timed out
 * @param gmpTimeoutNs time after which another MAD without a response is returned to the client as timed out
 */
public record ServeLimits(int clients, int waiting, int outstanding, long smpTimeoutNs, long gmpTimeoutNs) {
    /** The highest number of clients, a bound of memory. Transaction IDs have room for 65,536 clients. */
    public static final int MAX_CLIENTS = 4_096;

    /** The default limits. MADs that wait for all clients together take at most 300 MiB. */
    public static final ServeLimits DEFAULT =
            new ServeLimits(256, 4_096, 4_096, TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.SECONDS.toNanos(5));

    public ServeLimits {
        if (clients < 1 || clients > MAX_CLIENTS) {
            throw new IllegalArgumentException(clients + " clients; use 1 to " + MAX_CLIENTS);
        }
        if (waiting < 1 || outstanding < 1 || smpTimeoutNs < 1 || gmpTimeoutNs < 1) {
            throw new IllegalArgumentException("limits must be at least 1: waiting " + waiting + ", outstanding "
                    + outstanding + ", smpTimeoutNs " + smpTimeoutNs + ", gmpTimeoutNs " + gmpTimeoutNs);
        }
    }

    /** Returns limits with another maximum number of clients. */
    public ServeLimits withClients(int max) {
        return new ServeLimits(max, waiting, outstanding, smpTimeoutNs, gmpTimeoutNs);
    }

    /** Returns limits with another time-out of SMPs. */
    public ServeLimits withSmpTimeout(long timeoutNs) {
        return new ServeLimits(clients, waiting, outstanding, timeoutNs, gmpTimeoutNs);
    }
}
