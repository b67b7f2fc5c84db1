package io.torussm.sim.serve;

import java.util.concurrent.TimeUnit;

/**
 * The limits of a server for its clients.
 *
 * @param maxClients max number of attached clients, 1 to {@link #MAX_CLIENTS}
 * @param maxWaiting max number of MADs that wait for a slow client; further ones are dropped
 * @param maxOutstanding max number of requests of one client without a response; a further request returns to the
 *     client immediately
 * @param smpTimeoutNs time after which an SMP without a response returns to the client as timed out
 * @param gmpTimeoutNs time after which another request without a response returns to the client as timed out
 */
public record ServeLimits(int maxClients, int maxWaiting, int maxOutstanding, long smpTimeoutNs, long gmpTimeoutNs) {
    /** Max number of clients, a limit of memory. Transaction IDs could distinguish 65,536 clients. */
    public static final int MAX_CLIENTS = 4_096;

    /** The default limits. Waiting MADs of all clients take at most 300 MiB. */
    public static final ServeLimits DEFAULT =
            new ServeLimits(256, 4_096, 4_096, TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.SECONDS.toNanos(5));

    public ServeLimits {
        if (maxClients < 1 || maxClients > MAX_CLIENTS) {
            throw new IllegalArgumentException(maxClients + " clients; use 1 to " + MAX_CLIENTS);
        }
        if (maxWaiting < 1 || maxOutstanding < 1 || smpTimeoutNs < 1 || gmpTimeoutNs < 1) {
            throw new IllegalArgumentException("limits must be at least 1: waiting " + maxWaiting + ", outstanding "
                    + maxOutstanding + ", smpTimeoutNs " + smpTimeoutNs + ", gmpTimeoutNs " + gmpTimeoutNs);
        }
    }

    /** Returns a copy with another max number of clients. */
    public ServeLimits withClients(int max) {
        return new ServeLimits(max, maxWaiting, maxOutstanding, smpTimeoutNs, gmpTimeoutNs);
    }

    /** Returns a copy with another time-out of SMPs. */
    public ServeLimits withSmpTimeout(long timeoutNs) {
        return new ServeLimits(maxClients, maxWaiting, maxOutstanding, timeoutNs, gmpTimeoutNs);
    }
}
