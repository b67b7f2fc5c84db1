package io.torussm.sa;

import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/**
 * Requests from LIDs that the published subnet does not have. Clients ask within the millisecond in which their port becomes
 * ACTIVE or is asked to register again, which is before the sweep that does so is published: they wait for that, but no
 * longer than clients wait for an answer. Any thread.
 */
final class EarlyRequests {
    /** As many as may wait for an answer. */
    private static final int MAX = RequestQueue.Limits.DEFAULT.small();

    /** Linux waits 3 s for the answer to a join. */
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(3);

    private final Deque<Early> waiting = new ArrayDeque<>();
    private long outdated;

    private record Early(MadFrame frame, long sinceNs) {}

    /** Keeps a request; false if too many wait already. */
    synchronized boolean offer(MadFrame frame, long nowNs) {
        forgetOld(nowNs);
        return waiting.size() < MAX && waiting.add(new Early(frame, nowNs));
    }

    /** Takes those out that can be answered now, in the order in which they came. */
    synchronized List<MadFrame> take(long nowNs, Predicate<MadFrame> isKnown) {
        forgetOld(nowNs);
        List<MadFrame> taken = new ArrayList<>();
        for (Iterator<Early> all = waiting.iterator(); all.hasNext(); ) {
            MadFrame frame = all.next().frame();
            if (isKnown.test(frame)) {
                all.remove();
                taken.add(frame);
            }
        }
        return taken;
    }

    synchronized int waiting(long nowNs) {
        forgetOld(nowNs);
        return waiting.size();
    }

    /** Requests so far that waited longer than clients do. */
    synchronized long outdated(long nowNs) {
        forgetOld(nowNs);
        return outdated;
    }

    private void forgetOld(long nowNs) {
        while (!waiting.isEmpty() && nowNs - waiting.getFirst().sinceNs() > PATIENCE_NS) {
            waiting.removeFirst();
            outdated++;
        }
    }
}
