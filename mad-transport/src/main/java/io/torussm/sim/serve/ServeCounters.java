package io.torussm.sim.serve;

/**
 * The counters of a server since its start.
 *
 * @param attached number of attached clients
 * @param refused number of refused clients: a wrong name, too many clients, a foreign address
 * @param died clients that were detached because their process ended
 * @param controls control requests with a response
 * @param malformed datagrams that violate the protocol, or contain the ID of another client
 * @param received MADs from clients
 * @param sent MADs to clients
 * @param dropped MADs for clients whose queue was full
 * @param returned requests that were returned without a response
 * @param unclaimed MADs that had no client
 */
public record ServeCounters(
        long attached,
        long refused,
        long died,
        long controls,
        long malformed,
        long received,
        long sent,
        long dropped,
        long returned,
        long unclaimed) {}
