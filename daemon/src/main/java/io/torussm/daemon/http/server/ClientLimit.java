package io.torussm.daemon.http.server;

import io.netty.channel.Channel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A limit for connections that excludes no client. At the limit, a new connection replaces a connection of the address
 * with the most connections: the oldest without a request under way, or else the oldest. Owner thread: {@code http}.
 */
final class ClientLimit {
    private final int max;

    /** Connections in the order of their begin, each with a test that is true while a request is under way. */
    private final Map<Channel, BooleanSupplier> clients = new LinkedHashMap<>();

    /** @param max max number of simultaneous connections */
    ClientLimit(int max) {
        this.max = max;
    }

    /**
     * Adds a connection, and closes another connection at the limit.
     *
     * @param isBusy test that is true while a request of the connection is under way
     */
    void admit(Channel client, BooleanSupplier isBusy) {
        if (clients.size() >= max) {
            closeOne();
        }
        clients.put(client, isBusy);
        client.closeFuture().addListener(closed -> clients.remove(client));
    }

    /** Closes half of the connections, by the rule of the class, because no file descriptor is left. */
    void closeHalf() {
        for (int drop = (clients.size() + 1) / 2; drop > 0; drop--) {
            closeOne();
        }
    }

    private void closeOne() {
        Channel victim = replaceableClient();
        clients.remove(victim);
        victim.close().addListener(closed -> HttpServer.LOG.debug("an HTTP client made room for another"));
    }

    private Channel replaceableClient() {
        Map<@Nullable InetAddress, Integer> counts = new HashMap<>();
        clients.keySet().forEach(client -> counts.merge(address(client), 1, Integer::sum));
        int largest = counts.values().stream().mapToInt(Integer::intValue).max().orElseThrow();
        Channel first = null;
        for (Map.Entry<Channel, BooleanSupplier> each : clients.entrySet()) {
            if (counts.getOrDefault(address(each.getKey()), 0) < largest) {
                continue;
            }
            if (!each.getValue().getAsBoolean()) {
                return each.getKey();
            }
            first = first == null ? each.getKey() : first;
        }
        return Objects.requireNonNull(first);
    }

    /** Returns the address of a client; null once the connection is gone. */
    private static @Nullable InetAddress address(Channel client) {
        return client.remoteAddress() instanceof InetSocketAddress peer ? peer.getAddress() : null;
    }
}
