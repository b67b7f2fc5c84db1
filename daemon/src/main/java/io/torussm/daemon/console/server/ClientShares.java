package io.torussm.daemon.console.server;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A limit of clients that no user can use up for others. If all places are taken, a new client gets one of the user
 * with most: the oldest that is not in use. It gets one in use only if that user has more of them than its own user
 * would have. Owner thread: the console's.
 */
final class ClientShares {
    private final int max;

    /** In the order in which they came. */
    private final Map<Object, Client> clients = new LinkedHashMap<>();

    private record Client(String user, BooleanSupplier isInUse, Runnable giveUp) {}

    /** Creates a limit for this number of clients. */
    ClientShares(int max) {
        this.max = max;
    }

    /**
     * Counts one more client; returns false if there is no place for it.
     *
     * @param client the key of the client, until it leaves
     * @param user user
     * @param isInUse whether a request of it is being served
     * @param giveUp ends it, because another client gets its place
     */
    boolean enter(Object client, String user, BooleanSupplier isInUse, Runnable giveUp) {
        if (clients.size() >= max) {
            Object other = victim(user);
            Client ended = other == null ? null : clients.remove(other);
            if (ended == null) {
                return false;
            }
            ended.giveUp().run();
        }
        clients.put(client, new Client(user, isInUse, giveUp));
        return true;
    }

    /** Removes a client, if it was counted and has its place still. */
    void leave(Object client) {
        clients.remove(client);
    }

    private @Nullable Object victim(String newcomer) {
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
