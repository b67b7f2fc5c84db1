package io.torussm.transport;

import io.torussm.mad.Attribute;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A client for transactions over a {@link MadTransport}: windows, retries, matching of responses, and cancellation by
 * {@link MadScope}.
 *
 * <p>Status Busy (IBA 13.4.7) does not end a transaction: its request is repeated soon, for as long as all its tries
 * would take. If a device is busy at each try, Busy is the outcome. If a device is busy most of the time, all requests
 * in its queue end with Busy, too, since they would delay other devices.
 *
 * <p>A request waits in {@code DeviceQueues} for the window of its device and is in {@code TransactionTable} while it
 * is on the wire. Responses arrive through {@code InboundQueue}. A response without a transaction is counted and
 * dropped.
 *
 * <p>Owner thread: the loop. Only {@link #received} and {@link #transportFailed} are called by the transport's thread,
 * which passes MADs on through a bounded queue.
 */
public final class MadClient implements MadTransport.Receiver {
    private static final int MAX_SLOTS = TransactionTable.MAX_SLOTS;

    /**
     * Windows, time-outs and retries.
     *
     * @param wireWindow max requests on the wire, 1 to 4096; 0 for {@link WireWindow#DEFAULT_LIMIT}. The transport may
     *     allow fewer
     * @param deviceWindow max concurrent requests to one device
     * @param timeoutMs time-out of the first try, doubled for each retry
     * @param retries max tries after the first
     */
    public record Settings(int wireWindow, int deviceWindow, int timeoutMs, int retries) {
        public Settings {
            if (wireWindow < 0 || wireWindow > MAX_SLOTS || deviceWindow < 1 || timeoutMs < 1 || retries < 0) {
                throw new IllegalArgumentException("windows and timeout must be positive, the wire window at most "
                        + MAX_SLOTS + ": " + wireWindow + ", " + deviceWindow + ", " + timeoutMs + ", " + retries);
            }
        }
    }

    /**
     * The counters of a client.
     *
     * @param sent MADs that the transport accepted
     * @param smps SMPs among the sent MADs
     * @param replies responses that matched a transaction
     * @param retries retries, except those of vendor attributes
     * @param timeouts transactions that ended without a response, or in the queue of a device without responses; except
     *     vendor attributes, which a device may ignore
     * @param late responses without a transaction: late, duplicate or foreign
     * @param unsolicited MADs that are no responses, and MADs of classes without a receiver
     * @param malformed frames that are too short, and invalid responses
     * @param overflow frames dropped because the loop was too slow
     * @param refused MADs that the transport did not accept; requests among them are repeated
     * @param undelivered requests that the transport returned without a response
     * @param failures thrown exceptions of continuations, sources and handlers: defects
     * @param window current max SMPs on the wire
     * @param halvings number of times that the window was halved because several devices lost requests together
     */
    public record Stats(
            long sent,
            long smps,
            long replies,
            long retries,
            long timeouts,
            long late,
            long unsolicited,
            long malformed,
            long overflow,
            long refused,
            long undelivered,
            long failures,
            int window,
            long halvings) {}

    /** Transactions by attribute, method and outcome (reply, timeout, bad_status, malformed, cancelled). */
    public record OutcomeCount(String attribute, String method, String outcome, long count) {}

    /** A receiver of MADs that are no responses. */
    public interface UnsolicitedReceiver {
        /** Receives an SMP that is no response: an SMInfo request or a trap. On the loop. */
        void subnetManagement(MadFrame frame);

        /** Receives every SA MAD. On the transport's thread; must not block. */
        void subnetAdministration(MadFrame frame);

        /** Handles the loss of the port. On the loop. */
        void portLost(String reason);

        /** Handles a loss of the port for a time, or its return, as {@link MadTransport.Receiver}. On the loop. */
        default void portChanged(boolean isUsable, String reason) {}
    }

    private final MadTransport transport;
    private final Loop loop;
    private final Supplier<Settings> settings;
    private final UnsolicitedReceiver unsolicited;
    private final InboundQueue<MadFrame> inbound;
    private final OwnReceiving ownReceiving;
    private final DeviceQueues queues;
    private final TransactionTable<Transaction<?>> table;
    private final RequestSources sources;
    private boolean isPumping;
    private final Tries tries;
    private final WireWindow window;
    private final MadCounters counters = new MadCounters();
    private final OutcomeDelivery delivery = new OutcomeDelivery(counters);
    private final SetGate gate = new SetGate();
    private volatile @Nullable Consumer<MadFrame> gmps;

    /**
     * Starts the transport, with a window that adapts to the fabric.
     *
     * @param keys M_Keys of requests
     * @param settings source of settings, read on the loop for each use; the wire window is read only here
     * @param seed seed of the transaction IDs; random in production
     */
    public MadClient(
            MadTransport transport,
            Loop loop,
            MKeySource keys,
            Supplier<Settings> settings,
            int seed,
            UnsolicitedReceiver unsolicited) {
        this(
                transport,
                loop,
                keys,
                settings,
                seed,
                unsolicited,
                WireWindow.adaptive(settings.get().wireWindow(), transport.maxOutstanding()));
    }

    /** Starts the transport as the first constructor does, but with a given wire window. */
    public MadClient(
            MadTransport transport,
            Loop loop,
            MKeySource keys,
            Supplier<Settings> settings,
            int seed,
            UnsolicitedReceiver unsolicited,
            WireWindow window) {
        this.transport = transport;
        this.loop = loop;
        this.settings = settings;
        this.unsolicited = unsolicited;
        inbound = new InboundQueue<>(loop, this::accept);
        queues = new DeviceQueues(() -> settings.get().deviceWindow());
        this.window = window;
        table = new TransactionTable<>(window.limit(), seed);
        tries = new Tries(transport, loop, keys, settings, table, window, counters, this::handleUnanswered, this::pump);
        sources = new RequestSources(
                queues, table.size(), (request, scope) -> enqueue(request, scope), bug -> countFailure());
        ownReceiving = new OwnReceiving(transport, loop, () -> !table.isEmpty(), this::accept);
        transport.start(this);
    }

    /** Opens an empty set of transactions. */
    public MadScope scope() {
        loop.requireInLoop();
        return new MadScope(this);
    }

    /**
     * Refuses Sets, except those of SMInfo, until {@link #permitSets}. Cancels the Sets that wait or are in flight, and
     * all later ones of the present scopes. A further call cancels Sets again.
     */
    public void refuseSets() {
        loop.requireInLoop();
        gate.close();
        loop.execute(() -> cancel(each -> gate.refuses(each.request, each.scope)));
    }

    /** Permits Sets of scopes that were opened since the last call of {@link #refuseSets}. */
    public void permitSets() {
        loop.requireInLoop();
        gate.open();
    }

    /** Checks whether Sets are refused. */
    public boolean isRefusingSets() {
        loop.requireInLoop();
        return gate.isClosed();
    }

    /** Sends a MAD without a response: a response or a TrapRepress. Any thread may call it. */
    public void send(MadFrame frame) {
        send(frame, 0);
    }

    /** Sends a MAD whose response another receiver handles. Returns false if it is refused. Any thread may call it. */
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        boolean isSent = !gate.refuses(frame.mad()) && transport.send(frame, responseTimeoutMs);
        counters.countSend(isSent);
        if (isSent && MgmtClass.isSmp(MadHeader.mgmtClass(frame.mad()))) {
            counters.smps.increment();
        }
        return isSent;
    }

    /** Returns the counters. Any thread may call it. */
    public Stats stats() {
        return counters.stats(window);
    }

    /** Returns the numbers of ended transactions by attribute, method and outcome. Any thread may call it. */
    public List<OutcomeCount> outcomeCounts() {
        return counters.smpCounts.outcomeCounts();
    }

    /** Returns the port that this client sends from. */
    public LocalPort localPort() {
        return transport.localPort();
    }

    /** Returns the time-out of the first try in milliseconds. */
    public int timeoutMs() {
        return settings.get().timeoutMs();
    }

    /** Sets the receiver of responses of other classes than SM and SA, on the transport's thread; null for none. */
    void whenGmpReceived(@Nullable Consumer<MadFrame> receiver) {
        gmps = receiver;
    }

    int maxOutstandingGmps() {
        return Math.max(1, transport.maxOutstandingGmps());
    }

    boolean returnsTimedOutRequests() {
        return transport.returnsTimedOutRequests();
    }

    Loop loop() {
        return loop;
    }

    int gateClosings() {
        return gate.closings();
    }

    void countFailure() {
        counters.failures.increment();
    }

    <A extends Attribute<A>> void submit(SmpRequest<A> request, MadScope scope) {
        loop.requireInLoop();
        enqueue(request, scope);
        pump();
    }

    void pull(Iterator<? extends SmpRequest<?>> source, MadScope scope) {
        loop.requireInLoop();
        sources.add(source, scope);
        pump();
    }

    void cancel(MadScope scope) {
        loop.requireInLoop();
        sources.removeWithin(scope);
        cancel(each -> each.scope.isWithin(scope));
    }

    private void cancel(Predicate<Transaction<?>> condition) {
        try {
            delivery.endEach(
                    withdraw(condition), each -> delivery.deliverFailure(each, Outcome.FailureReason.CANCELLED, 0));
        } finally {
            pump();
        }
    }

    Set<DrPath> routes(MadScope scope) {
        Set<DrPath> routes = new LinkedHashSet<>();
        for (Transaction<?> transaction : table.openTransactions()) {
            if (transaction.scope.isWithin(scope)) {
                routes.add(transaction.device.path);
            }
        }
        return routes;
    }

    /** Ends the transactions of a scope as if all tries had timed out. */
    void expire(MadScope scope) {
        loop.requireInLoop();
        try {
            delivery.endEach(withdraw(each -> each.scope.isWithin(scope)), delivery::deliverUnanswered);
        } finally {
            pump();
        }
    }

    /** Removes transactions from queues and wire, and returns them. */
    private List<Transaction<?>> withdraw(Predicate<Transaction<?>> condition) {
        List<Transaction<?>> withdrawn = queues.removeIf(condition);
        for (Transaction<?> transaction : table.openTransactions()) {
            if (condition.test(transaction)) {
                release(transaction);
                withdrawn.add(transaction);
            }
        }
        return withdrawn;
    }

    private <A extends Attribute<A>> void enqueue(SmpRequest<A> request, MadScope scope) {
        scope.countOpened();
        if (scope.isClosed() || gate.refuses(request, scope)) {
            delivery.deliverOutcome(request, scope, new Outcome.Failure<>(Outcome.FailureReason.CANCELLED, 0));
            return;
        }
        queues.add(request, scope);
    }

    /** Sends while the window has room, in turn for each device. Sources are pulled only if no request is ready. */
    private void pump() {
        if (isPumping) {
            return;
        }
        isPumping = true;
        try {
            while (tries.hasRoom() && (tries.sendWaiting() || sendNext())) {
                // Retries precede new requests. Each turn sends one request, or drops a device without one.
            }
        } finally {
            isPumping = false;
            tries.scheduleDeadlineCheck();
        }
    }

    private boolean sendNext() {
        if (!table.hasRoom() || (!queues.hasReady() && !sources.pullOne())) {
            return false;
        }
        Transaction<?> transaction = queues.poll();
        if (transaction != null) {
            tries.begin(transaction);
        }
        return true;
    }

    private void handleUnanswered(Transaction<?> transaction) {
        List<Transaction<?>> ended = queues.endUnanswered(transaction);
        release(transaction);
        delivery.endEach(ended, delivery::deliverUnanswered);
    }

    @Override
    public void received(MadFrame frame) {
        if (frame.mad().length < MadHeader.MAD_SIZE) {
            counters.malformed.increment();
            return;
        }
        int mgmtClass = MadHeader.mgmtClass(frame.mad());
        if (ownReceiving.keepSmp(frame, MgmtClass.isSmp(mgmtClass))) {
            return;
        }
        if (mgmtClass == MgmtClass.SUBN_ADM) {
            delivery.callHandler(unsolicited::subnetAdministration, frame);
        } else if (!MgmtClass.isSmp(mgmtClass)) {
            receivedGmp(frame);
        } else if (!inbound.offer(frame)) {
            counters.overflow.increment();
        }
    }

    private void receivedGmp(MadFrame frame) {
        Consumer<MadFrame> receiver = gmps;
        boolean isResponse = frame.isUndelivered() || MadHeader.isResponse(frame.mad());
        if (receiver == null || !isResponse) {
            counters.unsolicited.increment();
        } else {
            delivery.callHandler(receiver, frame);
        }
    }

    @Override
    public void transportFailed(String reason) {
        loop.execute(() -> unsolicited.portLost(reason));
    }

    @Override
    public void portChanged(boolean isUsable, String reason) {
        counters.isPortUsable = isUsable;
        loop.execute(() -> unsolicited.portChanged(isUsable, reason));
    }

    private void accept(MadFrame frame) {
        try {
            dispatch(frame);
        } finally {
            pump();
            ownReceiving.begin();
        }
    }

    private void dispatch(MadFrame frame) {
        byte[] mad = frame.mad();
        if (frame.isUndelivered()) {
            counters.undelivered.increment();
            Transaction<?> transaction = table.find(mad);
            if (transaction != null) {
                tries.handleReturnedRequest(transaction);
            }
        } else if (MadHeader.isResponse(mad)) {
            Transaction<?> transaction = table.find(mad);
            if (transaction == null) {
                counters.late.increment();
            } else if (MadHeader.status(mad) == MadStatus.BUSY) {
                tries.handleBusy(transaction);
                delivery.endEach(
                        queues.endBusy(transaction),
                        each -> delivery.deliverFailure(each, Outcome.FailureReason.BAD_STATUS, MadStatus.BUSY));
            } else {
                counters.replies.increment();
                transaction.device.unanswered = 0;
                transaction.device.answered++;
                tries.handleResponse(transaction);
                release(transaction);
                delivery.deliverResponse(transaction, mad);
            }
        } else {
            counters.unsolicited.increment();
            delivery.callHandler(unsolicited::subnetManagement, frame);
        }
    }

    private void release(Transaction<?> transaction) {
        tries.close(transaction);
        queues.handleRequestEnd(transaction.device);
    }
}
