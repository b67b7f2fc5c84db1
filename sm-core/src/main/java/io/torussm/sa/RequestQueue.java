package io.torussm.sa;

import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The queue of the SA, and its lanes: tasks of an executor that run as long as requests wait.
 *
 * <p>Small, large and refused requests wait in separate queues, in each of which requesters take turns. All lanes but
 * one may work on large requests, so that small requests do not wait for large ones. Large requests have precedence in
 * these lanes, so that small requests do not starve them. Parts of tables that are being sent have a queue of their
 * own; parts and large requests alternate.
 *
 * <p>If there is no room for a request, a lane answers it with BUSY. While other requests wait, at most one of
 * {@value #ANSWERS_PER_REFUSAL} + 1 answers is such a refusal. So a flood costs the receiving thread only the check of
 * the queue. If there is no room even for the refusal, the request is dropped.
 *
 * <p>Threads: any thread may offer a request; {@link Server#serve} runs on threads of the executor.
 */
final class RequestQueue {
    private static final int ANSWERS_PER_REFUSAL = 4;

    /** Max number of small requests that wait for a running lane without a further lane. */
    private static final int MAX_WAITING_WITHOUT_LANE = 32;

    /** Max number of requests per millisecond that the receiving thread answers: about half of its time. */
    private static final int MAX_IMMEDIATE_ANSWERS = 128;

    private static final long IMMEDIATE_WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /**
     * The limits of the queue.
     *
     * @param lanes max number of requests that are served simultaneously, at least 2, so that large requests do not
     *     block small ones
     * @param small max number of waiting requests with a small answer
     * @param large max number of waiting requests with a large answer; also max number of waiting parts
     * @param refusals max number of waiting requests that are to be answered with BUSY
     */
    record Limits(int lanes, int small, int large, int refusals) {
        /** The default limits, with which waiting requests take at most a few megabytes. */
        static final Limits DEFAULT = new Limits(2, 8192, 1024, 1024);
    }

    /** The result of an offer. */
    enum Disposition {
        /** The request waits for its answer. */
        WAITS,
        /** The request waits for the answer BUSY. */
        IS_REFUSED,
        /** The request is not answered. */
        IS_DROPPED
    }

    /** The service that answers requests; it must not throw. */
    interface Server {
        /**
         * Serves a request; called once for each request that was not dropped.
         *
         * @param isRefused whether the request is to be answered with BUSY
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

    /** Number of lanes that run or are submitted to the executor. */
    private int lanes;

    /** Number of lanes that work on a large request. */
    private int lanesAtLarge;

    private int answersSinceRefusal;
    private int maxWaiting;

    /** Begin of the present millisecond of immediate answers, and their number in it. */
    private long immediateWindowBeginNs;

    private int immediateAnswers;

    /** The next work of a lane. */
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

    /**
     * Adds a request to the queue; does not block. If there is no room for a part, the part is dropped, not
     * refused.
     */
    Disposition offer(Request request) {
        Disposition disposition;
        synchronized (this) {
            boolean isPart = request.part() != null;
            boolean hasRoom = (isPart ? parts : request.isLarge() ? large : small).offer(request);
            if (!hasRoom && (isPart || !refusals.offer(request))) {
                return Disposition.IS_DROPPED;
            }
            disposition = hasRoom ? Disposition.WAITS : Disposition.IS_REFUSED;
            maxWaiting = Math.max(maxWaiting, small.depth() + large.depth());
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
     * Checks whether the receiving thread answers a small request, because waking another thread costs more. It does so
     * only if no request is waiting and it has time for the answer; so a flood is queued.
     *
     * @param nowNs time of a clock that never decreases
     */
    synchronized boolean claimImmediateAnswer(long nowNs) {
        if (lanes > 0 || small.depth() + large.depth() + parts.depth() + refusals.depth() > 0) {
            return false;
        }
        if (nowNs - immediateWindowBeginNs >= IMMEDIATE_WINDOW_NS) {
            immediateWindowBeginNs = nowNs;
            immediateAnswers = 0;
        }
        return immediateAnswers++ < MAX_IMMEDIATE_ANSWERS;
    }

    /**
     * Checks whether another lane is needed. Waking a thread costs more than a small answer. So if only a few small
     * requests wait, they are left to a running lane.
     */
    private boolean isLaneWanted() {
        int atSmall = lanes - lanesAtLarge;
        boolean isBusy = atSmall > 0 && large.depth() + parts.depth() == 0 && small.depth() <= MAX_WAITING_WITHOUT_LANE;
        return lanes < limits.lanes() && !isBusy;
    }

    /** Returns the number of requests that wait for an answer. */
    synchronized int waiting() {
        return small.depth() + large.depth();
    }

    /** Returns the highest number of requests that waited simultaneously. */
    synchronized int maxWaiting() {
        return maxWaiting;
    }

    /**
     * Runs a lane. If the server throws, the lane is no longer counted, so that the next request starts another lane.
     */
    private void run() {
        Job job = next(null);
        try {
            while (job != null) {
                server.serve(job.request(), job.isRefused());
                job = next(job);
            }
        } finally {
            if (job != null) {
                onServerFailure(job);
            }
        }
    }

    private synchronized void onServerFailure(Job job) {
        lanes--;
        if (job.isLarge()) {
            lanesAtLarge--;
        }
    }

    /**
     * Ends a job of a lane and selects the next one.
     *
     * @param endedJob the ended job; null if the lane has just begun
     * @return next job; null if no request waits, so that the lane ends
     */
    private synchronized @Nullable Job next(@Nullable Job endedJob) {
        if (endedJob != null && endedJob.isLarge()) {
            lanesAtLarge--;
        }
        Job job = nextJob();
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

    private @Nullable Job nextJob() {
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
