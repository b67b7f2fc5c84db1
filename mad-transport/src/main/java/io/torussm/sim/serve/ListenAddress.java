package io.torussm.sim.serve;

import io.torussm.transport.datagram.DatagramAddress;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of the server, and the names of its sockets and of those of clients.
 *
 * <p>As text: {@code unix:NAME}, as in {@code IBSIM_SOCKNAME} of clients; {@code udp:PORT} or {@code udp:ADDRESS:PORT},
 * as in {@code IBSIM_SERVER_NAME} and {@code IBSIM_SERVER_PORT}. The default address is 127.0.0.1.
 */
public sealed interface ListenAddress {
    /** Before the name of a socket of the UNIX domain. */
    String UNIX_PREFIX = "unix:";

    /** The default of clients without {@code IBSIM_SOCKNAME}. */
    String DEFAULT_NAME = "sim";

    /** The default of clients without {@code IBSIM_SERVER_PORT}. */
    int DEFAULT_PORT = 7_070;

    /** Returns where control requests come in. */
    DatagramAddress control() throws IOException;

    /** Returns the server's end of a client's MADs. */
    DatagramAddress data(int clientId) throws IOException;

    /**
     * Returns the client's end.
     *
     * @param from where its request to connect came from
     * @param connection the number by which it wants to be found
     * @return null if these do not go together
     */
    @Nullable
    DatagramAddress peer(DatagramAddress from, int connection) throws IOException;

    /** Returns the most clients that there are addresses for. */
    int mostClients();

    /** Abstract names of the UNIX domain. */
    record Unix(String name) implements ListenAddress {
        /** So that the number of a process still fits behind it. */
        private static final int MAX_NAME = 80;

        private static final Pattern FIT = Pattern.compile("[!-~]{1," + MAX_NAME + "}");

        public Unix {
            if (!FIT.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "\"" + name + "\" is no socket name; use 1 to " + MAX_NAME + " printable ASCII characters");
            }
        }

        /**
         * Reads {@code unix:NAME}.
         *
         * @throws IllegalArgumentException if that is no name
         */
        public static Unix parse(String text) {
            return new Unix(text.substring(UNIX_PREFIX.length()));
        }

        /** Returns the address of a client. Names of clients end with a zero, as strings of C do. */
        private DatagramAddress named(String what) throws IOException {
            return DatagramAddress.unix("@" + name + what + "\0");
        }

        /** Returns a socket of a client: {@code ctl} or {@code in}, by the number of its connection. */
        DatagramAddress ofClient(String name, int connection) throws IOException {
            return named(":" + name + connection);
        }

        @Override
        public DatagramAddress control() throws IOException {
            return named(":ctl");
        }

        @Override
        public DatagramAddress data(int clientId) throws IOException {
            return named(":out" + clientId);
        }

        /** Returns the address of a peer. A process can only bring in its own sockets: both carry its number. */
        @Override
        public @Nullable DatagramAddress peer(DatagramAddress from, int connection) throws IOException {
            return from.equals(ofClient("ctl", connection)) ? ofClient("in", connection) : null;
        }

        @Override
        public int mostClients() {
            return ServeLimits.MAX_CLIENTS;
        }

        @Override
        public String toString() {
            return "unix:" + name;
        }
    }

    /** UDP over IPv4. */
    record Udp(Inet4Address host, int port) implements ListenAddress {
        private static final int LAST_PORT = 0xffff;

        public Udp {
            if (port < 1 || port >= LAST_PORT) {
                throw new IllegalArgumentException("UDP port " + port + "; use 1 to " + (LAST_PORT - 1)
                        + ", so that the next ones are for clients");
            }
        }

        @Override
        public DatagramAddress control() {
            return DatagramAddress.inet(host, port);
        }

        @Override
        public DatagramAddress data(int clientId) {
            return DatagramAddress.inet(host, port + 1 + clientId);
        }

        @Override
        public @Nullable DatagramAddress peer(DatagramAddress from, int connection) {
            return from.isInet() && connection >= 1 && connection <= LAST_PORT ? from.withPort(connection) : null;
        }

        @Override
        public int mostClients() {
            return LAST_PORT - port;
        }

        @Override
        public String toString() {
            return "udp:" + host.getHostAddress() + ":" + port;
        }
    }

    /**
     * Reads an address.
     *
     * @throws IllegalArgumentException if it is invalid; the message contains the valid forms
     */
    static ListenAddress parse(String text) {
        if (text.startsWith(UNIX_PREFIX)) {
            return Unix.parse(text);
        }
        Matcher udp = Pattern.compile("udp:(?:(\\d{1,3}(?:\\.\\d{1,3}){3}):)?(\\d{1,5})")
                .matcher(text);
        if (!udp.matches()) {
            throw new IllegalArgumentException(
                    "\"" + text + "\" is no address to listen on; use unix:NAME, udp:PORT or udp:ADDRESS:PORT");
        }
        String host = udp.group(1) == null ? "127.0.0.1" : udp.group(1);
        try {
            // Digits only, so no name is looked up.
            if (InetAddress.getByName(host) instanceof Inet4Address address) {
                return new Udp(address, Integer.parseInt(udp.group(2)));
            }
        } catch (java.net.UnknownHostException e) {
            throw new IllegalArgumentException("\"" + host + "\" is no address of IPv4", e);
        }
        throw new IllegalArgumentException("\"" + host + "\" is no address of IPv4");
    }
}
