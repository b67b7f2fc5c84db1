package io.torussm.sim.serve;

/**
 * The state of a client at one moment.
 *
 * @param id number
 * @param address address of its control socket
 * @param port port: node, and port number in brackets
 * @param portGuid PortGUID of that port
 * @param isSm whether it has IsSM
 * @param received MADs from it
 * @param sent MADs to it
 * @param dropped MADs that were lost because its queue was full
 * @param returned requests of it that were returned without a response
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
