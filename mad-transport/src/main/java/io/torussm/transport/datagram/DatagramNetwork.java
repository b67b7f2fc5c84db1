package io.torussm.transport.datagram;

import java.io.IOException;

/** A factory of datagram sockets. */
public interface DatagramNetwork {
    /**
     * Binds a socket.
     *
     * @param ready callback on the loop, called while a datagram waits to be read, the peer is gone, or the peer
     *     accepts datagrams again ({@link DatagramEndpoint#setAwaitsRoom})
     * @throws IOException if the address is in use or unusable
     */
    DatagramEndpoint bind(DatagramAddress local, Runnable ready) throws IOException;
}
