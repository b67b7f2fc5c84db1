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
 * Sends Reports and sees to it that they are answered (IBA 13.4.11): to each subscriber one at a time, so that they
 * arrive in the order of the events; to all subscribers in turn, so that none waits for one that is dead.
 *
 * <p>A Report that is not answered in time is sent again, as often as SMPs are. One that is lost then is logged and
 * counted, and what waits for a subscriber that has left several in a row unanswered is dropped, until something new
 * happens.
 *
 * <p>Bounds: Reports that wait for a subscriber, and in all; beyond those the oldest is dropped. Few are sent in a
 * turn of the loop, and then others have theirs. A response costs a task of the loop only if it belongs to a Report
 * under way, once.
 *
 * <p>Owner thread: the loop, except for {@link #received} and the counters, which any thread may call.
 */
final class Reports {
    private static final EventLog EVENTS = EventLog.of(Reports.class);

    /** Reports that may wait for one subscriber, besides the one under way. */
    static final int MAX_PER_SUBSCRIBER = 1024;

    /** Reports that may wait in all. */
    static final int MAX_WAITING = 1 << 16;

    /** Reports in a row that a subscriber may leave unanswered before what waits for it is dropped. */
    static final int PATIENCE = 3;

    /** A subscriber that claims to need longer for an answer is not waited for. */
    static final long MAX_RESPONSE_MS = 4000;

    /** MADs sent at once, and the pause after them: what the queues of a small simulator take. */
    private static final int BURST = 8;

    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private static final long TID_MASK = 0xffff_ffffL;

    /** Sends; from the loop. */
    interface Wire {
        /** False if it could not be sent; as {@link io.torussm.transport.MadTransport#send}. */
        boolean send(MadFrame frame, int responseTimeoutMs);
    }

    /**
     * How long a Report is tried.
     *
     * @param timeoutMs least wait for an answer
     * @param retries further tries
     */
    record Patience(int timeoutMs, int retries) {}

    /** Where subscribers are. */
    interface Directory {
        /** The way to a subscriber; null if it cannot be reached, or wants nothing any more. */
        @Nullable
        MadAddress address(Subscriber subscriber);

        /** What people call it. */
        DeviceText name(Subscriber subscriber);
    }

    /** Two of the same content are two. */
    private static final class Report {
        final Subscription to;
        final ReportedNotice notice;

        Report(Subscription to, ReportedNotice notice) {
            this.to = to;
            this.notice = notice;
        }
    }

    /** What waits for one subscriber; there is none for whom nothing waits and nothing is under way. */
    private static final class Queue {
        final ArrayDeque<Report> waiting = new ArrayDeque<>();

        @Nullable
        Delivery current;

        boolean isReady;
    }

    /** A Report under way, from its first try to its end. */
    private static final class Delivery {
        final Report report;
        final long tid;
        final MadAddress to;
        final byte[] mad;
        final long waitMs;
        final AtomicBoolean isAnswered = new AtomicBoolean();
        final AtomicBoolean isReturned = new AtomicBoolean();
        int tries;
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
    private final ArrayDeque<Subscriber> ready = new ArrayDeque<>();

    /** All that wait, the oldest first. */
    private final Set<Report> waiting = new LinkedHashSet<>();

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
     * Nothing to send yet.
     *
     * @param seed where transaction IDs begin; random in production
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

    /** Sends a Report when it is its turn. */
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

    /** Counts an event that was to be reported to an unknown number of subscribers. */
    void countDropped() {
        dropped.incrementAndGet();
    }

    private Queue queueOf(Report report) {
        return Objects.requireNonNull(queues.get(report.to.subscriber()));
    }

    /** Of all that wait for somebody. */
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

    /** The next try of what is under way, or else the first of what waits. */
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

    /** A port that returns requests without an answer does so before this side gives up waiting. */
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

    private void goOn(Subscriber subscriber, Queue queue) {
        if (queue.waiting.isEmpty()) {
            queues.remove(subscriber);
        } else {
            makeReady(subscriber, queue);
        }
    }

    // --- what comes back ---

    /**
     * Takes what may be an answer; from any thread.
     *
     * @return whether this is none of anybody else's business
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

    /** The subscriber could not be reached, or did not answer; a link may be just coming up. */
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

    /** Forgets all that waits or is under way: this SM does not rule any more. */
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
