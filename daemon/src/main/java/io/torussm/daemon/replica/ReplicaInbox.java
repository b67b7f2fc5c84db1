package io.torussm.daemon.replica;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Messages of peers that wait to be examined: the newest of each file and peer, and no more than fit. For any
 * thread.
 */
final class ReplicaInbox {
    /** More than there are kinds of files, for a few peers. */
    private static final int MAX_WAITING = 64;

    /** Bytes that they may have together. */
    private static final long MAX_WAITING_BYTES = 2L * ReplicaMessage.MAX_CONTENT;

    private final Map<String, Received> waiting = new LinkedHashMap<>();

    /** A message with its sender. */
    record Received(String peer, ReplicaMessage message) {}

    /** Stores a message; false if there was no room for it. */
    synchronized boolean put(Received next) {
        String slot = next.peer() + " " + next.message().name();
        Received replaced = waiting.get(slot);
        long bytes = next.message().content().length;
        for (Received each : waiting.values()) {
            bytes += each.message().content().length;
        }
        if ((replaced == null && waiting.size() == MAX_WAITING) || bytes > MAX_WAITING_BYTES) {
            return false;
        }
        waiting.put(slot, next);
        return true;
    }

    /** Returns the one that has waited longest; null if none waits. */
    synchronized @Nullable Received take() {
        return waiting.isEmpty()
                ? null
                : waiting.remove(waiting.keySet().iterator().next());
    }
}
