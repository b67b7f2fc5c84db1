package io.torussm.sim.serve;

/**
 * The state of a client at one moment.
 *
 * @param id ID of the client
 * @param address address of its control socket
 * @param port node, followed by the port number in brackets
 * @param portGuid PortGUID of the port
 * @param isSm true if the client has set IsSM
 * @param received MADs from the client
 * @param sent MADs to the client
 * @param dropped MADs that were lost because its queue was full
 * @param returned requests that returned to the client without a response
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
