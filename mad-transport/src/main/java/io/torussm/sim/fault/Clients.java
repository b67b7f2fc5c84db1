package io.torussm.sim.fault;

import java.util.List;

/**
 * The programs at the ports of a fabric, for the console; implemented by the server. Called on the loop of the
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

    /** Returns a line for each client, as ibsim's {@code Attached} shows them. */
    List<String> attached();

    /**
     * Takes the port from a client.
     *
     * @return false if there is no client of this number
     */
    boolean disconnect(int number);
}
