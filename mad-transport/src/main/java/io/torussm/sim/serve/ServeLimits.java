package io.torussm.sim.serve;

import java.util.concurrent.TimeUnit;

/**
 * The limits of a server for its clients.
 *
 * @param clients attached simultaneously, 1 to {@link #MOST_CLIENTS}
 * @param waiting datagrams that may wait for a slow client; more are dropped
 * @param outstanding requests of one client that wait for responses; more are returned immediately
 * @param smpTimeoutNs after which an SMP without a response is returned
 * @param gmpTimeoutNs the same for other MADs
 */
public record ServeLimits(int clients, int waiting, int outstanding, long smpTimeoutNs, long gmpTimeoutNs) {
    /** Transaction IDs have 16 bits for the client. */
    public static final int MOST_CLIENTS = 4_096;

    /** Datagrams that wait for all clients together have room in 300 MiB at the most. */
    public static final ServeLimits USUAL =
            new ServeLimits(256, 4_096, 4_096, TimeUnit.MILLISECONDS.toNanos(200), TimeUnit.SECONDS.toNanos(5));

    public ServeLimits {
        if (clients < 1 || clients > MOST_CLIENTS) {
            throw new IllegalArgumentException(clients + " clients; use 1 to " + MOST_CLIENTS);
        }
        if (waiting < 1 || outstanding < 1 || smpTimeoutNs < 1 || gmpTimeoutNs < 1) {
            throw new IllegalArgumentException("limits must be at least 1: " + waiting + ", " + outstanding + ", "
                    + smpTimeoutNs + ", " + gmpTimeoutNs);
        }
    }

    /** Returns the same for another number of clients. */
    public ServeLimits withClients(int most) {
        return new ServeLimits(most, waiting, outstanding, smpTimeoutNs, gmpTimeoutNs);
    }

    /** Returns the same with another time-out of SMPs. */
    public ServeLimits withSmpTimeout(long timeoutNs) {
        return new ServeLimits(clients, waiting, outstanding, timeoutNs, gmpTimeoutNs);
    }
}
