package io.torussm.sim.serve;

/**
 * What is known of a client, at one moment.
 *
 * @param id its number
 * @param address of its control socket
 * @param port where it is attached: node, and port number in brackets
 * @param portGuid of that port
 * @param isSm whether it has IsSM
 * @param received MADs from it
 * @param sent MADs to it
 * @param dropped MADs that were for it while its queue was full
 * @param returned requests of it that came back without an answer
 */
public record ServedClientInfo(
        int id,
        String address,
        String port,
        long portGuid,
        boolean isSm,
        long received,
        long sent,
        long dropped,
        long returned) {}
