package io.torussm.transport.datagram;

import java.io.IOException;

/** Where datagram sockets come from. */
public interface DatagramNetwork {
    /**
     * Binds a socket.
     *
     * @param ready callback, called on the loop while something waits to be read, its peer is gone, or there is room
     *     again that was awaited
     * @throws IOException if the address is in use, or cannot be used
     */
    DatagramEndpoint bind(DatagramAddress local, Runnable ready) throws IOException;
}
