package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.smp.Smp;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The tries of open transactions: sending, timers, retries, and their end.
 *
 * <p>One clock ends a try. If the transport returns requests without a response (as the kernel does), the return ends
 * the try: before it, the kernel would refuse the same transaction ID. The timer of this class is then a safety net
 * with a longer time-out. Otherwise this timer ends the try.
 *
 * <p>A refused try does not count. It is repeated a little later, for as long as all tries would take. A try that timed
 * out is no longer on the wire, and the next one waits for room like any other request. Retries to a slow device are
 * delayed ({@link RetransmissionTimeout}).
 *
 * <p>Confined to the client's loop.
 */
final class Tries {
    /** Max doublings of the time-out. */
    private static final int MAX_DOUBLINGS = 8;

    /** Max doublings of the first time-out for a slow device. */
    private static final int MAX_DOUBLINGS_OF_SLOW = 3;

    /**
     * Min excess of this class's time-out over that of a transport that returns requests: its rounding and its backlog.
     */
    private static final long MIN_MARGIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final MadTransport transport;
    private final Loop loop;
    private final MKeySource keys;
    private final Supplier<MadClient.Settings> settings;
    private final TransactionTable<Transaction<?>> table;
    private final WireWindow window;
    private final MadCounters counters;
    private final Consumer<Transaction<?>> endTransaction;
    private final Runnable pump;

    /** Transactions whose last try ended, and which wait for room on the wire. */
    private final ArrayDeque<Transaction<?>> waitingRetries = new ArrayDeque<>();

    /** SMPs on the wire, which the window limits. */
    private int onWire;

    private Loop.@Nullable Timer deadlineTimer;
    private long deadlineTimerDueNs;

    /** True between a check of the deadlines that ran too late and the next check. */
    private boolean isCatchingUp;

    /**
     * Creates an empty set.
     *
     * @param givenUp callback that ends a transaction after its last try
     * @param pump callback after a time-out has made room on the wire
     */
    Tries(
            MadTransport transport,
            Loop loop,
            MKeySource keys,
            Supplier<MadClient.Settings> settings,
            TransactionTable<Transaction<?>> table,
            WireWindow window,
            MadCounters counters,
            Consumer<Transaction<?>> givenUp,
            Runnable pump) {
        this.transport = transport;
        this.loop = loop;
        this.keys = keys;
        this.settings = settings;
        this.table = table;
        this.window = window;
        this.counters = counters;
        this.endTransaction = givenUp;
        this.pump = pump;
    }

    /** Checks whether one more request may be on the wire. */
    boolean hasRoom() {
        return onWire < window.size();
    }

    /** Sends a request for the first time. The table must have a free slot. */
    void begin(Transaction<?> transaction) {
        table.open(transaction);
        SmpRequest<?> request = transaction.request;
        byte[] mad = Smp.directed(
                request.method(),
                transaction.tid,
                request.type().id(),
                request.attributeModifier(),
                request.hasMKey() ? keys.key(request.path(), 0) : 0,
                request.path());
        Attribute<?> value = request.value();
        if (value != null) {
            value.write(mad, Smp.DATA_OFFSET);
        }
        transaction.mad = mad;
        transaction.startedNs = loop.nowNs();
        transmit(transaction, false);
    }

    /** Sends the first waiting retry. Returns false if no retry waits. */
    boolean sendWaiting() {
        Transaction<?> next = waitingRetries.poll();
        if (next == null) {
            return false;
        }
        transmit(next, true);
        return true;
    }

    /** Sends a request. If the transport throws, the request counts as refused and is tried again later. */
    private void transmit(Transaction<?> transaction, boolean isAgain) {
        long nowNs = loop.nowNs();
        // Set before the calls below, which may throw.
        transaction.isRefused = true;
        transaction.deadlineNs = nowNs + deadlineCheckPeriodNs();
        if (isAgain && transaction.request.hasMKey()) {
            writeMKey(transaction, keys.key(transaction.device.path, transaction.tries));
        }
        boolean isFirst = transaction.tries == 0;
        boolean isRepeated = !isFirst || transaction.isBusy;
        if (isFirst) {
            transaction.minTimeoutMs = minTimeoutMs(transaction);
            transaction.spentTimeoutMs = 0;
        }
        int timeoutMs = nextTimeoutMs(transaction);
        transaction.isBusy = false;
        transaction.isOnWire = transport.send(new MadFrame(MadAddress.DIRECTED, transaction.mad), timeoutMs);
        transaction.isRefused = !transaction.isOnWire;
        counters.countSend(transaction.isOnWire);
        if (transaction.isOnWire) {
            counters.smps.increment();
            if (isRepeated && !transaction.isOfVendor()) {
                counters.retries.increment();
            }
            if (isFirst) {
                transaction.firstSentNs = nowNs;
            }
            transaction.isInWindow = true;
            onWire++;
            transaction.tries++;
            transaction.sentNs = nowNs;
            transaction.timeoutMs = timeoutMs;
            transaction.spentTimeoutMs += timeoutMs;
            transaction.deadlineNs = nowNs + TimeUnit.MILLISECONDS.toNanos(timeoutMs) + marginNs(timeoutMs);
        }
    }

    /** Returns the default time-out of a try in milliseconds. */
    private int timeoutMs(int triesBefore) {
        long doubled = (long) settings.get().timeoutMs() << Math.min(triesBefore, MAX_DOUBLINGS);
        return (int) Math.min(doubled, Integer.MAX_VALUE);
    }

    /**
     * Returns the min time-out for a slow device in milliseconds; 0 for a prompt one. It leaves time for two tries,
     * since one may be lost.
     */
    private int minTimeoutMs(Transaction<?> transaction) {
        RetransmissionTimeout late = transaction.device.slowTimeout;
        long wantedNs = late == null ? 0 : late.timeoutNs();
        if (wantedNs <= defaultTimeoutNs()) {
            return 0;
        }
        long maxMs = Math.min(timeoutMs(MAX_DOUBLINGS_OF_SLOW), totalTimeoutMs(transaction) / 2);
        return (int) Math.min(TimeUnit.NANOSECONDS.toMillis(wantedNs), maxMs);
    }

    /** Returns the time-out of the next try in milliseconds. A slow device has fewer tries in the same total time. */
    private int nextTimeoutMs(Transaction<?> transaction) {
        int leastMs = transaction.minTimeoutMs;
        int usualMs = timeoutMs(transaction.tries);
        if (leastMs == 0) {
            return usualMs;
        }
        int waitMs = Math.max(leastMs, usualMs);
        long restMs = totalTimeoutMs(transaction) - transaction.spentTimeoutMs;
        // If another try would not fit after this one, this try takes the rest of the time.
        return restMs - waitMs >= leastMs ? waitMs : (int) Math.min(Integer.MAX_VALUE, Math.max(leastMs, restMs));
    }

    /** Returns the sum of the default time-outs of all tries in milliseconds. */
    private long totalTimeoutMs(Transaction<?> transaction) {
        long patienceMs = 0;
        for (int i = 0; i <= retries(transaction); i++) {
            patienceMs += timeoutMs(i);
        }
        return patienceMs;
    }

    /** Returns the time-out of the first try to a prompt device. */
    private long defaultTimeoutNs() {
        return TimeUnit.MILLISECONDS.toNanos(timeoutMs(0));
    }

    private long marginNs(int timeoutMs) {
        return transport.returnsTimedOutRequests()
                ? Math.max(MIN_MARGIN_NS, TimeUnit.MILLISECONDS.toNanos(timeoutMs) / 4)
                : 0;
    }

    /**
     * Writes the M_Key into a copy of the MAD: the bytes of an earlier try belong to the transport, which may not have
     * read them yet.
     */
    private static void writeMKey(Transaction<?> transaction, long mKey) {
        if (Smp.M_KEY.get(transaction.mad, 0) != mKey) {
            transaction.mad = transaction.mad.clone();
            Smp.M_KEY.set(transaction.mad, 0, mKey);
        }
    }

    /** Handles a response. A response to a later try shows that the first try was lost although the device responds. */
    void handleResponse(Transaction<?> transaction) {
        long nowNs = loop.nowNs();
        long tookNs = nowNs - transaction.sentNs;
        long usualNs = defaultTimeoutNs();
        DeviceQueues.Device device = transaction.device;
        if (transaction.tries > 1) {
            window.handleLoss(device, transaction.firstSentNs, nowNs);
        } else if (transaction.tries == 1 && tookNs <= usualNs) {
            window.handleResponse(nowNs, tookNs, onWire >= window.size(), usualNs);
        }
        device.slowTimeout =
                RetransmissionTimeout.after(device.slowTimeout, nowNs - transaction.firstSentNs, tookNs, usualNs);
        reportAcceptedKey(transaction);
    }

    /** Reports the M_Key of the last try as accepted, if the request carried one. */
    private void reportAcceptedKey(Transaction<?> transaction) {
        if (transaction.request.hasMKey()) {
            keys.answered(transaction.device.path, transaction.tries - 1);
        }
    }

    /**
     * Handles status Busy (IBA 13.4.7): the request is repeated soon, for the time of all tries, and no try is counted.
     */
    void handleBusy(Transaction<?> transaction) {
        if (!transaction.isOnWire) {
            return; // a duplicate of the response
        }
        reportAcceptedKey(transaction);
        removeFromWire(transaction);
        transaction.isBusy = true;
        transaction.tries--;
        transaction.spentTimeoutMs -= transaction.timeoutMs;
        transaction.deadlineNs = loop.nowNs() + deadlineCheckPeriodNs();
    }

    /**
     * Handles a request that the transport returned. After its time-out, this ends the try. An earlier return may come
     * from a link that is not up yet, so the try ends a little later.
     */
    void handleReturnedRequest(Transaction<?> transaction) {
        if (!transaction.isOnWire) {
            return;
        }
        if (loop.nowNs() - transaction.sentNs >= TimeUnit.MILLISECONDS.toNanos(transaction.timeoutMs)) {
            handleTimeout(transaction);
        } else {
            transaction.deadlineNs = Math.min(transaction.deadlineNs, loop.nowNs() + deadlineCheckPeriodNs());
        }
    }

    /** Removes a transaction that has an outcome. */
    void close(Transaction<?> transaction) {
        removeFromWire(transaction);
        waitingRetries.remove(transaction);
        table.close(transaction);
    }

    private void removeFromWire(Transaction<?> transaction) {
        transaction.isOnWire = false;
        removeFromWindow(transaction);
    }

    private void removeFromWindow(Transaction<?> transaction) {
        if (transaction.isInWindow) {
            transaction.isInWindow = false;
            onWire--;
        }
    }

    /**
     * Checks whether the SMP of a try can no longer be on the wire, although the try continues. Later tries, and tries
     * to slow devices, have longer time-outs. The SMP makes room for others after the default time-out: otherwise a few
     * dead devices would fill a small window.
     */
    private boolean isWindowTimeoutOver(Transaction<?> transaction, long nowNs) {
        return transaction.isInWindow && nowNs - transaction.sentNs >= defaultTimeoutNs() + marginNs(timeoutMs(0));
    }

    /**
     * Schedules the single timer that checks all deadlines, four times per time-out. The check reads each slot, of
     * which there are few.
     */
    void scheduleDeadlineCheck() {
        if (deadlineTimer == null && !table.isEmpty()) {
            deadlineTimerDueNs = loop.nowNs() + deadlineCheckPeriodNs();
            deadlineTimer = loop.schedule(deadlineCheckPeriodNs(), this::checkDeadlines);
        }
    }

    private long deadlineCheckPeriodNs() {
        return TimeUnit.MILLISECONDS.toNanos(settings.get().timeoutMs()) / 4;
    }

    /**
     * Ends tries whose deadlines have passed. After a standstill of this process, responses that arrived in time wait
     * to be read, and the kernel would refuse a retry. So they are read first, until the next check.
     */
    private void checkDeadlines() {
        deadlineTimer = null;
        long nowNs = loop.nowNs();
        isCatchingUp = !isCatchingUp && nowNs - deadlineTimerDueNs > deadlineCheckPeriodNs();
        if (isCatchingUp) {
            scheduleDeadlineCheck();
            return;
        }
        try {
            for (Transaction<?> transaction : table.openTransactions()) {
                // A callback of an earlier transaction may have closed this one, which then has no slot.
                if (transaction.slot >= 0 && transaction.deadlineNs - nowNs <= 0) {
                    handleTimeout(transaction);
                } else if (isWindowTimeoutOver(transaction, nowNs)) {
                    removeFromWindow(transaction);
                }
            }
        } finally {
            pump.run();
        }
    }

    /** Ends a try, including one that was refused. Then ends the transaction, or queues the next try. */
    private void handleTimeout(Transaction<?> transaction) {
        removeFromWire(transaction);
        boolean isOver = transaction.isRefused || transaction.isBusy
                ? isTotalTimeoutOver(transaction)
                : transaction.tries > retries(transaction)
                        || (transaction.minTimeoutMs > 0 && transaction.spentTimeoutMs >= totalTimeoutMs(transaction));
        if (isOver) {
            endTransaction.accept(transaction);
        } else {
            transaction.deadlineNs = Long.MAX_VALUE;
            waitingRetries.add(transaction);
        }
    }

    /** Returns the number of retries. A brief request has one, in case the first try was lost. */
    private int retries(Transaction<?> transaction) {
        int retries = settings.get().retries();
        return transaction.request.isBrief() ? Math.min(1, retries) : retries;
    }

    /** Checks whether a transaction has been open for as long as all its tries would take. */
    private boolean isTotalTimeoutOver(Transaction<?> transaction) {
        return loop.nowNs() - transaction.startedNs >= TimeUnit.MILLISECONDS.toNanos(totalTimeoutMs(transaction));
    }
}
