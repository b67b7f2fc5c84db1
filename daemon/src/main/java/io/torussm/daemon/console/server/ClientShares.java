package io.torussm.daemon.console.server;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A limit of clients that no user can use up for other users. At the limit, a new client replaces a client of the user
 * with the most clients: the oldest that is not in use. If all of them are in use, the oldest is replaced only if that
 * user has more clients than the user of the new client would have. Owner thread: the console's.
 */
final class ClientShares {
    private final int max;

    /** The clients by key, in the order of their begin. */
    private final Map<Object, Client> clients = new LinkedHashMap<>();

    private record Client(String user, BooleanSupplier isInUse, Runnable giveUp) {}

    /** @param max max number of clients */
    ClientShares(int max) {
        this.max = max;
    }

    /**
     * Adds a client, unless the limit excludes it.
     *
     * @param client key of the client, for {@link #remove}
     * @param user name of its user
     * @param isInUse test that is true while a request of the client is served
     * @param giveUp action that ends the client because another client replaces it
     * @return true if the client was added
     */
    boolean add(Object client, String user, BooleanSupplier isInUse, Runnable giveUp) {
        if (clients.size() >= max) {
            Object other = replaceableClient(user);
            Client ended = other == null ? null : clients.remove(other);
            if (ended == null) {
                return false;
            }
            ended.giveUp().run();
        }
        clients.put(client, new Client(user, isInUse, giveUp));
        return true;
    }

    /** Removes a client. No effect if it was not added, or was replaced. */
    void remove(Object client) {
        clients.remove(client);
    }

    private @Nullable Object replaceableClient(String newcomer) {
        Map<String, Integer> counts = new HashMap<>();
        clients.values().forEach(client -> counts.merge(client.user(), 1, Integer::sum));
        int largest = counts.values().stream().mapToInt(Integer::intValue).max().orElse(0);
        boolean isFewer = counts.getOrDefault(newcomer, 0) + 1 < largest;
        Object oldest = null;
        for (Map.Entry<Object, Client> each : clients.entrySet()) {
            Client client = each.getValue();
            if (counts.getOrDefault(client.user(), 0) < largest) {
                continue;
            }
            if (!client.isInUse().getAsBoolean()) {
                return each.getKey();
            }
            oldest = oldest == null && isFewer ? each.getKey() : oldest;
        }
        return oldest;
    }
}
