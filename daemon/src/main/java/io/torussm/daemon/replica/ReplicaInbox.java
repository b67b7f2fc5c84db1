package io.torussm.daemon.replica;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The messages of peers that wait to be examined. Of each peer and file only the newest message waits, and the number
 * and size of all messages are limited. Thread-safe.
 */
final class ReplicaInbox {
    /** Max number of messages, which suffices for all kinds of files of a few peers. */
    private static final int MAX_WAITING_MESSAGES = 64;

    /** Max total length of the contents. */
    private static final long MAX_WAITING_BYTES = 2L * ReplicaMessage.MAX_CONTENT_BYTES;

    /** Messages by peer and file, in order of arrival. */
    private final Map<String, Received> waiting = new LinkedHashMap<>();

    /** A message with its sender. */
    record Received(String peer, ReplicaMessage message) {}

    /**
     * Stores a message, which replaces an older one of the same peer and file. Returns false if a limit is exceeded.
     */
    synchronized boolean put(Received next) {
        String slot = next.peer() + " " + next.message().name();
        Received replaced = waiting.get(slot);
        long bytes = next.message().content().length;
        for (Received each : waiting.values()) {
            bytes += each.message().content().length;
        }
        if ((replaced == null && waiting.size() == MAX_WAITING_MESSAGES) || bytes > MAX_WAITING_BYTES) {
            return false;
        }
        waiting.put(slot, next);
        return true;
    }

    /** Removes and returns the message that has waited longest; null if none waits. */
    synchronized @Nullable Received take() {
        return waiting.isEmpty()
                ? null
                : waiting.remove(waiting.keySet().iterator().next());
    }
}
