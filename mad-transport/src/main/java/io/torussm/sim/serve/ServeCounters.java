package io.torussm.sim.serve;

/**
 * What a server has counted since it began.
 *
 * @param attached clients attached
 * @param refused clients not attached: a wrong name, too many clients, an address that is not theirs
 * @param died clients that went without a word
 * @param controls control requests answered
 * @param malformed datagrams that are none of the protocol, or name a client that their sender is not
 * @param received MADs from clients
 * @param sent MADs to clients
 * @param dropped MADs for clients whose queue was full
 * @param returned requests that came back without an answer
 * @param unclaimed MADs for a port at which no client wanted them
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
