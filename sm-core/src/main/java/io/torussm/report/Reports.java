package io.torussm.report;

import io.torussm.event.DeviceText;
import io.torussm.event.EventField;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.event.log.LogRateLimiter;
import io.torussm.mad.MadHeader;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.sa.ReportedNotice;
import io.torussm.mad.sa.SaMad;
import io.torussm.mad.smp.Notice;
import io.torussm.report.Subscription.Subscriber;
import io.torussm.transport.Loop;
import io.torussm.transport.MadAddress;
import io.torussm.transport.MadFrame;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The delivery of Reports, and their responses (IBA 13.4.11). Each subscriber gets one Report at a time, so that
 * Reports arrive in the order of the events. Subscribers take turns, so that no subscriber waits for a dead one.
 *
 * <p>A Report without a response in time is repeated, as often as SMPs are. After all repetitions it is lost, logged
 * and counted. After {@link #MAX_CONSECUTIVE_LOSSES} consecutive lost Reports, all waiting Reports of the subscriber
 * are dropped; the next event is tried again.
 *
 * <p>Bounds: the number of Reports that wait for a subscriber, and in total. If one is exceeded, the oldest Report is
 * dropped. A turn of the loop sends at most {@link #BURST} MADs. A response costs a task of the loop only if it belongs
 * to a pending Report, and only once.
 *
 * <p>Owner thread: the loop, except for {@link #received} and the counters, which any thread may call.
 */
final class Reports {
    private static final EventLog EVENTS = EventLog.of(Reports.class);

    /** Max number of Reports that wait for one subscriber, without the pending Report. */
    static final int MAX_PER_SUBSCRIBER = 1024;

    /** Max number of all waiting Reports. */
    static final int MAX_WAITING = 1 << 16;

    /** Number of consecutive lost Reports after which the waiting Reports of a subscriber are dropped. */
    static final int MAX_CONSECUTIVE_LOSSES = 3;

    /** Upper limit of the response time that a subscriber claims. */
    static final long MAX_RESPONSE_MS = 4000;

    /** Number of MADs that are sent before a pause: so many fit the queues of a small simulator. */
    private static final int BURST = 8;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long TID_MASK = 0xffff_ffffL;

    /** The sender of MADs; called on the loop. */
    interface Wire {
        /**
         * Sends a MAD, like {@link io.torussm.transport.MadTransport#send}. Returns false if it could not be sent.
         */
        boolean send(MadFrame frame, int responseTimeoutMs);
    }

    /**
     * The time-out and repetitions of a Report.
     *
     * @param timeoutMs min time-out of a response, in milliseconds
     * @param retries max number of repetitions
     */
    record RetryPolicy(int timeoutMs, int retries) {}

    /** The addresses and names of subscribers. */
    interface Directory {
        /**
         * Returns the address of a subscriber; null if it is unreachable, or no longer has a subscription.
         */
        @Nullable
        MadAddress address(Subscriber subscriber);

        /** Returns the name of a subscriber for the log. */
        DeviceText name(Subscriber subscriber);
    }

    /** A Report. It is no record, because two Reports with equal content are different. */
    private static final class Report {
        final Subscription subscription;
        final ReportedNotice notice;

        Report(Subscription to, ReportedNotice notice) {
            this.subscription = to;
            this.notice = notice;
        }
    }

    /** The Reports of one subscriber. A queue without a waiting or pending Report is removed. */
    private static final class Queue {
        final ArrayDeque<Report> waiting = new ArrayDeque<>();

        /** The pending Report; null without one. */
        @Nullable
        Delivery current;

        /** True if the subscriber is in {@link Reports#ready}. */
        boolean isReady;
    }

    /** A pending Report, from its first try to its end. */
    private static final class Delivery {
        final Report report;
        final long tid;
        final MadAddress address;
        final byte[] mad;
        final long waitMs;
        final AtomicBoolean isAnswered = new AtomicBoolean();
        final AtomicBoolean isReturned = new AtomicBoolean();
        int tries;

        /** True if the Report must be sent (again). */
        boolean isDue = true;

        Loop.@Nullable Timer timer;

        Delivery(Report report, long tid, MadAddress to, byte[] mad, long waitMs) {
            this.report = report;
            this.tid = tid;
            this.address = to;
            this.mad = mad;
            this.waitMs = waitMs;
        }
    }

    private final Loop loop;
    private final Wire wire;
    private final Supplier<RetryPolicy> retryPolicy;
    private final Subscriptions subscriptions;
    private final Directory directory;
    private final LogRateLimiter lossLog;
    private final Map<Subscriber, Queue> queues = new HashMap<>();

    /** Subscribers to whom a Report can be sent, in order of their turns. */
    private final ArrayDeque<Subscriber> ready = new ArrayDeque<>();

    /** All waiting Reports, the oldest first. */
    private final Set<Report> waiting = new LinkedHashSet<>();

    /** Pending Reports by transaction ID. */
    private final Map<Long, Delivery> pending = new ConcurrentHashMap<>();

    private long lastTid;
    private boolean isSendScheduled;

    private final AtomicLong sent = new AtomicLong();
    private final AtomicLong resent = new AtomicLong();
    private final AtomicLong answered = new AtomicLong();
    private final AtomicLong lost = new AtomicLong();
    private final AtomicLong dropped = new AtomicLong();
    private final AtomicLong late = new AtomicLong();

    /**
     * Creates an instance without Reports.
     *
     * @param seed start of the transaction IDs, random in production
     */
    Reports(
            Loop loop,
            Wire wire,
            int seed,
            Supplier<RetryPolicy> patience,
            Subscriptions subscriptions,
            Directory directory) {
        this.loop = loop;
        this.wire = wire;
        this.lastTid = seed & TID_MASK;
        this.retryPolicy = patience;
        this.subscriptions = subscriptions;
        this.directory = directory;
        this.lossLog = new LogRateLimiter(loop::nowNs);
    }

    ReportStats stats() {
        return new ReportStats(sent.get(), resent.get(), answered.get(), lost.get(), dropped.get(), late.get());
    }

    /** Queues a Report. */
    void send(Subscription to, ReportedNotice notice) {
        Report report = new Report(to, notice);
        Queue queue = queues.computeIfAbsent(to.subscriber(), any -> new Queue());
        if (queue.waiting.size() >= MAX_PER_SUBSCRIBER) {
            dropOldest(queue);
        } else if (waiting.size() >= MAX_WAITING) {
            dropOldest(queueOf(waiting.iterator().next()));
        }
        queue.waiting.add(report);
        waiting.add(report);
        makeReady(to.subscriber(), queue);
    }

    /** Counts an event that was dropped before it was matched with subscriptions. */
    void countDropped() {
        dropped.incrementAndGet();
    }

    private Queue queueOf(Report report) {
        return Objects.requireNonNull(queues.get(report.subscription.subscriber()));
    }

    /** Drops the oldest of all waiting Reports of a subscriber. */
    private void dropOldest(Queue queue) {
        waiting.remove(queue.waiting.remove());
        dropped.incrementAndGet();
    }

    private void makeReady(Subscriber subscriber, Queue queue) {
        if (!queue.isReady && queue.current == null && !queue.waiting.isEmpty()) {
            queue.isReady = true;
            ready.add(subscriber);
        }
        scheduleSending();
    }

    private void scheduleSending() {
        if (!isSendScheduled && !ready.isEmpty()) {
            isSendScheduled = true;
            loop.execute(this::sendBurst);
        }
    }

    private void sendBurst() {
        isSendScheduled = false;
        for (int i = 0; i < BURST && !ready.isEmpty(); i++) {
            Subscriber subscriber = ready.remove();
            Queue queue = queues.get(subscriber);
            if (queue != null) {
                queue.isReady = false;
                sendNext(subscriber, queue);
            }
        }
        if (!ready.isEmpty()) {
            isSendScheduled = true;
            loop.schedule(PAUSE_NS, this::sendBurst);
        }
    }

    /** Sends the pending Report of a subscriber again, or else its first waiting Report. */
    private void sendNext(Subscriber subscriber, Queue queue) {
        Delivery current = queue.current;
        if (current != null) {
            if (current.isDue) {
                transmit(current);
            }
            return;
        }
        Report next = queue.waiting.poll();
        if (next == null) {
            queues.remove(subscriber);
            return;
        }
        waiting.remove(next);
        MadAddress to = directory.address(subscriber);
        if (to == null) {
            dropped.incrementAndGet();
            continueQueue(subscriber, queue);
            return;
        }
        Delivery delivery = delivery(next, to);
        queue.current = delivery;
        pending.put(delivery.tid, delivery);
        transmit(delivery);
    }

    private Delivery delivery(Report report, MadAddress to) {
        long tid = nextTid();
        byte[] mad = SaMad.request(Method.REPORT, tid, Notice.TYPE.id(), 0, 0);
        report.notice.write(mad, SaMad.DATA_OFFSET);
        long responseMs = Math.min(report.subscription.responseTimeMs(), MAX_RESPONSE_MS);
        return new Delivery(report, tid, to, mad, Math.max(retryPolicy.get().timeoutMs(), responseMs));
    }

    private long nextTid() {
        do {
            lastTid = lastTid + 1 & TID_MASK;
        } while (lastTid == 0 || pending.containsKey(lastTid));
        return lastTid;
    }

    /**
     * Sends a Report, and waits for the response a quarter longer than the port, which returns requests without one. If
     * the Report cannot be sent, waits a quarter of the time-out before the next try.
     */
    private void transmit(Delivery delivery) {
        delivery.tries++;
        delivery.isDue = false;
        delivery.isReturned.set(false);
        (delivery.tries == 1 ? sent : resent).incrementAndGet();
        boolean isSent = false;
        try {
            isSent = wire.send(new MadFrame(delivery.address, delivery.mad), (int) delivery.waitMs);
        } finally {
            startTimer(delivery, isSent ? delivery.waitMs + delivery.waitMs / 4 : delivery.waitMs / 4);
        }
    }

    private void startTimer(Delivery delivery, long ms) {
        cancelTimer(delivery);
        delivery.timer = loop.schedule(TimeUnit.MILLISECONDS.toNanos(ms), () -> onTimeout(delivery));
    }

    private static void cancelTimer(Delivery delivery) {
        Loop.Timer timer = delivery.timer;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Handles a time-out: repeats the Report, or counts it as lost. */
    private void onTimeout(Delivery delivery) {
        Subscriber subscriber = delivery.report.subscription.subscriber();
        Queue queue = queues.get(subscriber);
        if (queue == null || queue.current != delivery) {
            return;
        }
        if (delivery.tries <= retryPolicy.get().retries()) {
            delivery.isDue = true;
            queue.isReady = true;
            ready.add(subscriber);
            scheduleSending();
        } else {
            handleLoss(subscriber, queue, delivery);
        }
    }

    private void handleLoss(Subscriber subscriber, Queue queue, Delivery delivery) {
        lost.incrementAndGet();
        LogRateLimiter.Line line = lossLog.recordEvent(directory.name(subscriber));
        if (line.isDue()) {
            EVENTS.report(
                    SmEvent.REPORT_UNANSWERED,
                    EventField.NAME.of(line.source()),
                    EventField.TRAP.of(delivery.report.notice.notice().trapNumber()),
                    EventField.TRIES.of(delivery.tries),
                    EventField.COUNT.of(line.count()));
        }
        boolean isHopeless = subscriptions.countUnanswered(subscriber) >= MAX_CONSECUTIVE_LOSSES;
        while (isHopeless && !queue.waiting.isEmpty()) {
            dropOldest(queue);
        }
        endDelivery(subscriber, queue, delivery);
    }

    private void endDelivery(Subscriber subscriber, Queue queue, Delivery delivery) {
        cancelTimer(delivery);
        pending.remove(delivery.tid);
        queue.current = null;
        continueQueue(subscriber, queue);
    }

    /** Continues with the next waiting Report of a subscriber, if any. */
    private void continueQueue(Subscriber subscriber, Queue queue) {
        if (queue.waiting.isEmpty()) {
            queues.remove(subscriber);
        } else {
            makeReady(subscriber, queue);
        }
    }

    // --- responses ---

    /**
     * Receives a frame, which may be a response to a Report or a returned Report. Any thread.
     *
     * @return false if the frame is for another receiver
     */
    boolean received(MadFrame frame) {
        byte[] mad = frame.mad();
        if (mad.length < MadHeader.MAD_SIZE || MadHeader.mgmtClass(mad) != MgmtClass.SUBN_ADM) {
            return false;
        }
        int method = MadHeader.method(mad);
        if (frame.isUndelivered() && method == Method.REPORT) {
            Delivery delivery = pending.get(MadHeader.tid(mad) & TID_MASK);
            if (delivery != null && delivery.isReturned.compareAndSet(false, true)) {
                loop.execute(() -> onReturned(delivery));
            }
            return true;
        }
        if (method != Method.REPORT_RESP) {
            return false;
        }
        Delivery delivery = pending.get(MadHeader.tid(mad) & TID_MASK);
        boolean isFromThere = delivery != null
                && delivery.address.lid() == frame.peer().lid()
                && delivery.address.qpn() == frame.peer().qpn();
        if (delivery == null || !isFromThere || !delivery.isAnswered.compareAndSet(false, true)) {
            late.incrementAndGet();
        } else {
            loop.execute(() -> onResponse(delivery));
        }
        return true;
    }

    /**
     * Handles a Report that the port returned, because the subscriber was unreachable or did not respond. Waits before
     * the next try, because a link may still be training.
     */
    private void onReturned(Delivery delivery) {
        if (pending.containsKey(delivery.tid)) {
            startTimer(delivery, delivery.waitMs / 4);
        }
    }

    private void onResponse(Delivery delivery) {
        Subscriber subscriber = delivery.report.subscription.subscriber();
        Queue queue = queues.get(subscriber);
        if (queue == null || queue.current != delivery) {
            late.incrementAndGet();
            return;
        }
        answered.incrementAndGet();
        subscriptions.resetUnanswered(subscriber);
        endDelivery(subscriber, queue, delivery);
    }

    /** Drops all waiting and pending Reports, because this SM is no longer master. */
    void cancel() {
        loop.requireInLoop();
        pending.values().forEach(Reports::cancelTimer);
        dropped.addAndGet(pending.size() + waiting.size());
        pending.clear();
        waiting.clear();
        ready.clear();
        queues.clear();
    }
}
