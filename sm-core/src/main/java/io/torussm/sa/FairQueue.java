package io.torussm.sa;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Requests that wait, of which each requester has one served in turn. A requester may have as many waiting as there is
 * room left: the more it has, the less it gets, and one that has none finds room as long as there is any. Not thread-safe.
 */
final class FairQueue {
    private final int capacity;

    /** By requester, whose turn is next first; nobody is there with nothing. */
    private final Map<Integer, ArrayDeque<Request>> waiting = new LinkedHashMap<>();

    private int depth;

    /** An empty queue with room for some requests. */
    FairQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Appends a request; false if there is no room for it. */
    boolean offer(Request request) {
        ArrayDeque<Request> ofRequester = waiting.get(request.requester());
        int free = capacity - depth;
        if (free <= (ofRequester == null ? 0 : ofRequester.size())) {
            return false;
        }
        if (ofRequester == null) {
            ofRequester = new ArrayDeque<>(1);
            waiting.put(request.requester(), ofRequester);
        }
        ofRequester.add(request);
        depth++;
        return true;
    }

    /** Takes the request that is next; null if none waits. */
    @Nullable
    Request poll() {
        if (depth == 0) {
            return null;
        }
        ArrayDeque<Request> next = waiting.values().iterator().next();
        Request request = next.remove();
        waiting.remove(request.requester());
        if (!next.isEmpty()) {
            waiting.put(request.requester(), next);
        }
        depth--;
        return request;
    }

    /** How many wait. */
    int depth() {
        return depth;
    }
}
