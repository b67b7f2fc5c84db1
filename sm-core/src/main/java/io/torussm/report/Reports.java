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
 * and counted. After {@link #PATIENCE} consecutive lost Reports, all waiting Reports of the subscriber are dropped;
 * the next event is tried again.
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
    static final int PATIENCE = 3;

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
    record Patience(int timeoutMs, int retries) {}

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
        final Subscription to;
        final ReportedNotice notice;

        Report(Subscription to, ReportedNotice notice) {
            this.to = to;
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
        final MadAddress to;
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
            this.to = to;
            this.mad = mad;
            this.waitMs = waitMs;
        }
    }

    private final Loop loop;
    private final Wire wire;
    private final Supplier<Patience> patience;
    private final Subscriptions subscriptions;
    private final Directory directory;
    private final LogRateLimiter hush;
    private final Map<Subscriber, Queue> queues = new HashMap<>();

    /** Subscribers to whom a Report can be sent, in order of their turns. */
    private final ArrayDeque<Subscriber> ready = new ArrayDeque<>();

    /** All waiting Reports, the oldest first. */
    private final Set<Report> waiting = new LinkedHashSet<>();

    /** Pending Reports by transaction ID. */
    private final Map<Long, Delivery> open = new ConcurrentHashMap<>();

    private long lastTid;
    private boolean isPumping;

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
            Supplier<Patience> patience,
            Subscriptions subscriptions,
            Directory directory) {
        this.loop = loop;
        this.wire = wire;
        this.lastTid = seed & TID_MASK;
        this.patience = patience;
        this.subscriptions = subscriptions;
        this.directory = directory;
        this.hush = new LogRateLimiter(loop::nowNs);
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
        return Objects.requireNonNull(queues.get(report.to.subscriber()));
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
        pump();
    }

    private void pump() {
        if (!isPumping && !ready.isEmpty()) {
            isPumping = true;
            loop.execute(this::sendSome);
        }
    }

    private void sendSome() {
        isPumping = false;
        for (int i = 0; i < BURST && !ready.isEmpty(); i++) {
            Subscriber subscriber = ready.remove();
            Queue queue = queues.get(subscriber);
            if (queue != null) {
                queue.isReady = false;
                sendNext(subscriber, queue);
            }
        }
        if (!ready.isEmpty()) {
            isPumping = true;
            loop.schedule(PAUSE_NS, this::sendSome);
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
            goOn(subscriber, queue);
            return;
        }
        Delivery delivery = delivery(next, to);
        queue.current = delivery;
        open.put(delivery.tid, delivery);
        transmit(delivery);
    }

    private Delivery delivery(Report report, MadAddress to) {
        long tid = nextTid();
        byte[] mad = SaMad.request(Method.REPORT, tid, Notice.TYPE.id(), 0, 0);
        report.notice.write(mad, SaMad.DATA);
        long responseMs = Math.min(report.to.responseTimeMs(), MAX_RESPONSE_MS);
        return new Delivery(report, tid, to, mad, Math.max(patience.get().timeoutMs(), responseMs));
    }

    private long nextTid() {
        do {
            lastTid = lastTid + 1 & TID_MASK;
        } while (lastTid == 0 || open.containsKey(lastTid));
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
            isSent = wire.send(new MadFrame(delivery.to, delivery.mad), (int) delivery.waitMs);
        } finally {
            waitFor(delivery, isSent ? delivery.waitMs + delivery.waitMs / 4 : delivery.waitMs / 4);
        }
    }

    private void waitFor(Delivery delivery, long ms) {
        cancelTimer(delivery);
        delivery.timer = loop.schedule(TimeUnit.MILLISECONDS.toNanos(ms), () -> onSilence(delivery));
    }

    private static void cancelTimer(Delivery delivery) {
        Loop.Timer timer = delivery.timer;
        if (timer != null) {
            timer.cancel();
        }
    }

    /** Handles a time-out: repeats the Report, or counts it as lost. */
    private void onSilence(Delivery delivery) {
        Subscriber subscriber = delivery.report.to.subscriber();
        Queue queue = queues.get(subscriber);
        if (queue == null || queue.current != delivery) {
            return;
        }
        if (delivery.tries <= patience.get().retries()) {
            delivery.isDue = true;
            queue.isReady = true;
            ready.add(subscriber);
            pump();
        } else {
            lose(subscriber, queue, delivery);
        }
    }

    private void lose(Subscriber subscriber, Queue queue, Delivery delivery) {
        lost.incrementAndGet();
        LogRateLimiter.Line line = hush.happened(directory.name(subscriber));
        if (line.isDue()) {
            EVENTS.report(
                    SmEvent.REPORT_UNANSWERED,
                    EventField.NAME.of(line.source()),
                    EventField.TRAP.of(delivery.report.notice.notice().trapNumber()),
                    EventField.TRIES.of(delivery.tries),
                    EventField.COUNT.of(line.count()));
        }
        boolean isHopeless = subscriptions.unanswered(subscriber) >= PATIENCE;
        while (isHopeless && !queue.waiting.isEmpty()) {
            dropOldest(queue);
        }
        end(subscriber, queue, delivery);
    }

    private void end(Subscriber subscriber, Queue queue, Delivery delivery) {
        cancelTimer(delivery);
        open.remove(delivery.tid);
        queue.current = null;
        goOn(subscriber, queue);
    }

    /** Continues with the next waiting Report of a subscriber, if any. */
    private void goOn(Subscriber subscriber, Queue queue) {
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
        if (frame.undelivered() && method == Method.REPORT) {
            Delivery delivery = open.get(MadHeader.tid(mad) & TID_MASK);
            if (delivery != null && delivery.isReturned.compareAndSet(false, true)) {
                loop.execute(() -> returned(delivery));
            }
            return true;
        }
        if (method != Method.REPORT_RESP) {
            return false;
        }
        Delivery delivery = open.get(MadHeader.tid(mad) & TID_MASK);
        boolean isFromThere = delivery != null
                && delivery.to.lid() == frame.peer().lid()
                && delivery.to.qpn() == frame.peer().qpn();
        if (delivery == null || !isFromThere || !delivery.isAnswered.compareAndSet(false, true)) {
            late.incrementAndGet();
        } else {
            loop.execute(() -> answered(delivery));
        }
        return true;
    }

    /**
     * Handles a Report that the port returned, because the subscriber was unreachable or did not respond. Waits before
     * the next try, because a link may still be training.
     */
    private void returned(Delivery delivery) {
        if (open.containsKey(delivery.tid)) {
            waitFor(delivery, delivery.waitMs / 4);
        }
    }

    private void answered(Delivery delivery) {
        Subscriber subscriber = delivery.report.to.subscriber();
        Queue queue = queues.get(subscriber);
        if (queue == null || queue.current != delivery) {
            late.incrementAndGet();
            return;
        }
        answered.incrementAndGet();
        subscriptions.answered(subscriber);
        end(subscriber, queue, delivery);
    }

    /** Drops all waiting and pending Reports, because this SM is no longer master. */
    void cancel() {
        loop.check();
        open.values().forEach(Reports::cancelTimer);
        dropped.addAndGet(open.size() + waiting.size());
        open.clear();
        waiting.clear();
        ready.clear();
        queues.clear();
    }
}
