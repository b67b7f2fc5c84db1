package io.torussm.sim.serve;

import io.torussm.transport.datagram.DatagramAddress;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The address of a server, which determines the addresses of its sockets and, of the UNIX domain, those of its clients.
 *
 * <p>As text: {@code unix:NAME}, as in {@code IBSIM_SOCKNAME} of clients; {@code udp:PORT} or {@code udp:ADDRESS:PORT},
 * as in {@code IBSIM_SERVER_NAME} and {@code IBSIM_SERVER_PORT}. The default ADDRESS is 127.0.0.1.
 */
public sealed interface ListenAddress {
    /** The prefix of an address of the UNIX domain. */
    String UNIX_PREFIX = "unix:";

    /** The name that clients use without {@code IBSIM_SOCKNAME}. */
    String DEFAULT_NAME = "sim";

    /** The port that clients use without {@code IBSIM_SERVER_PORT}. */
    int DEFAULT_PORT = 7_070;

    /** Returns the control socket of the server. */
    DatagramAddress control() throws IOException;

    /** Returns the socket of the server for the MADs of a client. */
    DatagramAddress data(int clientId) throws IOException;

    /**
     * Returns the socket of a client for MADs.
     *
     * @param from control socket of the client
     * @param connection number of the connection in CONNECT
     * @return null if the number does not match the control socket
     */
    @Nullable
    DatagramAddress peer(DatagramAddress from, int connection) throws IOException;

    /** Returns the max number of clients that have an address. */
    int maxClients();

    /**
     * Names in the abstract namespace of the UNIX domain.
     *
     * @param name 1 to 80 printable ASCII characters
     */
    record Unix(String name) implements ListenAddress {
        /** Max characters, so that a suffix with the number of a process fits. */
        private static final int MAX_NAME = 80;

        private static final Pattern VALID_NAME = Pattern.compile("[!-~]{1," + MAX_NAME + "}");

        public Unix {
            if (!VALID_NAME.matcher(name).matches()) {
                throw new IllegalArgumentException(
                        "\"" + name + "\" is no socket name; use 1 to " + MAX_NAME + " printable ASCII characters");
            }
        }

        /**
         * Parses {@code unix:NAME}.
         *
         * @throws IllegalArgumentException if the name is too long, or not printable ASCII
         */
        public static Unix parse(String text) {
            return new Unix(text.substring(UNIX_PREFIX.length()));
        }

        /** Returns the address with a suffix, followed by a zero: ibsim's addresses include the zero of a C string. */
        private DatagramAddress withSuffix(String suffix) throws IOException {
            return DatagramAddress.unix("@" + name + suffix + "\0");
        }

        /**
         * Returns a socket of a client.
         *
         * @param name {@code ctl} or {@code in}
         * @param connection number of the connection
         */
        DatagramAddress ofClient(String name, int connection) throws IOException {
            return withSuffix(":" + name + connection);
        }

        @Override
        public DatagramAddress control() throws IOException {
            return withSuffix(":ctl");
        }

        @Override
        public DatagramAddress data(int clientId) throws IOException {
            return withSuffix(":out" + clientId);
        }

        /**
         * {@inheritDoc}
         *
         * <p>Both sockets of a client have the number in their names. So a client cannot name the socket of another
         * one.
         */
        @Override
        public @Nullable DatagramAddress peer(DatagramAddress from, int connection) throws IOException {
            return from.equals(ofClient("ctl", connection)) ? ofClient("in", connection) : null;
        }

        @Override
        public int maxClients() {
            return ServeLimits.MAX_CLIENTS;
        }

        @Override
        public String toString() {
            return "unix:" + name;
        }
    }

    /**
     * UDP over IPv4: the client with ID n has the port {@code port + 1 + n} of the server.
     *
     * @param host address of the server
     * @param port port of control requests, 1 to 65534
     */
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
        public int maxClients() {
            return LAST_PORT - port;
        }

        @Override
        public String toString() {
            return "udp:" + host.getHostAddress() + ":" + port;
        }
    }

    /**
     * Parses an address.
     *
     * @throws IllegalArgumentException if the text is no address; the message contains the valid forms
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
            // The host has digits only, so no name is looked up.
            if (InetAddress.getByName(host) instanceof Inet4Address address) {
                return new Udp(address, Integer.parseInt(udp.group(2)));
            }
        } catch (java.net.UnknownHostException e) {
            throw new IllegalArgumentException("\"" + host + "\" is no address of IPv4", e);
        }
        throw new IllegalArgumentException("\"" + host + "\" is no address of IPv4");
    }
}
