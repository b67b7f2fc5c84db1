package io.torussm.sa;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the SA and its lanes, which are tasks of an executor that run as long as something waits.
 *
 * <p>Small requests, large ones, and those that there was no room for wait apart, each kind in turns of the requesters.
 * All lanes but one may be at large requests; so small ones are answered meanwhile, and large ones are not starved by
 * them. The parts of tables that are being sent, each a turn of its own, wait apart from the requests for others, and each of the
 * two has every other turn. What there is no room for is answered BUSY, by the lanes, too, and one for every few answers at most while
 * others wait: a flood costs the thread that receives nothing but the look into the queue. What is too much even for
 * that is dropped.
 *
 * <p>Threads: any may offer; {@link Server#serve} runs on the executor's.
 */
final class RequestQueue {
    private static final int ANSWERS_PER_REFUSAL = 4;
    private static final int SOON_DONE = 32;

    /** So many requests in a millisecond the thread that receives answers itself: half of its time. */
    private static final int AT_ONCE = 128;

    private static final long AT_ONCE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * Bounds.
     *
     * @param lanes requests in work at once; two or more, or large requests keep small ones waiting
     * @param small requests that wait for a small answer
     * @param large requests that wait for a large one; and parts of large ones
     * @param refusals requests that wait to be refused with BUSY
     */
    record Limits(int lanes, int small, int large, int refusals) {
        /** A few megabytes. */
        static final Limits DEFAULT = new Limits(2, 8192, 1024, 1024);
    }

    /** What becomes of a request. */
    enum Disposition {
        WAITS,
        IS_REFUSED,
        IS_DROPPED
    }

    /** Deals with requests; must not throw. */
    interface Server {
        /**
         * Called once for each request that was not dropped.
         *
         * @param isRefused whether there was no room for it
         */
        void serve(Request request, boolean isRefused);
    }

    private final Executor executor;
    private final Limits limits;
    private final Server server;
    private final FairQueue small;
    private final FairQueue large;
    private final FairQueue parts;
    private final FairQueue refusals;
    private boolean isTurnOfParts;
    private int lanes;
    private int lanesAtLarge;
    private int answersSinceRefusal;
    private int mostWaiting;
    private long atOnceSinceNs;
    private int atOnce;

    /** What a lane does next. */
    private record Job(Request request, boolean isRefused) {
        boolean isLarge() {
            return request.isLarge() && !isRefused;
        }
    }

    RequestQueue(Executor executor, Limits limits, Server server) {
        this.executor = executor;
        this.limits = limits;
        this.server = server;
        small = new FairQueue(limits.small());
        large = new FairQueue(limits.large());
        parts = new FairQueue(limits.large());
        refusals = new FairQueue(limits.refusals());
    }

    /** Takes a request; does not block. A part is not refused, but dropped if there is no room. */
    Disposition offer(Request request) {
        Disposition disposition;
        synchronized (this) {
            boolean isPart = request.part() != null;
            boolean hasRoom = (isPart ? parts : request.isLarge() ? large : small).offer(request);
            if (!hasRoom && (isPart || !refusals.offer(request))) {
                return Disposition.IS_DROPPED;
            }
            disposition = hasRoom ? Disposition.WAITS : Disposition.IS_REFUSED;
            mostWaiting = Math.max(mostWaiting, small.depth() + large.depth());
            if (!isLaneWanted()) {
                return disposition;
            }
            lanes++;
        }
        try {
            executor.execute(this::run);
        } catch (RejectedExecutionException ended) {
            synchronized (this) {
                lanes--;
            }
        }
        return disposition;
    }

    /**
     * Whether the thread that received a brief request shall answer it itself: to wake another costs more. No request is passed by, and a
     * flood waits in turns like any other.
     *
     * @param nowNs never goes back
     */
    synchronized boolean isAnsweredAtOnce(long nowNs) {
        if (lanes > 0 || small.depth() + large.depth() + parts.depth() + refusals.depth() > 0) {
            return false;
        }
        if (nowNs - atOnceSinceNs >= AT_ONCE_NS) {
            atOnceSinceNs = nowNs;
            atOnce = 0;
        }
        return atOnce++ < AT_ONCE;
    }

    /** To wake a thread costs more than to answer a small request: the lane that runs is soon done with a few of them. */
    private boolean isLaneWanted() {
        int atSmall = lanes - lanesAtLarge;
        boolean isBusy = atSmall > 0 && large.depth() + parts.depth() == 0 && small.depth() <= SOON_DONE;
        return lanes < limits.lanes() && !isBusy;
    }

    /** Requests that wait for an answer. */
    synchronized int waiting() {
        return small.depth() + large.depth();
    }

    /** The most that ever waited at once. */
    synchronized int mostWaiting() {
        return mostWaiting;
    }

    /** A lane that breaks off is given back, with its turn at large requests: the next request opens another one. */
    private void run() {
        Job job = next(null);
        try {
            while (job != null) {
                server.serve(job.request(), job.isRefused());
                job = next(job);
            }
        } finally {
            if (job != null) {
                brokeOff(job);
            }
        }
    }

    private synchronized void brokeOff(Job job) {
        lanes--;
        if (job.isLarge()) {
            lanesAtLarge--;
        }
    }

    /** Ends one job of a lane and begins another, or ends the lane. */
    private synchronized @Nullable Job next(@Nullable Job done) {
        if (done != null && done.isLarge()) {
            lanesAtLarge--;
        }
        Job job = choose();
        if (job == null) {
            lanes--;
        } else if (job.isLarge()) {
            lanesAtLarge++;
        }
        return job;
    }

    private @Nullable Request nextLarge() {
        isTurnOfParts = !isTurnOfParts;
        Request first = (isTurnOfParts ? parts : large).poll();
        return first != null ? first : (isTurnOfParts ? large : parts).poll();
    }

    private @Nullable Job choose() {
        Request first = lanesAtLarge < Math.max(1, limits.lanes() - 1) ? nextLarge() : null;
        if (first == null && (refusals.depth() == 0 || answersSinceRefusal < ANSWERS_PER_REFUSAL)) {
            first = small.poll();
        }
        if (first != null) {
            answersSinceRefusal = Math.min(ANSWERS_PER_REFUSAL, answersSinceRefusal + 1);
            return new Job(first, false);
        }
        Request refused = refusals.poll();
        answersSinceRefusal = 0;
        return refused == null ? null : new Job(refused, true);
    }
}
