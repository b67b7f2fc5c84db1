package io.torussm.sim;

/**
 * The counters of an embedded fabric.
 *
 * @param sent MADs that clients passed to the fabric
 * @param answered requests that devices answered
 * @param delivered MADs passed to clients
 * @param lost MADs lost at a cable that is down, or by the fault plan
 * @param duplicated MADs that arrived twice
 * @param misdirected directed routes that a device rejected
 * @param unroutable LID-routed MADs that a device did not forward
 * @param ignored MADs that had no receiver, or that their receiver rejected without a response
 * @param mKeyViolations SMPs dropped because of their M_Key
 * @param traps traps sent by devices, including repetitions
 * @param hops cables crossed by all MADs
 * @param overflowed SMPs dropped because a queue for VL15 was full
 */
public record FabricCounters(
        long sent,
        long answered,
        long delivered,
        long lost,
        long duplicated,
        long misdirected,
        long unroutable,
        long ignored,
        long mKeyViolations,
        long traps,
        long hops,
        long overflowed) {}
