package io.torussm.transport;

import io.torussm.event.FatalErrors;
import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Attribute;
import io.torussm.mad.ClassPortInfo;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.IntUnaryOperator;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client of the agents behind QP1 (performance management, congestion control, firmware) on the port of a
 * {@link MadClient}. It has its own window and rate, apart from those of SMPs, and may run on another loop.
 *
 * <p>Each try has a new transaction ID. A late response to an earlier try is dropped, since the time at which its
 * counters were read is unknown. A response must have the LID of the request. After status Busy (IBA 13.4.7) the
 * request is repeated after a pause, which counts as a try.
 *
 * <p>A redirection (IBA 13.5.2) is followed once per request. It is kept for later requests until one of them times
 * out. A redirection to another subnet, by GID alone, is not followed: its status is the outcome.
 *
 * <p>Owner thread: the loop. {@link #received} is called by the transport's thread. A request takes less than a
 * kilobyte.
 */
public final class GsiClient implements AutoCloseable {
    private static final EventLog EVENTS = EventLog.of(GsiClient.class);

    /** Max waiting requests, for callers that have no limit of their own. */
    private static final int MAX_QUEUED = 1 << 16;

    /** Max agents whose redirections are remembered. */
    private static final int MAX_REDIRECTED = 1 << 14;

    /** Fraction of a second whose share of requests may be sent as a burst. */
    private static final int BURSTS_PER_SECOND = 100;

    private static final int MAX_DOUBLINGS = 8;
    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);

    /** Time that the client waits after a time-out, if the transport returns requests after it. */
    private static final long MARGIN_NS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The status bits Busy and Redirect (IBA 13.4.7). */
    private static final int BUSY_OR_REDIRECT = MadStatus.BUSY | MadStatus.REDIRECT;

    /**
     * Window, rate and time-outs.
     *
     * @param window max concurrent requests on the wire, 1 to 4096; the transport may allow fewer
     * @param perSecond max requests per second including retries; 0 for no limit
     * @param timeoutMs time-out of the first try, doubled for each retry
     * @param retries max tries after the first
     */
    public record Settings(int window, int perSecond, int timeoutMs, int retries) {
        /** Rejects values out of range. */
        public Settings {
            if (window < 1 || window > TransactionTable.MAX_SLOTS || perSecond < 0 || timeoutMs < 1 || retries < 0) {
                throw new IllegalArgumentException("window and timeout must be positive, the window at most "
                        + TransactionTable.MAX_SLOTS + ": " + window + ", " + perSecond + ", " + timeoutMs + ", "
                        + retries);
            }
        }
    }

    /**
     * The counters of a client.
     *
     * @param sent requests that the transport accepted
     * @param answered responses that matched a transaction, with any status
     * @param retries retries among the sent requests
     * @param timeouts transactions that ended without a response
     * @param foreign responses from another LID than that of the request
     * @param late responses without a transaction: late, duplicate or foreign
     * @param redirected responses with a redirection
     */
    public record Stats(
            long sent, long answered, long retries, long timeouts, long foreign, long late, long redirected) {}

    private final MadClient client;
    private final Loop loop;
    private final Supplier<Settings> settings;
    private final RedirectionPolicy policy;
    private final TransactionTable<GsiExchange<?>> table;
    private final ArrayDeque<GsiExchange<?>> queue = new ArrayDeque<>();
    private final Map<Agent, MadAddress> redirections = new HashMap<>();
    private final InboundQueue<Arrival> inbound;

    /** Requests that pause before their next try. */
    private int pausedCount;

    /** Time from which the rate allows the next request. */
    private long nextAllowedNs;

    private boolean isClosed;
    private boolean isPumping;
    private Loop.@Nullable Timer deadlineTimer;
    private Loop.@Nullable Timer paceTimer;

    private final LongAdder sent = new LongAdder();
    private final LongAdder answered = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder foreign = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder redirected = new LongAdder();

    /** A policy that decides which redirections are followed. */
    public interface RedirectionPolicy {
        /**
         * Evaluates a redirection, on the loop.
         *
         * @param asked address of the agent that redirects
         * @param info ClassPortInfo of the redirection
         * @return new address of the agent; null if the redirection is not followed
         */
        @Nullable
        MadAddress follow(MadAddress asked, ClassPortInfo info);

        /**
         * Returns a policy that follows each redirection within the subnet, that is, with a LID and a QP.
         *
         * @param pKeyIndex returns the index of a P_Key in the table of the port; negative if the table does not
         *     contain the P_Key
         */
        static RedirectionPolicy withinSubnet(IntUnaryOperator pKeyIndex) {
            return (asked, info) -> {
                int lid = (int) info.get(ClassPortInfo.REDIRECT_LID);
                int qp = (int) info.get(ClassPortInfo.REDIRECT_QP);
                int index = pKeyIndex.applyAsInt((int) info.get(ClassPortInfo.REDIRECT_P_KEY));
                int sl = (int) info.get(ClassPortInfo.REDIRECT_SL);
                int qKey = (int) info.get(ClassPortInfo.REDIRECT_Q_KEY);
                return lid == 0 || qp == 0 || index < 0
                        ? null
                        : new MadAddress(lid, qp, sl, index, asked.pathBits(), null, qKey);
            };
        }
    }

    /** A frame and the time of its arrival. */
    private record Arrival(MadFrame frame, long atNs) {}

    /** The agent that a request names, before any redirection. */
    private record Agent(MadAddress port, int mgmtClass) {}

    /**
     * Creates a client that receives all MADs of a {@link MadClient} except subnet management and administration.
     *
     * @param client owner of the port; one GSI client at a time
     * @param loop loop of requests and outcomes, which may differ from the client's
     * @param settings source of settings, read on the loop for each use
     * @param seed seed of the transaction IDs; random in production
     * @param redirects policy for redirections
     */
    public GsiClient(MadClient client, Loop loop, Supplier<Settings> settings, int seed, RedirectionPolicy redirects) {
        this.client = client;
        this.loop = loop;
        this.settings = settings;
        this.policy = redirects;
        table = new TransactionTable<>(Math.min(TransactionTable.MAX_SLOTS, client.maxOutstandingGmps()), seed);
        inbound = new InboundQueue<>(loop, this::accept);
        nextAllowedNs = loop.nowNs();
        client.whenGmpReceived(this::received);
    }

    /**
     * Sends a request once window and rate allow. If the client is closed or its queue is full, the outcome is
     * CANCELLED.
     */
    public <A extends Attribute<A>> void send(GsiRequest<A> request) {
        loop.requireInLoop();
        MadAddress to = redirections.getOrDefault(new Agent(request.target(), request.mgmtClass()), request.target());
        GsiExchange<A> exchange = new GsiExchange<>(request, to);
        if (isClosed || queue.size() >= MAX_QUEUED) {
            end(exchange, Outcome.FailureReason.CANCELLED, 0);
            return;
        }
        queue.add(exchange);
        pump();
    }

    /** Removes all redirections. An agent that still redirects will do so again. */
    public void forgetRedirections() {
        loop.requireInLoop();
        redirections.clear();
    }

    /** Returns the number of requests without an outcome. */
    public int outstanding() {
        return queue.size() + pausedCount + table.size() - table.freeCount();
    }

    /** Returns the counters; may be read from any thread. */
    public Stats stats() {
        return new Stats(
                sent.sum(), answered.sum(), retries.sum(), timeouts.sum(), foreign.sum(), late.sum(), redirected.sum());
    }

    /** Ends all requests as CANCELLED. No MAD is received afterwards. */
    @Override
    public void close() {
        loop.requireInLoop();
        if (isClosed) {
            return;
        }
        isClosed = true;
        client.whenGmpReceived(null);
        for (GsiExchange<?> exchange : table.openTransactions()) {
            table.close(exchange);
            queue.add(exchange);
        }
        while (!queue.isEmpty()) {
            end(queue.remove(), Outcome.FailureReason.CANCELLED, 0);
        }
    }

    /** Receives a MAD on the transport's thread. */
    private void received(MadFrame frame) {
        if (!inbound.offer(new Arrival(frame, loop.nowNs()))) {
            late.increment();
        }
    }

    private void accept(Arrival arrival) {
        try {
            dispatch(arrival.frame(), arrival.atNs());
        } finally {
            pump();
        }
    }

    private void dispatch(MadFrame frame, long atNs) {
        GsiExchange<?> exchange = table.find(frame.mad());
        if (frame.isUndelivered()) {
            // A request that returns early met a link that is down. The clock ends its try.
            if (exchange != null && atNs - exchange.sentNs >= timeoutNs(exchange.tries - 1)) {
                endTry(exchange);
            }
        } else if (exchange == null || !MadHeader.isResponse(frame.mad())) {
            late.increment();
        } else if (frame.peer().lid() != exchange.destination.lid()) {
            foreign.increment();
        } else {
            handleResponse(exchange, frame.mad(), atNs);
        }
    }

    private <A extends Attribute<A>> void handleResponse(GsiExchange<A> exchange, byte[] mad, long atNs) {
        answered.increment();
        table.close(exchange);
        exchange.isBusy = isBusy(mad);
        if (exchange.isBusy) {
            repeatOrEnd(exchange);
            return;
        }
        MadAddress newAddress = isRedirection(mad) && !exchange.isRedirectionFinal ? redirection(exchange, mad) : null;
        if (newAddress == null) {
            if (isRedirection(mad)) {
                forgetRedirection(exchange);
            }
            deliver(exchange, exchange.outcome(mad), atNs);
            return;
        }
        redirected.increment();
        if (redirections.size() < MAX_REDIRECTED) {
            redirections.put(new Agent(exchange.request.target(), exchange.request.mgmtClass()), newAddress);
        }
        exchange.destination = newAddress;
        exchange.isRedirectionFinal = true;
        exchange.tries = 0;
        queue.addFirst(exchange);
    }

    private static boolean isBusy(byte[] mad) {
        return (MadHeader.status(mad) & BUSY_OR_REDIRECT) == MadStatus.BUSY;
    }

    /** Checks whether a response is a redirection. */
    static boolean isRedirection(byte[] mad) {
        return (MadHeader.status(mad) & MadStatus.REDIRECT) != 0;
    }

    /** Returns the address in a redirection; null if it is not followed. */
    private @Nullable MadAddress redirection(GsiExchange<?> exchange, byte[] mad) {
        return policy.follow(exchange.request.target(), ClassPortInfo.TYPE.read(mad, GsiRequest.DATA_OFFSET));
    }

    /** Returns the max number of concurrent requests: of the settings, or of the transport if it allows fewer. */
    public int window() {
        return Math.min(settings.get().window(), table.size());
    }

    /** Sends while window and rate allow. */
    private void pump() {
        if (isPumping || isClosed) {
            return;
        }
        isPumping = true;
        try {
            Settings current = settings.get();
            while (!queue.isEmpty() && table.freeCount() > 0 && table.size() - table.freeCount() < current.window()) {
                if (!admitByRate(current.perSecond())) {
                    break;
                }
                transmit(queue.remove());
            }
        } finally {
            isPumping = false;
            scheduleDeadlineCheck();
        }
    }

    /** Counts a request in the rate. If the rate does not allow it yet, schedules {@link #pump} and returns false. */
    private boolean admitByRate(int perSecond) {
        if (perSecond == 0) {
            return true;
        }
        long nowNs = loop.nowNs();
        long periodNs = SECOND_NS / perSecond;
        // Unused time counts for at most 10 ms, which limits a burst.
        nextAllowedNs = Math.max(nextAllowedNs, nowNs - SECOND_NS / BURSTS_PER_SECOND);
        if (nextAllowedNs > nowNs) {
            if (paceTimer == null) {
                paceTimer = loop.schedule(nextAllowedNs - nowNs, () -> {
                    paceTimer = null;
                    pump();
                });
            }
            return false;
        }
        nextAllowedNs += periodNs;
        return true;
    }

    private void transmit(GsiExchange<?> exchange) {
        table.open(exchange);
        int timeoutMs = (int) TimeUnit.NANOSECONDS.toMillis(timeoutNs(exchange.tries));
        exchange.sentNs = loop.nowNs();
        exchange.deadlineNs = exchange.sentNs + timeoutNs(exchange.tries) + marginNs();
        boolean isRepeated = exchange.tries > 0;
        exchange.tries++;
        exchange.isBusy = false;
        if (client.send(new MadFrame(exchange.destination, exchange.request.mad(exchange.tid)), timeoutMs)) {
            sent.increment();
            if (isRepeated) {
                retries.increment();
            }
        } else {
            table.close(exchange);
            repeatOrEnd(exchange);
        }
    }

    /** Returns the time-out of a try: doubled for each earlier one, at most {@link #MAX_DOUBLINGS} times. */
    private long timeoutNs(int triesBefore) {
        return TimeUnit.MILLISECONDS.toNanos(settings.get().timeoutMs()) << Math.min(triesBefore, MAX_DOUBLINGS);
    }

    private long marginNs() {
        return client.returnsTimedOutRequests() ? MARGIN_NS : 0;
    }

    /** Repeats a request after half of its time-out, so that a busy agent or a full port can recover. */
    private void repeatOrEnd(GsiExchange<?> exchange) {
        if (exchange.tries > settings.get().retries()) {
            giveUp(exchange);
            return;
        }
        pausedCount++;
        loop.schedule(timeoutNs(exchange.tries - 1) / 2, () -> {
            pausedCount--;
            if (isClosed) {
                end(exchange, Outcome.FailureReason.CANCELLED, 0);
            } else {
                queue.addFirst(exchange);
                pump();
            }
        });
    }

    /** Ends a try. The next one follows without a pause, since the time-out has passed. */
    private void endTry(GsiExchange<?> exchange) {
        table.close(exchange);
        if (exchange.tries > settings.get().retries()) {
            giveUp(exchange);
        } else {
            queue.addFirst(exchange);
        }
    }

    private void giveUp(GsiExchange<?> exchange) {
        forgetRedirection(exchange);
        if (exchange.isBusy) {
            end(exchange, Outcome.FailureReason.BAD_STATUS, MadStatus.BUSY);
        } else {
            timeouts.increment();
            end(exchange, Outcome.FailureReason.TIMEOUT, 0);
        }
    }

    private void forgetRedirection(GsiExchange<?> exchange) {
        redirections.remove(new Agent(exchange.request.target(), exchange.request.mgmtClass()));
    }

    /** Schedules the single timer that checks all deadlines. */
    private void scheduleDeadlineCheck() {
        if (deadlineTimer == null && table.freeCount() < table.size()) {
            deadlineTimer = loop.schedule(timeoutNs(0) / 4, this::checkDeadlines);
        }
    }

    private void checkDeadlines() {
        deadlineTimer = null;
        if (isClosed) {
            return;
        }
        long nowNs = loop.nowNs();
        try {
            for (GsiExchange<?> exchange : table.openTransactions()) {
                if (exchange.slot >= 0 && exchange.deadlineNs - nowNs <= 0) {
                    endTry(exchange);
                }
            }
        } finally {
            pump();
        }
    }

    private <A extends Attribute<A>> void end(GsiExchange<A> exchange, Outcome.FailureReason kind, int status) {
        deliver(exchange, new Outcome.Failure<>(kind, status), loop.nowNs());
    }

    /** Calls the continuation. If it throws, that is its defect and must not end other transactions. */
    private <A extends Attribute<A>> void deliver(GsiExchange<A> exchange, Outcome<A> outcome, long atNs) {
        try {
            exchange.request.continuation().ended(outcome, atNs);
        } catch (RuntimeException | Error bug) {
            client.countFailure();
            EVENTS.report(SmEvent.CONTINUATION_FAILED, bug);
            FatalErrors.escalate(bug);
        }
    }
}
