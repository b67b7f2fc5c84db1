package io.torussm.sa;

import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * The requests from LIDs that are not in the published subnet. Clients send requests within a millisecond after their
 * port becomes ACTIVE or receives ClientReregister. The view of that sweep is published later. The requests wait for
 * the view, at most as long as a client waits for an answer. A requester has at most as many waiting requests as there
 * are free places, so that no requester takes all places. Thread-safe.
 */
final class EarlyRequests {
    /** Max number of waiting requests. */
    private static final int MAX_WAITING = RequestQueue.Limits.DEFAULT.small();

    /** Max time of waiting: Linux waits 3 s for the answer to a join. */
    static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);

    private final Deque<Early> waiting = new ArrayDeque<>();

    /** Number of waiting requests by requester; only requesters with a waiting request. */
    private final Map<Integer, Integer> counts = new HashMap<>();

    private long expired;

    private record Early(int requester, MadFrame frame, long sinceNs) {}

    /**
     * Keeps a request.
     *
     * @param requester base LID of the port that sent it, if it is known; otherwise its source LID
     * @return false if too many requests are waiting
     */
    synchronized boolean offer(int requester, MadFrame frame, long nowNs) {
        removeExpired(nowNs);
        if (MAX_WAITING - waiting.size() <= counts.getOrDefault(requester, 0)) {
            return false;
        }
        counts.merge(requester, 1, Integer::sum);
        return waiting.add(new Early(requester, frame, nowNs));
    }

    /** Removes and returns the requests that {@code isKnown} accepts, in the order of receipt. */
    synchronized List<MadFrame> take(long nowNs, Predicate<MadFrame> isKnown) {
        removeExpired(nowNs);
        List<MadFrame> frames = new ArrayList<>();
        for (Iterator<Early> iterator = waiting.iterator(); iterator.hasNext(); ) {
            Early next = iterator.next();
            if (isKnown.test(next.frame())) {
                iterator.remove();
                uncount(next);
                frames.add(next.frame());
            }
        }
        return frames;
    }

    synchronized int waiting(long nowNs) {
        removeExpired(nowNs);
        return waiting.size();
    }

    /** Returns the number of requests that waited too long. */
    synchronized long expired(long nowNs) {
        removeExpired(nowNs);
        return expired;
    }

    private void removeExpired(long nowNs) {
        while (!waiting.isEmpty() && nowNs - waiting.getFirst().sinceNs() > TIMEOUT_NS) {
            uncount(waiting.removeFirst());
            expired++;
        }
    }

    private void uncount(Early request) {
        counts.computeIfPresent(request.requester(), (requester, count) -> count > 1 ? count - 1 : null);
    }
}
