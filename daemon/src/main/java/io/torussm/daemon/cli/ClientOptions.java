package io.torussm.daemon.cli;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The options before the command of {@code torus-smctl}.
 *
 * @param address address of the daemon
 * @param isJson true with {@code --json} before the command
 * @param words the command
 */
record ClientOptions(SocketAddress address, boolean isJson, List<String> words) {
    private static final String DEFAULT_SOCKET = "/run/torus-sm/control.sock";
    private static final String SOCKET = "--socket";
    private static final String TCP = "--tcp";
    private static final String JSON = "--json";
    private static final int MAX_PORT = 65_535;

    /**
     * Reads a command line, where {@code --socket X} and {@code --socket=X} are the same.
     *
     * @throws IllegalArgumentException if it makes no sense
     */
    static ClientOptions of(List<String> arguments) {
        SocketAddress address = UnixDomainSocketAddress.of(DEFAULT_SOCKET);
        boolean isJson = false;
        int at = 0;
        for (; at < arguments.size(); at++) {
            String[] option = arguments.get(at).split("=", 2);
            if (option[0].equals(JSON)) {
                isJson = true;
            } else if (option[0].equals(SOCKET) || option[0].equals(TCP)) {
                String value = option.length == 2 ? option[1] : ++at < arguments.size() ? arguments.get(at) : "";
                address = option[0].equals(SOCKET) ? socket(value) : tcp(value);
            } else {
                break;
            }
        }
        List<String> words = List.copyOf(arguments.subList(Math.min(at, arguments.size()), arguments.size()));
        if (isJson && words.isEmpty()) {
            throw new IllegalArgumentException(JSON + " goes with a command");
        }
        return new ClientOptions(address, isJson, words);
    }

    /** Returns the command as the daemon takes it. */
    List<String> command() {
        List<String> all = new ArrayList<>(words);
        if (isJson) {
            all.add(JSON);
        }
        return all;
    }

    private static SocketAddress socket(String path) {
        if (path.isEmpty()) {
            throw new IllegalArgumentException(SOCKET + " needs the PATH of a control socket");
        }
        try {
            return UnixDomainSocketAddress.of(Path.of(path));
        } catch (InvalidPathException e) {
            throw new IllegalArgumentException(SOCKET + ": " + e.getMessage(), e);
        }
    }

    private static SocketAddress tcp(String hostAndPort) {
        if (!hostAndPort.matches(".+:[1-9]\\d{0,4}")) {
            throw new IllegalArgumentException(TCP + " needs HOST:PORT, such as 127.0.0.1:10000");
        }
        int colon = hostAndPort.lastIndexOf(':');
        int port = Integer.parseInt(hostAndPort.substring(colon + 1));
        if (port > MAX_PORT) {
            throw new IllegalArgumentException(TCP + ": no port is above " + MAX_PORT);
        }
        return new InetSocketAddress(hostAndPort.substring(0, colon), port);
    }
}
