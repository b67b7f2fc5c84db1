package io.torussm.transport;

import io.torussm.event.SmEvent;
import io.torussm.event.log.EventLog;
import io.torussm.mad.Attribute;
import io.torussm.mad.MadHeader;
import io.torussm.mad.MadStatus;
import io.torussm.mad.Method;
import io.torussm.mad.MgmtClass;
import io.torussm.mad.smp.DrPath;
import io.torussm.mad.smp.Smp;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Transactions over a {@link MadTransport}: windows, retries, matching of replies, cancellation by {@link MadScope}.
 *
 * <p>Transaction IDs: umad owns the upper 32 bits, so only the lower ones are used: a slot number in the lowest
 * {@value #SLOT_BITS} bits and a generation above it, which starts at a random value. A late reply to an earlier
 * transaction, or to an earlier life of the process, therefore finds no match; it is counted and dropped.
 *
 * <p>Invariants: a transaction is in the queue of its device, or in one slot, or ended; a device is in the map while it
 * has either; {@code queued} is the sum of all queues; a device that could send is in {@code ready}, once.
 *
 * <p>Owner thread: the loop. Only {@link #received} and {@link #transportFailed} are called by the transport's thread;
 * they hand over through a bounded queue.
 */
public final class MadClient implements MadTransport.Receiver {
    private static final EventLog EVENTS = EventLog.of(MadClient.class);
    private static final int SLOT_BITS = 12;
    private static final int MAX_SLOTS = 1 << SLOT_BITS;
    private static final int INBOUND_CAPACITY = 1 << 14;
    private static final long TID_MASK = 0xffffffffL;

    /** Requests that may wait behind the windows of devices, per slot, before sources are not asked any more. */
    private static final int QUEUED_PER_SLOT = 4;

    /** Frames accepted in one turn of the loop, so that a flood does not keep timers waiting. */
    private static final int DRAIN_BATCH = 256;

    /** Requests in a row, each with all its tries, that a device may leave without an answer before no more are sent. */
    private static final int PATIENCE = 3;

    /** Waits are doubled at most this often. */
    private static final int MAX_DOUBLINGS = 8;

    private static final byte[] NOT_SENT = new byte[0];

    /**
     * Windows and patience.
     *
     * @param wireWindow requests on the wire at once, 1 to 4096; the transport may allow fewer
     * @param deviceWindow requests at one device at once
     * @param timeoutMs wait for the first try; doubled for each further one
     * @param retries further tries
     * @param keys the M_Keys that requests carry
     */
    public record Settings(int wireWindow, int deviceWindow, int timeoutMs, int retries, MKeySource keys) {
        public Settings {
            if (wireWindow < 1 || wireWindow > MAX_SLOTS || deviceWindow < 1 || timeoutMs < 1 || retries < 0) {
                throw new IllegalArgumentException("windows and timeout must be positive, the wire window at most "
                        + MAX_SLOTS + ": " + wireWindow + ", " + deviceWindow + ", " + timeoutMs + ", " + retries);
            }
        }

        /** With one M_Key for all devices. */
        public Settings(int wireWindow, int deviceWindow, int timeoutMs, int retries, long mKey) {
            this(wireWindow, deviceWindow, timeoutMs, retries, MKeySource.fixed(mKey));
        }

        /** Without the M_Keys. */
        @Override
        public String toString() {
            return "Settings[wireWindow=" + wireWindow + ", deviceWindow=" + deviceWindow + ", timeoutMs=" + timeoutMs
                    + ", retries=" + retries + "]";
        }
    }

    /**
     * What was counted so far.
     *
     * @param sent MADs that the transport took
     * @param replies answers that found their transaction
     * @param retries further tries
     * @param timeouts transactions that ended without an answer, or behind several that did
     * @param late responses without a transaction: late, duplicate or foreign
     * @param unsolicited MADs that are no responses, and MADs of classes that nobody handles
     * @param malformed frames that are too short, and answers that are none
     * @param overflow frames dropped because the loop did not keep up
     * @param undelivered requests that the transport gave back
     * @param failures exceptions thrown by continuations, sources and handlers: bugs
     */
    public record Stats(
            long sent,
            long replies,
            long retries,
            long timeouts,
            long late,
            long unsolicited,
            long malformed,
            long overflow,
            long undelivered,
            long failures) {}

    /**
     * Transactions that ended in a way.
     *
     * @param attribute its name
     * @param method Get or Set
     * @param outcome reply, timeout, bad_status, malformed or cancelled
     */
    public record Ended(String attribute, String method, String outcome, long count) {}

    /** Who gets what is not a reply. */
    public interface Unsolicited {
        /** SMPs of others: SMInfo requests, traps. On the loop. */
        void subnetManagement(MadFrame frame);

        /** Every SA MAD. On the transport's thread; must not block. */
        void subnetAdministration(MadFrame frame);

        /** The port is gone. On the loop. */
        void portLost(String why);
    }

    private final MadTransport transport;
    private final Loop loop;
    private final Settings settings;
    private final Unsolicited unsolicited;

    private final ArrayBlockingQueue<MadFrame> inbound = new ArrayBlockingQueue<>(INBOUND_CAPACITY);
    private final AtomicBoolean draining = new AtomicBoolean();

    private final @Nullable Transaction<?>[] slots;
    private final int[] freeSlots;
    private int freeCount;
    private int generation;
    private final Map<DrPath, Device> devices = new HashMap<>();
    private final ArrayDeque<Device> ready = new ArrayDeque<>();
    private final ArrayDeque<Source> sources = new ArrayDeque<>();
    private int queued;
    private boolean pumping;
    private Loop.@Nullable Timer clock;

    private final LongAdder sent = new LongAdder();
    private final LongAdder replies = new LongAdder();
    private final LongAdder retries = new LongAdder();
    private final LongAdder timeouts = new LongAdder();
    private final LongAdder late = new LongAdder();
    private final LongAdder strangers = new LongAdder();
    private final LongAdder malformed = new LongAdder();
    private final LongAdder overflow = new LongAdder();
    private final LongAdder undelivered = new LongAdder();
    private final LongAdder failures = new LongAdder();
    private final SmpCounts ended = new SmpCounts();

    /** A source of requests and the scope that it belongs to. */
    private record Source(Iterator<? extends SmpRequest<?>> requests, MadScope scope) {}

    /** What is queued for, and in flight at, the device at the end of one route. */
    private static final class Device {
        final ArrayDeque<Transaction<?>> queue = new ArrayDeque<>();
        final DrPath path;
        int inFlight;
        int unanswered;
        boolean isReady;

        Device(DrPath path) {
            this.path = path;
        }
    }

    /** One request from submission to its only outcome. */
    private static final class Transaction<A extends Attribute<A>> {
        final SmpRequest<A> request;
        final MadScope scope;
        final Device device;
        byte[] mad = NOT_SENT;
        long tid;
        int slot = -1;
        int tries;
        long deadlineNs;

        Transaction(SmpRequest<A> request, MadScope scope, Device device) {
            this.request = request;
            this.scope = scope;
            this.device = device;
        }
    }

    /**
     * A client on a transport that it starts.
     *
     * @param seed where the generation of transaction IDs starts; random in production
     */
    public MadClient(MadTransport transport, Loop loop, Settings settings, int seed, Unsolicited unsolicited) {
        this.transport = transport;
        this.loop = loop;
        this.settings = settings;
        this.unsolicited = unsolicited;
        this.generation = seed;
        int window = Math.min(settings.wireWindow(), Math.max(1, transport.maxOutstanding()));
        slots = new Transaction<?>[window];
        freeSlots = new int[window];
        for (int i = 0; i < window; i++) {
            freeSlots[i] = window - 1 - i;
        }
        freeCount = window;
        transport.start(this);
    }

    /** Opens a set of transactions. */
    public MadScope scope() {
        loop.check();
        return new MadScope(this);
    }

    /** Sends a MAD that expects no answer: a response, a TrapRepress. May be called from any thread. */
    public void send(MadFrame frame) {
        if (transport.send(frame, 0)) {
            sent.increment();
        }
    }

    /**
     * Sends a MAD that expects an answer which somebody else awaits. May be called from any thread.
     *
     * @return false if it could not be sent
     */
    public boolean send(MadFrame frame, int responseTimeoutMs) {
        boolean isSent = transport.send(frame, responseTimeoutMs);
        if (isSent) {
            sent.increment();
        }
        return isSent;
    }

    /** The counters; may be read from any thread. */
    public Stats stats() {
        return new Stats(
                sent.sum(),
                replies.sum(),
                retries.sum(),
                timeouts.sum(),
                late.sum(),
                strangers.sum(),
                malformed.sum(),
                overflow.sum(),
                undelivered.sum(),
                failures.sum());
    }

    /** How transactions ended, by attribute; may be read from any thread. */
    public List<Ended> ended() {
        return ended.counted();
    }

    /** The port that this client sends from. */
    public LocalPort localPort() {
        return transport.localPort();
    }

    /** Milliseconds that each try waits for an answer. */
    public int timeoutMs() {
        return settings.timeoutMs();
    }

    Loop loop() {
        return loop;
    }

    void countFailure() {
        failures.increment();
    }

    <A extends Attribute<A>> void submit(SmpRequest<A> request, MadScope scope) {
        loop.check();
        enqueue(request, scope);
        pump();
    }

    void pull(Iterator<? extends SmpRequest<?>> source, MadScope scope) {
        loop.check();
        scope.opened();
        sources.add(new Source(source, scope));
        pump();
    }

    void cancel(MadScope scope) {
        loop.check();
        sources.removeIf(source -> {
            boolean isOfScope = source.scope().isWithin(scope);
            if (isOfScope) {
                source.scope().ended();
            }
            return isOfScope;
        });
        ArrayDeque<Transaction<?>> cancelled = new ArrayDeque<>();
        for (Device device : devices.values()) {
            device.queue.removeIf(transaction -> transaction.scope.isWithin(scope) && cancelled.add(transaction));
        }
        queued -= cancelled.size();
        for (Transaction<?> transaction : slots) {
            if (transaction != null && transaction.scope.isWithin(scope)) {
                release(transaction);
                cancelled.add(transaction);
            }
        }
        cancelled.forEach(transaction -> end(transaction, Outcome.Kind.CANCELLED, 0));
        pump();
    }

    private <A extends Attribute<A>> void enqueue(SmpRequest<A> request, MadScope scope) {
        scope.opened();
        if (scope.isClosed()) {
            deliver(request, scope, new Outcome.Failure<>(Outcome.Kind.CANCELLED, 0));
            return;
        }
        Device device = devices.computeIfAbsent(request.path(), Device::new);
        device.queue.add(new Transaction<>(request, scope, device));
        queued++;
        makeReady(device);
    }

    private void makeReady(Device device) {
        if (!device.isReady && !device.queue.isEmpty() && device.inFlight < settings.deviceWindow()) {
            device.isReady = true;
            ready.add(device);
        }
    }

    /** Sends while the window has room, taking turns between devices; asks sources for more only when it has. */
    private void pump() {
        if (pumping) {
            return;
        }
        pumping = true;
        try {
            while (freeCount > 0 && (!ready.isEmpty() || pullOne())) {
                sendNext();
            }
        } finally {
            pumping = false;
            watchClock();
        }
    }

    private void sendNext() {
        Device device = ready.poll();
        if (device == null) {
            return;
        }
        device.isReady = false;
        Transaction<?> transaction = device.queue.poll();
        if (transaction == null) {
            forgetIfUnused(device);
            return;
        }
        queued--;
        device.inFlight++;
        makeReady(device);
        transmit(transaction);
    }

    /** Takes one request from the next source; false if there is none, or enough is queued behind device windows. */
    private boolean pullOne() {
        while (queued < QUEUED_PER_SLOT * slots.length) {
            Source source = sources.poll();
            if (source == null) {
                return false;
            }
            SmpRequest<?> request = nextOf(source);
            if (request != null) {
                enqueue(request, source.scope());
                sources.addFirst(source);
                return true;
            }
            source.scope().ended();
            // The scope may have been idle with that, and the next stage may have submitted its first requests.
            if (!ready.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** The next request, or null if the source has no more, has failed, or belongs to a closed scope. */
    private @Nullable SmpRequest<?> nextOf(Source source) {
        if (source.scope().isClosed()) {
            return null;
        }
        try {
            return source.requests().hasNext() ? source.requests().next() : null;
        } catch (RuntimeException bug) {
            failures.increment();
            source.scope().failed(bug);
            return null;
        }
    }

    private void transmit(Transaction<?> transaction) {
        int slot = freeSlots[--freeCount];
        slots[slot] = transaction;
        transaction.slot = slot;
        transaction.tid = nextTid(slot);
        SmpRequest<?> request = transaction.request;
        byte[] mad = Smp.directed(
                request.method(),
                transaction.tid,
                request.type().id(),
                request.attributeModifier(),
                settings.keys().key(request.path(), 0),
                request.path());
        Attribute<?> value = request.value();
        if (value != null) {
            value.write(mad, Smp.DATA);
        }
        transaction.mad = mad;
        transmitAgain(transaction);
    }

    /** A generation is never 0, so that no transaction ID is. */
    private long nextTid(int slot) {
        generation++;
        if (((long) generation << SLOT_BITS & TID_MASK) == 0) {
            generation++;
        }
        return ((long) generation << SLOT_BITS | slot) & TID_MASK;
    }

    private void transmitAgain(Transaction<?> transaction) {
        long doubled = (long) settings.timeoutMs() << Math.min(transaction.tries, MAX_DOUBLINGS);
        int timeoutMs = (int) Math.min(doubled, Integer.MAX_VALUE);
        showKey(transaction, settings.keys().key(transaction.device.path, transaction.tries));
        transaction.tries++;
        transaction.deadlineNs = loop.nowNs() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        if (transport.send(new MadFrame(MadAddress.DIRECTED, transaction.mad), timeoutMs)) {
            sent.increment();
        } else {
            retrySoon(transaction);
        }
    }

    /** In a copy: whoever was handed the MAD of an earlier try may not have looked at it yet. */
    private static void showKey(Transaction<?> transaction, long mKey) {
        if (Smp.M_KEY.get(transaction.mad, 0) != mKey) {
            transaction.mad = transaction.mad.clone();
            Smp.M_KEY.set(transaction.mad, 0, mKey);
        }
    }

    /** What could not be sent or delivered now may have met a link that is just coming up: it costs one try. */
    private void retrySoon(Transaction<?> transaction) {
        long pauseNs = clockPeriodNs();
        if (transaction.deadlineNs - loop.nowNs() > pauseNs) {
            transaction.deadlineNs = loop.nowNs() + pauseNs;
        }
    }

    /** One timer serves all deadlines: it looks at the slots, of which there are few, a few times per timeout. */
    private void watchClock() {
        if (clock == null && freeCount < slots.length) {
            clock = loop.schedule(clockPeriodNs(), this::lookAtClock);
        }
    }

    private long clockPeriodNs() {
        return TimeUnit.MILLISECONDS.toNanos(settings.timeoutMs()) / 4;
    }

    private void lookAtClock() {
        clock = null;
        long nowNs = loop.nowNs();
        try {
            for (Transaction<?> transaction : slots.clone()) {
                if (transaction != null && transaction.slot >= 0 && transaction.deadlineNs - nowNs <= 0) {
                    retryOrGiveUp(transaction);
                }
            }
        } finally {
            pump();
        }
    }

    private void retryOrGiveUp(Transaction<?> transaction) {
        if (transaction.tries <= settings.retries()) {
            retries.increment();
            transmitAgain(transaction);
        } else {
            giveUp(transaction);
        }
    }

    /**
     * What waits behind several requests that a device left unanswered would be in vain, too, and at a few at a time it
     * could take minutes: it ends with them.
     */
    private void giveUp(Transaction<?> transaction) {
        Device device = transaction.device;
        device.unanswered++;
        List<Transaction<?>> ended = new ArrayList<>(List.of(transaction));
        if (device.unanswered >= PATIENCE) {
            device.queue.removeIf(waiting -> waiting.scope == transaction.scope && ended.add(waiting));
            queued -= ended.size() - 1;
        }
        release(transaction);
        timeouts.add(ended.size());
        ended.forEach(each -> end(each, Outcome.Kind.TIMEOUT, 0));
    }

    @Override
    public void received(MadFrame frame) {
        if (frame.mad().length < MadHeader.MAD_SIZE) {
            malformed.increment();
            return;
        }
        int mgmtClass = MadHeader.mgmtClass(frame.mad());
        if (mgmtClass == MgmtClass.SUBN_ADM) {
            handle(unsolicited::subnetAdministration, frame);
        } else if (!MgmtClass.isSmp(mgmtClass)) {
            strangers.increment();
        } else if (!inbound.offer(frame)) {
            overflow.increment();
        } else if (draining.compareAndSet(false, true)) {
            loop.execute(this::drain);
        }
    }

    @Override
    public void transportFailed(String why) {
        loop.execute(() -> unsolicited.portLost(why));
    }

    private void drain() {
        draining.set(false);
        try {
            for (int i = 0; i < DRAIN_BATCH; i++) {
                MadFrame frame = inbound.poll();
                if (frame == null) {
                    return;
                }
                accept(frame);
                pump();
            }
        } finally {
            if (!inbound.isEmpty() && draining.compareAndSet(false, true)) {
                loop.execute(this::drain);
            }
        }
    }

    /** Runs somebody's handler; what it throws is a bug of theirs that must not stop the flow of MADs. */
    private void handle(Consumer<MadFrame> handler, MadFrame frame) {
        try {
            handler.accept(frame);
        } catch (RuntimeException bug) {
            failures.increment();
            EVENTS.report(SmEvent.MAD_HANDLER_FAILED, bug);
        }
    }

    private void accept(MadFrame frame) {
        byte[] mad = frame.mad();
        if (frame.undelivered()) {
            undelivered.increment();
            Transaction<?> transaction = find(mad);
            if (transaction != null) {
                retrySoon(transaction);
            }
        } else if (MadHeader.isResponse(mad)) {
            Transaction<?> transaction = find(mad);
            if (transaction == null) {
                late.increment();
            } else {
                replies.increment();
                transaction.device.unanswered = 0;
                settings.keys().answered(transaction.device.path, transaction.tries - 1);
                release(transaction);
                complete(transaction, mad);
            }
        } else {
            strangers.increment();
            handle(unsolicited::subnetManagement, frame);
        }
    }

    /** The transaction that a MAD belongs to: same class, lower TID bits, attribute and modifier (IBA 13.4.6.4). */
    private @Nullable Transaction<?> find(byte[] mad) {
        long tid = MadHeader.tid(mad) & TID_MASK;
        int slot = (int) (tid & (MAX_SLOTS - 1));
        Transaction<?> transaction = slot < slots.length ? slots[slot] : null;
        boolean matches = transaction != null
                && transaction.tid == tid
                && MadHeader.mgmtClass(mad) == MgmtClass.SUBN_DIRECTED_ROUTE
                && MadHeader.attributeId(mad) == transaction.request.type().id()
                && MadHeader.attributeModifier(mad) == transaction.request.attributeModifier();
        return matches ? transaction : null;
    }

    private <A extends Attribute<A>> void complete(Transaction<A> transaction, byte[] mad) {
        int status = MadHeader.status(mad);
        if (MadHeader.method(mad) != Method.GET_RESP) {
            malformed.increment();
            end(transaction, Outcome.Kind.MALFORMED, 0);
        } else if (status != MadStatus.OK) {
            end(transaction, Outcome.Kind.BAD_STATUS, status);
        } else {
            Outcome<A> reply = new Outcome.Reply<>(transaction.request.type().read(mad, Smp.DATA));
            deliver(transaction.request, transaction.scope, reply);
        }
    }

    private void release(Transaction<?> transaction) {
        slots[transaction.slot] = null;
        freeSlots[freeCount++] = transaction.slot;
        transaction.slot = -1;
        Device device = transaction.device;
        device.inFlight--;
        makeReady(device);
        forgetIfUnused(device);
    }

    private void forgetIfUnused(Device device) {
        if (device.inFlight == 0 && device.queue.isEmpty()) {
            // Only itself: cancelling may have left an empty device in the ready queue while a new one took its place.
            devices.remove(device.path, device);
        }
    }

    private <A extends Attribute<A>> void end(Transaction<A> transaction, Outcome.Kind kind, int status) {
        deliver(transaction.request, transaction.scope, new Outcome.Failure<>(kind, status));
    }

    /** Errors pass through to the loop; by then the books are in order. */
    private <A extends Attribute<A>> void deliver(SmpRequest<A> request, MadScope scope, Outcome<A> outcome) {
        ended.count(request, outcome);
        try {
            request.then().accept(outcome);
        } catch (RuntimeException bug) {
            failures.increment();
            scope.failed(bug);
        } finally {
            scope.ended();
        }
    }
}
