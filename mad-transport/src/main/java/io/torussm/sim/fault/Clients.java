package io.torussm.sim.fault;

import java.util.List;

/**
 * The programs that use ports of a fabric, for the console. Implemented by the server, and called on the loop of the
 * fabric.
 */
public interface Clients {
    /** A fabric without clients. */
    Clients NONE = new Clients() {
        @Override
        public List<String> attached() {
            return List.of();
        }

        @Override
        public boolean disconnect(int number) {
            return false;
        }
    };

    /** Returns a line for each client, in the form of ibsim's {@code Attached}. */
    List<String> attached();

    /**
     * Disconnects a client from its port.
     *
     * @param number number of the client, as {@link #attached} shows it
     * @return false if no client has this number
     */
    boolean disconnect(int number);
}
