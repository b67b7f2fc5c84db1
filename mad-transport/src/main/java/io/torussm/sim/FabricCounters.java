package io.torussm.sim;

/**
 * What an embedded fabric has counted so far.
 *
 * @param sent MADs that clients handed to the fabric
 * @param answered requests that devices answered
 * @param delivered MADs handed to clients
 * @param lost MADs that ended at a cable that is down, or fell to the fault plan
 * @param duplicated MADs that arrived twice
 * @param misdirected directed routes that a device refused to follow
 * @param unroutable LID-routed MADs that a device refused to forward
 * @param ignored MADs that their destination could make nothing of
 * @param mKeyViolations SMPs dropped for their M_Key
 * @param traps traps sent by devices, repetitions included
 * @param hops cables crossed by all MADs
 * @param overflowed SMPs dropped because a queue for VL 15 was full
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
