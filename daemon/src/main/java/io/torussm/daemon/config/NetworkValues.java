package io.torussm.daemon.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The types of values that are addresses in a network, with their parsers. */
final class NetworkValues {
    private static final Pattern WILDCARD_IPV4 = Pattern.compile("0[.0xX]*");
    /** A text with a colon for which Java does not ask DNS, valid or not: it begins with a digit or a colon. */
    private static final Pattern IPV6_LITERAL = Pattern.compile("[0-9A-Fa-f:][^:]*:.*");

    private static final Pattern LOOPBACK_IPV4 = Pattern.compile("127(\\.\\d{1,3}){3}");

    private NetworkValues() {}

    /** Checks whether an address, whose name is not resolved, stands for all addresses of the host. */
    static boolean isWildcard(InetSocketAddress endpoint) {
        InetAddress literal = ipv6Literal(endpoint.getHostString());
        return literal == null
                ? WILDCARD_IPV4.matcher(endpoint.getHostString()).matches()
                : literal.isAnyLocalAddress();
    }

    /** Checks whether an address, whose name is not resolved, is of loopback, or is the name localhost. */
    static boolean isLoopback(InetSocketAddress endpoint) {
        String host = endpoint.getHostString();
        InetAddress literal = ipv6Literal(host);
        return literal == null
                ? host.equals("localhost") || LOOPBACK_IPV4.matcher(host).matches()
                : literal.isLoopbackAddress();
    }

    /** Returns the address of a literal of IPv6; null for a name, for IPv4, or if the host lacks its scope. */
    private static @Nullable InetAddress ipv6Literal(String host) {
        try {
            return IPV6_LITERAL.matcher(host).matches() ? InetAddress.getByName(host) : null;
        } catch (UnknownHostException e) {
            return null;
        }
    }

    /**
     * The type of addresses with ports, separated by commas; may be empty. Host names are resolved when they are used.
     */
    record Endpoints() implements ValueType<List<InetSocketAddress>> {
        private static final Pattern ENDPOINT =
                Pattern.compile("(?:\\[([0-9A-Za-z:.%]{2,64})\\]|([A-Za-z0-9._-]{1,253})):([0-9]{1,5})");
        private static final int MAX_PORT = 65_535;

        @Override
        public List<InetSocketAddress> read(String text) {
            return ValueType.items(text, MAX_LIST_LENGTH)
                    .map(Endpoints::endpoint)
                    .toList();
        }

        private static InetSocketAddress endpoint(String text) {
            InetSocketAddress address = address(text);
            if (address == null || address.getPort() == 0) {
                throw new IllegalArgumentException("must be HOST:PORT,... with ports from 1 to 65535");
            }
            return address;
        }

        /** Returns host and port, whose name is not resolved; null if the text has another form. */
        static @Nullable InetSocketAddress address(String text) {
            Matcher matcher = ENDPOINT.matcher(text);
            int port = matcher.matches() ? Integer.parseInt(matcher.group(3)) : MAX_PORT + 1;
            if (port > MAX_PORT) {
                return null;
            }
            String host = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            return InetSocketAddress.createUnresolved(host, port);
        }

        @Override
        public boolean isList() {
            return true;
        }

        @Override
        public String label() {
            return "HOST:PORT,...";
        }
    }

    /** The type of an address to listen at, in which port 0 is any free port; empty for the word none. */
    record Listen() implements ValueType<Optional<InetSocketAddress>> {
        private static final String NONE = "none";

        @Override
        public Optional<InetSocketAddress> read(String text) {
            if (text.equals(NONE)) {
                return Optional.empty();
            }
            InetSocketAddress address = Endpoints.address(text);
            if (address == null) {
                throw new IllegalArgumentException("must be HOST:PORT with a port up to 65535, or none");
            }
            return Optional.of(address);
        }

        @Override
        public String label() {
            return "HOST:PORT|none";
        }
    }

    /** The type of a web address with http or https; may be empty. */
    record WebAddress(String label) implements ValueType<Optional<URI>> {
        @Override
        public Optional<URI> read(String text) {
            if (text.isEmpty()) {
                return Optional.empty();
            }
            try {
                URI address = new URI(text);
                if (text.length() <= MAX_LIST_LENGTH
                        && Set.of("http", "https").contains(String.valueOf(address.getScheme()))
                        && address.getHost() != null
                        && address.getUserInfo() == null
                        && address.getFragment() == null) {
                    return Optional.of(address);
                }
            } catch (URISyntaxException e) {
                throw new IllegalArgumentException("must be http://HOST:PORT/PATH or https://HOST:PORT/PATH", e);
            }
            throw new IllegalArgumentException(
                    "must be http://HOST:PORT/PATH or https://HOST:PORT/PATH, without a user");
        }
    }

    /** The type of host names, separated by commas; may be empty. The value has lower case. */
    record HostNames(String label) implements ValueType<Set<String>> {
        @Override
        public Set<String> read(String text) {
            if (!text.matches("[A-Za-z0-9._, -]*")) {
                throw new IllegalArgumentException("must be names of hosts, separated by commas");
            }
            return ValueType.items(text.toLowerCase(Locale.ROOT), MAX_LIST_LENGTH)
                    .collect(Collectors.toUnmodifiableSet());
        }

        @Override
        public boolean isList() {
            return true;
        }
    }
}
