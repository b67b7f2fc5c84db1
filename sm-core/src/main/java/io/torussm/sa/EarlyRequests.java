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
 * Requests from LIDs that the published subnet lacks. Clients send requests within a millisecond after their
 * port becomes ACTIVE or gets ClientReregister. This is before the view of that sweep is published. The
 * requests wait for it, at most as long as a client waits for an answer. A requester has at most as many waiting
 * requests as there are free places, so that none takes the places of all. Any thread.
 */
final class EarlyRequests {
    /** The limit of waiting requests. */
    private static final int MAX = RequestQueue.Limits.DEFAULT.small();

    /** Linux waits 3 s for the answer to a join. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);

    private final Deque<Early> waiting = new ArrayDeque<>();
    private final Map<Integer, Integer> counts = new HashMap<>();
    private long outdated;

    private record Early(int requester, MadFrame frame, long sinceNs) {}

    /**
     * Keeps a request; returns false if too many are waiting.
     *
     * @param requester base LID of the port that sent it, as far as it is known
     */
    synchronized boolean offer(int requester, MadFrame frame, long nowNs) {
        forgetOld(nowNs);
        if (MAX - waiting.size() <= counts.getOrDefault(requester, 0)) {
            return false;
        }
        counts.merge(requester, 1, Integer::sum);
        return waiting.add(new Early(requester, frame, nowNs));
    }

    /** Removes and returns the requests that can be answered now, in the order of receipt. */
    synchronized List<MadFrame> take(long nowNs, Predicate<MadFrame> isKnown) {
        forgetOld(nowNs);
        List<MadFrame> frames = new ArrayList<>();
        for (Iterator<Early> all = waiting.iterator(); all.hasNext(); ) {
            Early next = all.next();
            if (isKnown.test(next.frame())) {
                all.remove();
                leaves(next);
                frames.add(next.frame());
            }
        }
        return frames;
    }

    synchronized int waiting(long nowNs) {
        forgetOld(nowNs);
        return waiting.size();
    }

    /** Returns the number of requests that waited too long. */
    synchronized long outdated(long nowNs) {
        forgetOld(nowNs);
        return outdated;
    }

    private void forgetOld(long nowNs) {
        while (!waiting.isEmpty() && nowNs - waiting.getFirst().sinceNs() > PATIENCE_NS) {
            leaves(waiting.removeFirst());
            outdated++;
        }
    }

    private void leaves(Early one) {
        counts.computeIfPresent(one.requester(), (requester, count) -> count > 1 ? count - 1 : null);
    }
}
