package io.torussm.sa;

import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queue of waiting requests, in which requesters take turns. A requester may have at most as many waiting requests
 * as there are free places. So the first request of any requester is accepted while a place is free. Not thread-safe.
 */
final class FairQueue {
    private final int capacity;

    /** Waiting requests by requester, in the order of turns; only requesters with waiting requests. */
    private final Map<Integer, ArrayDeque<Request>> waiting = new LinkedHashMap<>();

    /** Number of waiting requests of all requesters. */
    private int depth;

    /** Creates an empty queue for at most {@code capacity} requests. */
    FairQueue(int capacity) {
        this.capacity = capacity;
    }

    /** Appends a request; returns false if there is no room for it. */
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

    /** Removes and returns the next request; null if no request waits. */
    @Nullable
    Request poll() {
        if (depth == 0) {
            return null;
        }
        ArrayDeque<Request> next = waiting.values().iterator().next();
        Request request = next.remove();
        // A removal and an insertion put the requester at the end of the order of turns.
        waiting.remove(request.requester());
        if (!next.isEmpty()) {
            waiting.put(request.requester(), next);
        }
        depth--;
        return request;
    }

    /** Returns the number of waiting requests. */
    int depth() {
        return depth;
    }
}
